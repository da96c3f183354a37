import assert from "node:assert/strict";
import { after, describe, it, test } from "node:test";
import type { Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { BROWSER_MISSING } from "../support/chromium.ts";
import { bidOf, cook } from "../support/examples.ts";
import { type AuctionBidder, reachFirstTurn } from "../support/liveAuctions.ts";
import { openWorld } from "../support/world.ts";

/** A whole auction of a real server, on a test clock: two bidders who have opened their links, and a watcher. */

if (BROWSER_MISSING) test("a live auction in a browser", { skip: BROWSER_MISSING }, () => {});
else
  describe("a live auction in a browser", () => {
    it("lets bidders lower their prices by their links, and shows everyone what is public, as it happens", runAuction);
  });

async function runAuction(): Promise<void> {
  const world = await openWorld({ AUCTIONS: "builtin" });
  // Each has a profile of its own, as the cookies of two bidders would replace each other.
  const browsers = await Promise.all([openBrowser(), openBrowser(), openBrowser()]);
  after(async () => {
    for (const browser of browsers) await browser.close();
    await world.stop();
  });
  const tenderers = [{ ...cook, name_en: "Tasty Meals Ltd" }];
  const story = await reachFirstTurn(world, [bidOf(480000, { tenderers }), bidOf(490000, { tenderers })]);
  const [cheap, dear] = story.bidders;
  const [watching, ofCheap, ofDear] = browsers;
  assert.ok(cheap && dear && watching && ofCheap && ofDear);
  const page = `${world.url}/en/auctions/${story.tender}`;
  const watcher = await watching.open(page);
  const logIn = async (browser: typeof ofDear, bidder: AuctionBidder) => {
    const opened = await browser.open((await bidder.link()).href);
    assert.equal(opened.page.url(), `${world.url}/auctions/${story.tender}`);
    await opened.page.goto(page);
    return opened;
  };
  const first = await logIn(ofDear, dear);
  const second = await logIn(ofCheap, cheap);
  const pages = [watcher, first, second];
  for (const opened of pages) await opened.page.locator("#connection[data-state=live]").waitFor();

  await placePrice(first.page, "400000.5");
  assert.match(await textOf(first.page), /400,000\.50/);
  assert.doesNotMatch(await textOf(watcher.page), /400,000\.50/);
  assert.doesNotMatch(await textOf(second.page), /400,000\.50/);

  await story.nextStage();
  for (const opened of [watcher, second]) await opened.page.getByText("400,000.50").first().waitFor();
  await second.page.locator("#BidsForm").waitFor();
  await placePrice(second.page, "395000");

  await story.advance({ by: "PT1H" });
  await watcher.page.getByText("395,000.00").first().waitFor();
  // The stream has neither profiles nor translated names, so the page asks for them when names become public.
  await watcher.page.locator("#auction-offers table.offers a[href^='/en/suppliers/']").nth(1).waitFor();
  const followed = await offersOf(watcher.page);
  assert.match(followed, /Best offer: <a [^>]*><bdi>Tasty Meals Ltd</);
  await watcher.page.reload();
  assert.equal(await offersOf(watcher.page), followed);
  await watcher.page.locator("#auction-replay button").click();
  await watcher.page.getByText("Everything is the same").waitFor();
  // Leaving a page ends its stream, which the browser reports.
  for (const { problems } of pages)
    assert.deepEqual(
      problems.filter((problem) => !/^failed: .*\/events$/.test(problem)),
      [],
    );
}

async function placePrice(page: Page, amount: string): Promise<void> {
  await page.locator("#bid-amount-input").fill(amount);
  await page.locator("#place-bid-button").click();
  await page.locator("#cancel-bid-button").waitFor();
}

const offersOf = (page: Page): Promise<string> =>
  page
    .locator("#auction-offers")
    .innerHTML()
    .then((markup) => markup.trim());

const textOf = (page: Page): Promise<string> => page.locator("main").innerText();
