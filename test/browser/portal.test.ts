import assert from "node:assert/strict";
import { after, describe, it, test } from "node:test";
import { darkViolationsOn, violationsOn } from "../support/axe.ts";
import { type BrowserSession, openBrowser, overflowOf } from "../support/browser.ts";
import { BROWSER_MISSING } from "../support/chromium.ts";
import { type NamedPage, portalPages } from "../support/pagesToLookAt.ts";
import { populate } from "../support/populatedRegistry.ts";
import { openWorld, type World } from "../support/world.ts";

/** Every kind of page of the portal in a browser: with and without scripts, on a phone and on a desk, light and dark. */

if (BROWSER_MISSING) test("the portal in a browser", { skip: BROWSER_MISSING }, () => {});
else {
  const world = await openWorld();
  await populate(world);
  const pages = await portalPages(world.url);
  describe("the portal in a browser", () => inBrowser(world, pages));
}

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };
/** A window of 1280 pixels at a zoom of 400 %. */
const NARROW = { width: 320, height: 512 };

/** Pages whose status is 4xx, which the console reports. */
const REFUSED_PAGES: readonly string[] = ["not-found", "search-wrong", "search-names"];

const unexpected = (problems: readonly string[], name: string): readonly string[] =>
  problems.filter((problem) => !REFUSED_PAGES.includes(name) || !/status of 40/.test(problem));

async function inBrowser(world: World, pages: readonly NamedPage[]): Promise<void> {
  const browser: BrowserSession = await openBrowser();
  const withoutScripts: BrowserSession = await openBrowser({ scripts: false });
  after(async () => {
    await browser.close();
    await withoutScripts.close();
    await world.stop();
  });

  for (const { name, path } of pages) {
    it(`${name}: axe finds nothing in both languages and sizes, light and dark, with scripts and without`, async () => {
      for (const address of [path, `/en${path === "/" ? "" : path}`]) {
        const plain = await withoutScripts.open(world.url + address, PHONE);
        const scripted = await browser.open(world.url + address, PHONE);
        // A page that scripts leave as it is needs to be checked only once.
        const isStatic = (await plain.page.content()) === (await scripted.page.content());
        for (const { page } of isStatic ? [plain] : [plain, scripted])
          for (const view of [PHONE, DESK]) {
            await page.setViewportSize(view);
            const place = `${address} at ${view.width} pixels`;
            assert.deepEqual(await violationsOn(page), [], place);
            assert.deepEqual(await darkViolationsOn(page), [], `${place}, dark`);
          }
        for (const { page, problems } of [plain, scripted]) {
          await page.close();
          assert.deepEqual(unexpected(problems, name), [], address);
        }
      }
    });

    it(`${name}: nothing is cut off at 320 and 390 pixels, and everything is there without scripts`, async () => {
      const { page, problems } = await withoutScripts.open(world.url + path, NARROW);
      for (const size of [PHONE, NARROW]) {
        await page.setViewportSize(size);
        assert.equal(await overflowOf(page), 0, `${path} is wider than ${size.width} pixels`);
      }
      const text = (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");
      await page.close();
      const scripted = await browser.open(world.url + path, NARROW);
      const scriptedText = (await scripted.page.locator("main").innerText()).replaceAll(/\s+/g, " ");
      await scripted.page.close();
      assert.ok(text.length >= scriptedText.length * 0.9, "the page says less without scripts");
      assert.deepEqual(unexpected(problems, name), []);
    });
  }

  it("can be used with the keyboard alone: skip link, search, result, tender", async () => {
    const { page, problems } = await browser.open(`${world.url}/`, DESK);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement?.getAttribute('href')"), "#content");
    await page.keyboard.press("Enter");
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate("document.activeElement?.getAttribute('name') === 'q'")) break;
    }
    await page.keyboard.type("школа");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/tenders\?.*q=/);
    await page.locator("main a[href*='/tenders/']").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/tenders\/[^?]+$/);
    assert.deepEqual(problems, []);
    await page.close();
  });
}
