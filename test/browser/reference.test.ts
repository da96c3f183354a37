import assert from "node:assert/strict";
import { after, describe, it, test } from "node:test";
import { type BrowserSession, openBrowser } from "../support/browser.ts";
import { BROWSER_MISSING } from "../support/chromium.ts";
import { openWorld } from "../support/world.ts";

if (BROWSER_MISSING) test("the reference in a browser", { skip: BROWSER_MISSING }, () => {});
else describe("the reference in a browser", inBrowser);

const WINDOW = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

async function inBrowser(): Promise<void> {
  const world = await openWorld({}, true);
  const browser: BrowserSession = await openBrowser();
  after(async () => {
    await browser.close();
    await world.stop();
  });
  const overview = `${world.url}/docs/api/2.5`;
  const tenders = `${overview}/tenders`;

  it("filters operations as the reader types", async () => {
    const { page, problems: wrong } = await browser.open(overview);
    await page.locator("#search").fill("post bids");
    await page.locator("#post_tenders_tender_id_bids").waitFor({ state: "visible" });
    assert.equal(await page.locator("#get_tenders").isVisible(), false);
    assert.match(await page.locator("#found").innerText(), /^\d+ of \d+ match$/);
    await page.locator("#search").fill("");
    assert.equal(await page.locator("#get_tenders").isVisible(), true);
    assert.deepEqual(wrong, []);
    await page.close();
  });

  it("redirects old anchors to the page that has the operation", async () => {
    const { page, problems: wrong } = await browser.open(`${overview}#post_tenders_tender_id_bids`);
    await page.waitForURL(`${overview}/bids#post_tenders_tender_id_bids`);
    assert.equal(await page.locator("#post_tenders_tender_id_bids h2").isVisible(), true);
    await page.goto(`${overview}#schema-Value`);
    await page.waitForURL(`${overview}/types#schema-Value`);
    assert.deepEqual(wrong, []);
    await page.close();
  });

  it("shows one sample at a time in the chosen language, on the next page too, and copies it", async () => {
    const { page, problems: wrong } = await browser.open(tenders);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: world.url });
    const shown = (id: string) => page.locator(`#${id} .samples pre:visible`);
    assert.match(await shown("post_tenders").innerText(), /^curl /);
    await page.locator("#post_tenders .samples").getByLabel("Python").check();
    assert.match(await shown("post_tenders").innerText(), /^import json/);
    assert.match(await shown("patch_tenders_tender_id").innerText(), /^import json/);
    await page.locator("#post_tenders .samples button").click();
    assert.equal(
      await page.evaluate("navigator.clipboard.readText()"),
      await page.locator("#post_tenders .samples [data-language=python]").textContent(),
    );
    await page.goto(`${overview}/bids`);
    assert.equal(await shown("post_tenders_tender_id_bids").count(), 1);
    assert.match(await shown("post_tenders_tender_id_bids").innerText(), /^import json/);
    await page.evaluate("localStorage.clear()");
    assert.deepEqual(wrong, []);
    await page.close();
  });

  it("keeps its navigation in view with the current operation, beside the text on a desktop and above it on a phone", async () => {
    const { page } = await browser.open(`${overview}/bids#patch_tenders_tender_id_bids_bid_id`);
    const link = page.locator('#contents .operations a[href="#patch_tenders_tender_id_bids_bid_id"][aria-current]');
    await link.waitFor();
    const { y, height } = (await link.boundingBox())!;
    assert.ok(y >= 0 && y + height <= WINDOW.height, `${y}`);
    const [explained, shown] = await Promise.all(
      ["explained", "shown"].map((part) => page.locator(`#post_tenders_tender_id_bids .${part}`).boundingBox()),
    );
    assert.ok(shown!.x > explained!.x + explained!.width, "side by side");
    await page.setViewportSize(PHONE);
    await page.locator(".jump > summary").click();
    await page.locator('.jump a[href="#delete_tenders_tender_id_bids_bid_id"]').click();
    assert.equal(new URL(page.url()).hash, "#delete_tenders_tender_id_bids_bid_id");
    assert.equal(await page.locator(".jump nav").isVisible(), false);
    assert.equal((await page.locator(".jump").boundingBox())!.y, 0);
    const below = await Promise.all(
      ["explained", "shown"].map((part) => page.locator(`#post_tenders_tender_id_bids .${part}`).boundingBox()),
    );
    assert.ok(below[1]!.y >= below[0]!.y + below[0]!.height, "one below the other");
    await page.close();
  });

  it("opens a type where it is mentioned, from any page, and closes it again", async () => {
    const { page, problems: wrong } = await browser.open(`${tenders}#post_tenders`);
    const plus = page.locator("#post_tenders .open-type").first();
    await plus.click();
    const nested = page.locator("#post_tenders .nested").first();
    assert.match(await nested.innerText(), /procuringEntity/);
    await nested.getByLabel("Fields of Value").first().click();
    await nested.locator(".nested").first().waitFor();
    assert.match(await nested.locator(".nested").first().innerText(), /currency/);
    await plus.click();
    assert.equal(await page.locator("#post_tenders .nested").count(), 0);
    assert.deepEqual(wrong, []);
    await page.close();
  });

  it("is complete without scripts: samples by tabs, links between pages, no empty forms", async () => {
    const { page } = await browser.open(`${world.url}/docs`);
    await page.route("**/*.js?*", (route) => route.abort());
    await page.goto(`${overview}/bids`);
    const sample = page.locator("#post_tenders_tender_id_bids .samples");
    assert.match(await sample.locator("pre:visible").innerText(), /^curl /);
    await sample.getByLabel("TypeScript").check();
    assert.match(await sample.locator("pre:visible").innerText(), /^import \{ openClient \}/);
    assert.equal(await page.locator("button").count(), 0);
    assert.equal(await page.locator('#contents .resources [aria-current="page"]', { hasText: /^Bids$/ }).count(), 1);
    await page.locator("#contents .resources a", { hasText: /^Awards$/ }).click();
    await page.waitForURL(`${overview}/awards`);
    await page.goto(`${overview}#post_tenders_tender_id_bids`);
    await page.locator("#post_tenders_tender_id_bids a").click();
    await page.waitForURL(`${overview}/bids#post_tenders_tender_id_bids`);
    await page.close();
  });
}
