import assert from "node:assert/strict";
import { after, describe, it, test } from "node:test";
import type { AuctionState } from "../../src/domain/auctions/model.ts";
import { MINUTE } from "../../src/domain/values/time.ts";
import { type AuctionServer, serveAuction } from "../support/auctionPages.ts";
import { type AuctionDriver, driveAuction, initialBid } from "../support/auctions.ts";
import { type BrowserSession, openBrowser, overflowOf } from "../support/browser.ts";
import { BROWSER_MISSING } from "../support/chromium.ts";

/** Pages with the longest texts and amounts that occur are no wider than their window. `portal.test.ts` checks the other pages. */

if (BROWSER_MISSING) test("the widths of pages", { skip: BROWSER_MISSING }, () => {});
else describe("the widths of pages", inBrowser);

/** A window of 1280 pixels at a zoom of 400 %, a phone, a tablet. */
const WIDTHS = [320, 390, 768];
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
  after(async () => {
    await browser.close();
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
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 600 });
          assert.equal(await overflowOf(page), 0, `${path} is wider than ${width} pixels`);
        }
        await page.close();
      }
    });
}
