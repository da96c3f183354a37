import assert from "node:assert/strict";
import { after, describe, it, test } from "node:test";
import { violationsOn } from "../support/axe.ts";
import { type BrowserSession, openBrowser } from "../support/browser.ts";
import { BROWSER_MISSING } from "../support/chromium.ts";
import { bidOf, cook, fullTender, publish, school } from "../support/examples.ts";
import { decideLast, passStandStill, reachQualification, signContract } from "../support/procedure.ts";
import { expectStatus, openWorld, type World } from "../support/world.ts";

// Statistics, profiles and the calendar in a browser, with texts and amounts that are hard to show.

if (BROWSER_MISSING) test("statistics in a browser", { skip: BROWSER_MISSING }, () => {});
else describe("statistics, profiles and the calendar in a browser", inBrowser);

const PHONE = { width: 360, height: 800 };
const DESK = { width: 1280, height: 900 };
/** A window of 1280 pixels at a zoom of 400 %. */
const NARROW = { width: 320, height: 256 };
const HOSTILE = `<script>alert(1)</script><b>"'& \u202etxet ${"безпробілів".repeat(30)}`;
const HUGE = "9".repeat(25);
const BUYER = { ...school, name: HOSTILE, name_en: HOSTILE, identifier: { scheme: "UA-EDR", id: HOSTILE } };
const SUPPLIER = { ...cook, name: HOSTILE, identifier: { scheme: "UA-EDR", id: HOSTILE } };

/** The address of a profile with a hostile id, which is cut as keys are. */
const profileOf = (folder: string): string =>
  `/${folder}/${encodeURIComponent(`UA-EDR-${HOSTILE}`.slice(0, 200).toWellFormed())}`;

/** A tender with a signed contract, huge amounts in another currency, and many deadlines on one day. */
async function fill(world: World): Promise<void> {
  const overrides = { procuringEntity: BUYER, title: HOSTILE, title_en: HOSTILE };
  const story = await reachQualification(world, [bidOf(400000, { tenderers: [SUPPLIER] }), bidOf(450000)], overrides);
  await decideLast(story, "active");
  await passStandStill(story);
  expectStatus(200, await signContract(story));
  const tender = { ...fullTender(world.clock.now), ...overrides };
  const huge = { currency: "<b>", valueAddedTaxIncluded: true };
  await publish(world.api("2.5"), {
    ...tender,
    value: { ...huge, amount: HUGE },
    minimalStep: { ...huge, amount: "1" },
  });
  for (let i = 0; i < 15; i++) await publish(world.api("2.5"), tender);
}

async function inBrowser(): Promise<void> {
  const world = await openWorld();
  const browser: BrowserSession = await openBrowser();
  const withoutScripts: BrowserSession = await openBrowser({ scripts: false });
  after(async () => {
    await browser.close();
    await withoutScripts.close();
    await world.stop();
  });
  await fill(world);
  const day = new Date(world.clock.now / 1000 + 14 * 86_400_000).toISOString().slice(0, 10);
  const paths = [
    "/statistics",
    profileOf("buyers"),
    profileOf("suppliers"),
    `/calendar?month=${day.slice(0, 7)}`,
    `/calendar?day=${day}`,
    "/calendar?week=2026-W53",
  ];

  for (const [view, options] of [
    ["on a phone", PHONE],
    ["on a desk, dark", { ...DESK, dark: true }],
    ["at a zoom of 400 %", NARROW],
  ] as const)
    it(`have no violations and no sideways scrolling ${view}`, async () => {
      for (const path of [...paths, ...paths.map((localised) => `/en${localised}`)]) {
        const { page, problems } = await browser.open(world.url + path, options);
        await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
        assert.deepEqual(await violationsOn(page), [], path);
        const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert.equal(await page.evaluate<number>(overflow), 0, path);
        assert.deepEqual(problems, [], path);
        await page.close();
      }
    });

  it("are used with the keyboard and without scripts: another period, a table, another month", async () => {
    const { page, problems } = await withoutScripts.open(`${world.url}/en/statistics`, DESK);
    await page.getByLabel("From month").fill("2026-11");
    await page.keyboard.press("Enter");
    await page.waitForURL(/from=2026-11/);
    const summary = page.getByText("Table: By month", { exact: true });
    await summary.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("rowheader", { name: "November 2026" }).first().waitFor();
    await page.getByRole("link", { name: "Calendar" }).first().click();
    await page.getByRole("link", { name: /^Later/ }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/month=/);
    assert.deepEqual(problems, []);
    await page.close();
  });
}
