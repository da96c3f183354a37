import assert from "node:assert/strict";
import { after, describe, it, test } from "node:test";
import type { Page } from "playwright-core";
import { violationsOn } from "../support/axe.ts";
import { type BrowserSession, openBrowser } from "../support/browser.ts";
import { BROWSER_MISSING } from "../support/chromium.ts";
import { bidOf, cook, fullTender } from "../support/examples.ts";
import { reachFirstTurn } from "../support/liveAuctions.ts";
import { claimOf, reachAwarded, reachEnquiries, type TenderStory, withLots } from "../support/procedure.ts";
import { expectStatus, openWorld, type World } from "../support/world.ts";

// Pages of tenders in a browser: accessible in every view, without messages on the console, and printed with a QR code.

if (BROWSER_MISSING) test("the pages of tenders in a browser", { skip: BROWSER_MISSING }, () => {});
else describe("the pages of tenders in a browser", inBrowser);

const PHONE = { width: 360, height: 800 };
const DESK = { width: 1280, height: 900 };
/** A window of 1280 pixels at a zoom of 400 %. */
const NARROW = { width: 320, height: 256 };
const HOSTILE = `<script>alert(1)</script><b>"'& \u202etxet ${"безпробілів".repeat(30)}`;

const idOf = ({ path }: TenderStory): string => path.replace("/tenders/", "");

/** A tender in enquiries with lots, a question, a claim, documents and hostile texts; its id. */
async function openHostileTender(world: World): Promise<string> {
  const story = await reachEnquiries(world, {
    ...withLots(world.clock.now),
    title: HOSTILE,
    title_en: HOSTILE,
    description: HOSTILE.repeat(20),
  });
  expectStatus(
    201,
    await story.as("broker2", "POST", "/questions", { title: HOSTILE, description: HOSTILE, author: cook }),
  );
  expectStatus(201, await story.api.post(`${story.path}/complaints`, claimOf({ title: HOSTILE })));
  const file = { name: `${HOSTILE.slice(0, 100)}.pdf`, content: "зміст" };
  expectStatus(201, await story.api.upload(`${story.path}/documents`, file, { token: story.token }));
  return idOf(story);
}

/** A tender whose auction has ended. */
async function openAuctioned(world: World): Promise<string> {
  const story = await reachFirstTurn(world, [bidOf(480_000), bidOf(490_000)]);
  const [, bidder] = story.bidders;
  assert.ok(bidder);
  expectStatus(201, await story.place(bidder, 470_000));
  while ((await story.fetchAuction()).phase !== "announcement") await story.nextStage();
  return story.tender;
}

/** A tender with 1,000 items. */
async function openHuge(world: World): Promise<string> {
  const tender = fullTender(world.clock.now);
  const [item] = tender.items;
  const items = Array.from({ length: 1000 }, (_, i) => ({ ...item, description: `Предмет ${i + 1}` }));
  const created = expectStatus(201, await world.api("2.5").post("/tenders", { ...tender, items }));
  return created.body.data.id;
}

async function inBrowser(): Promise<void> {
  const world = await openWorld({ AUCTIONS: "builtin" });
  const browser: BrowserSession = await openBrowser();
  const withoutScripts: BrowserSession = await openBrowser({ scripts: false });
  after(async () => {
    await browser.close();
    await withoutScripts.close();
    await world.stop();
  });
  const paths = {
    "with hostile texts": `/tenders/${await openHostileTender(world)}`,
    "after its auction": `/tenders/${await openAuctioned(world)}`,
    awarded: `/tenders/${idOf(await reachAwarded(world, [bidOf(100)]))}`,
    "with 1,000 items": `/tenders/${await openHuge(world)}`,
    unknown: `/tenders/${"0".repeat(32)}`,
  };

  const isScrolledSideways = (page: Page): Promise<boolean> =>
    page.evaluate<boolean>("document.documentElement.scrollWidth > document.documentElement.clientWidth");

  for (const [name, path] of Object.entries(paths))
    for (const [view, options] of [
      ["on a phone", PHONE],
      ["on a desk, dark", { ...DESK, dark: true }],
      ["at a zoom of 400 %", NARROW],
    ] as const)
      it(`have no violations and no sideways scrolling: ${name}, ${view}`, async () => {
        for (const address of [path, `/en${path}`]) {
          const { page, problems } = await browser.open(world.url + address, options);
          assert.deepEqual(await violationsOn(page), []);
          assert.equal(await isScrolledSideways(page), false);
          assert.deepEqual(
            problems.filter((problem) => name !== "unknown" || !problem.includes("404")),
            [],
          );
          await page.close();
        }
      });

  it("are printed with the address and its QR code, which the screen does not show", async () => {
    const { page, problems } = await browser.open(`${world.url}${paths.awarded}`, DESK);
    const image = page.locator(".paper-address img");
    assert.equal(await image.isVisible(), false);
    await page.emulateMedia({ media: "print" });
    assert.equal(await image.isVisible(), true);
    assert.ok((await page.evaluate<number>("document.querySelector('.paper-address img').naturalWidth")) > 0);
    assert.equal(await page.locator(".menu").isVisible(), false);
    assert.deepEqual(problems, []);
    await page.close();
  });

  it("open all entries of a long list without scripts, by the keyboard", async () => {
    const { page } = await withoutScripts.open(`${world.url}/en${paths["with 1,000 items"]}`, PHONE);
    const link = page.getByRole("link", { name: /^Show all 1,000/ });
    await link.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?show=items$/);
    await page.getByText("1–100 of 1,000").waitFor();
    await page.close();
  });
}
