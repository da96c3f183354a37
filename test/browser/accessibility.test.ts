import assert from "node:assert/strict";
import { after, describe, it, test } from "node:test";
import { darkViolationsOn, violationsOn } from "../support/axe.ts";
import { type BrowserSession, openBrowser } from "../support/browser.ts";
import { BROWSER_MISSING } from "../support/chromium.ts";
import { openWorld } from "../support/world.ts";

/** Checks every kind of documentation page with axe: on a phone and on a desktop, in light and dark mode. */

if (BROWSER_MISSING) test("the accessibility of the documentation", { skip: BROWSER_MISSING }, () => {});
else describe("the accessibility of the documentation", inBrowser);

const WINDOWS = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } } as const;

const PAGES = [
  "/docs",
  "/docs/guides/bidding",
  "/docs/api/2.5",
  "/docs/api/2.5/tenders",
  "/docs/api/2.5/bids",
  "/docs/api/2.5/types",
  "/docs/api/0/bids",
  "/docs/api/site",
  "/docs/api/site/webhooks",
  "/docs/errors",
  "/docs/procedures",
  "/docs/procedures/belowThreshold",
  "/docs/client",
  "/docs/commands",
  "/docs/operations",
  "/docs/scale",
  "/docs/decisions",
  "/docs/decisions/0015-documentation",
  "/docs/nothing",
];

async function inBrowser(): Promise<void> {
  const world = await openWorld({}, true);
  const browser: BrowserSession = await openBrowser();
  after(async () => {
    await browser.close();
    await world.stop();
  });

  for (const path of PAGES)
    it(`has no axe violations at ${path}, on a phone and on a desktop`, async () => {
      for (const [name, view] of Object.entries(WINDOWS)) {
        const { page } = await browser.open(world.url + path, view);
        assert.deepEqual(await violationsOn(page), [], name);
        assert.deepEqual(await darkViolationsOn(page), [], `${name}, dark`);
        await page.close();
      }
    });

  it("has no axe violations in what scripts add: forms, responses, types, search", async () => {
    const { page } = await browser.open(`${world.url}/docs/api/2.5/tenders`, WINDOWS.desk);
    const operation = page.locator("#post_tenders");
    await operation.locator(".tryit > summary").click();
    await operation.locator("button.send").click();
    await operation.locator(".status.good").waitFor();
    await operation.locator(".open-type").first().click();
    await operation.locator(".nested").waitFor();
    await page.locator("#search-all").fill("bid");
    await page.locator(".found a").first().waitFor();
    assert.deepEqual(await violationsOn(page), []);
    await page.setViewportSize(WINDOWS.phone);
    await page.locator("#search-all").press("Escape");
    await page.locator(".jump > summary").click();
    assert.deepEqual(await violationsOn(page), []);
    await page.close();
  });

  it("is really checked: a planted violation is found", async () => {
    const { page } = await browser.open(`${world.url}/docs/api/2.5/bids`, WINDOWS.desk);
    await page.evaluate("document.querySelector('#contents').insertAdjacentHTML('beforeend', '<img src=\"x.png\">')");
    assert.match((await violationsOn(page)).join("\n"), /^image-alt/);
    await page.close();
  });
}
