import assert from "node:assert/strict";
import { after, describe, it, test } from "node:test";
import type { Page } from "playwright-core";
import type { AuctionState } from "../../src/domain/auctions/model.ts";
import { MINUTE } from "../../src/domain/values/time.ts";
import { type AuctionServer, serveAuction } from "../support/auctionPages.ts";
import { type AuctionDriver, driveAuction, initialBid } from "../support/auctions.ts";
import { type BrowserSession, openBrowser, overflowOf } from "../support/browser.ts";
import { BROWSER_MISSING } from "../support/chromium.ts";
import { bidOf, fullTender, publish, school } from "../support/examples.ts";
import { decideLast, passStandStill, reachQualification, signContract } from "../support/procedure.ts";
import { expectStatus, openWorld } from "../support/world.ts";

/** Pages with the longest texts and amounts that occur are no wider than their window. `portal.test.ts` checks the other pages. */

if (BROWSER_MISSING) test("the widths of pages", { skip: BROWSER_MISSING }, () => {});
else describe("the widths of pages", inBrowser);

/** A window of 1280 pixels at a zoom of 400 %, a phone, a tablet, a desk. */
const WIDTHS = [320, 390, 768, 1280];
const LONG_NAME = "Товариство з обмеженою відповідальністю «Техносвіт Дніпро Електропостачання»";
const NAMES = ["cheap", "dear"].map((bid) => ({ bid, name: `${LONG_NAME} ${bid}` }));

const AUCTION_STATES: { readonly [name: string]: (auction: AuctionDriver) => AuctionState } = {
  planned: (auction) => auction.goTo(-5 * MINUTE),
  "own turn": (auction) => auction.place(5 * MINUTE, "dear", "12345678901.99"),
  results: (auction) => {
    auction.place(5 * MINUTE, "dear", "12345678901.99");
    auction.goTo(24 * MINUTE);
    return auction.send(24 * MINUTE, { kind: "disclose names", names: NAMES });
  },
};

async function inBrowser(): Promise<void> {
  const browser: BrowserSession = await openBrowser();
  const servers: AuctionServer[] = [];
  const world = await openWorld();
  after(async () => {
    await browser.close();
    await world.stop();
    for (const server of servers) await server.stop();
  });

  for (const [name, reach] of Object.entries(AUCTION_STATES))
    it(`fit an auction with weighted prices, large amounts and long names: ${name}`, async () => {
      const bids = [initialBid("cheap", "23456789012.99", 1, "20/17"), initialBid("dear", "23456789999.5", 2, "37/33")];
      const state = reach(driveAuction(bids, { hasFeatures: true }));
      const server = await serveAuction(state, state.at);
      servers.push(server);
      for (const path of [`/auctions/${state.id}`, `/en/auctions/${state.id}`]) {
        const { page } = await browser.open(server.url + path, { headers: { "x-bid": "dear" } });
        await assertFits(page);
        await page.close();
      }
    });

  it("fit a tender whose codes and units are as long as sentences", async () => {
    const [item] = fullTender().items;
    const additionalClassifications = ["К".repeat(80), "Код-".repeat(20)].map((id) => ({
      scheme: "С".repeat(80),
      id,
      description: "Код",
    }));
    const units = ["Одиниця".repeat(12), "довга назва одиниці виміру ".repeat(3)];
    const items = units.map((name) => ({ ...item, unit: { name, code: "H87" }, additionalClassifications }));
    const { id } = await publish(world.api("2.5"), { ...fullTender(), items });
    const { page } = await browser.open(`${world.url}/tenders/${id}`);
    await assertFits(page);
    await page.close();
  });

  it("let no amount break inside its number", async () => {
    const story = await reachQualification(world, [bidOf(103573.47), bidOf(104000.55)]);
    await decideLast(story, "active");
    await passStandStill(story);
    expectStatus(200, await signContract(story));
    await publish(world.api("2.5"), {
      ...fullTender(world.clock.now),
      value: { amount: 1_000_039_430_450, currency: "UAH" },
    });
    const buyer = `/buyers/${encodeURIComponent(`${school.identifier.scheme}-${school.identifier.id}`)}`;
    for (const path of [buyer, "/statistics", "/tenders", story.path].flatMap((address) => [
      address,
      `/en${address}`,
    ])) {
      const { page } = await browser.open(world.url + path);
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      await assertFits(page);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 600 });
        assert.deepEqual(await page.evaluate(BROKEN_NUMBERS), [], `${path} at ${width} pixels`);
      }
      await page.close();
    }
  });
}

/** The amounts in the main part of the page that are not in one line. */
const BROKEN_NUMBERS = `(() => {
  const broken = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const { index, 0: number } of node.data.matchAll(/\\d[\\d\\u00a0\\u202f.,]*[.,]\\d\\d(?:\\u00a0[^\\s\\d]+)?/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + number.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(number);
    }
  return broken;
})()`;

async function assertFits(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 600 });
    assert.equal(await overflowOf(page), 0, `${page.url()} is wider than ${width} pixels`);
  }
}
