import assert from "node:assert/strict";
import { after, describe, it, test } from "node:test";
import type { Page } from "playwright-core";
import { type BrowserSession, openBrowser } from "../support/browser.ts";
import { BROWSER_MISSING } from "../support/chromium.ts";
import { crawl, pagesOfOperations } from "../support/htmlPages.ts";
import { openWorld } from "../support/world.ts";

if (BROWSER_MISSING) test("the documentation in a browser", { skip: BROWSER_MISSING }, () => {});
else describe("the documentation in a browser", inBrowser);

const WINDOW = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };

async function inBrowser(): Promise<void> {
  const world = await openWorld({}, true);
  const browser: BrowserSession = await openBrowser();
  after(async () => {
    await browser.close();
    await world.stop();
  });
  const overview = `${world.url}/docs/api/2.5`;
  const tenders = `${overview}/tenders`;

  it("loads every page without an error, a warning or a request to another host", async () => {
    const { page, problems: wrong } = await browser.open(`${world.url}/docs`);
    for (const url of (await crawl(`${world.url}/docs`, `${world.url}/docs`)).keys()) {
      await page.goto(url);
      assert.ok(await page.locator("h1").isVisible(), url);
      assert.deepEqual(wrong, [], url);
    }
    await page.close();
  });

  it("fits the width of its window, on a phone and in dark mode too", async () => {
    const paths = [
      "",
      "/guides/bidding",
      "/api/2.5",
      "/api/2.5/tenders",
      "/errors",
      "/procedures/belowThreshold",
      "/operations",
    ];
    const { page, problems: wrong } = await browser.open(`${world.url}/docs`);
    for (const path of paths) {
      await page.goto(`${world.url}/docs${path}`);
      const operation = page.locator("#post_tenders .tryit > summary");
      if ((await operation.count()) > 0) await operation.click();
      for (const { width, height } of [WINDOW, PHONE])
        for (const colorScheme of ["light", "dark"] as const) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme });
          assert.ok(await fits(page), `${path} is wider than ${width}, ${colorScheme}`);
        }
    }
    assert.deepEqual(wrong, []);
    await page.close();
  });

  it("is dark if the reader prefers it", async () => {
    const lightness = async (dark?: true) => {
      const { page } = await browser.open(`${world.url}/docs`, { dark });
      const [paper, ink] = await page.evaluate(colours);
      await page.close();
      return { paper: sumOf(paper!), ink: sumOf(ink!) };
    };
    const [light, dark] = [await lightness(), await lightness(true)];
    assert.ok(light.paper > light.ink && dark.paper < dark.ink, JSON.stringify({ light, dark }));
  });

  it("publishes a tender from its console, remembers it, and reads it back", async () => {
    const { page, problems: wrong } = await browser.open(tenders);
    await page.locator("#post_tenders .tryit > summary").click();
    assert.equal(await page.locator("#post_tenders input[name=key]").inputValue(), "broker");
    await page.locator("#post_tenders button.send").click();
    await page.locator("#post_tenders .status.good").waitFor();
    assert.match(await page.locator("#post_tenders .status").innerText(), /^201/);
    const created = JSON.parse(await page.locator("#post_tenders .answer figure").last().innerText());

    await page.locator("#get_tenders_tender_id .tryit > summary").click();
    const id = page.locator('#get_tenders_tender_id input[name="path tender_id"]');
    assert.equal(await id.inputValue(), created.data.id);
    await page.locator("#get_tenders_tender_id button.send").click();
    await page.locator("#get_tenders_tender_id .status.good").waitFor();
    const read = JSON.parse(await page.locator("#get_tenders_tender_id .answer figure").last().innerText());
    assert.equal(read.data.title, created.data.title);

    await page.locator("#patch_tenders_tender_id .tryit > summary").click();
    assert.equal(await page.locator("#patch_tenders_tender_id input[name=token]").inputValue(), created.access.token);
    await page.locator("#patch_tenders_tender_id button.send").click();
    await page.locator("#patch_tenders_tender_id .status.good").waitFor();

    await page.goto(`${overview}/documents`);
    await page.locator("#post_tenders_tender_id_documents .tryit > summary").click();
    await page.locator("#post_tenders_tender_id_documents button.send").click();
    await page.locator("#post_tenders_tender_id_documents .status.good").waitFor();
    assert.deepEqual(wrong, []);
    await page.close();
  });

  it("keeps working with the tender created here, whatever was read since, and stores nothing in a dry run", async () => {
    const { page, problems: wrong } = await browser.open(tenders);
    const send = async (operation: string) => {
      await page.locator(`#${operation} button.send`).click();
      await page.locator(`#${operation} .status.good`).waitFor();
      return JSON.parse(await page.locator(`#${operation} .answer figure`).last().innerText());
    };
    await page.locator("#post_tenders .tryit > summary").click();
    const own = await send("post_tenders");
    const { id: other } = (await world.api("2.3").post("/tenders", { title: "Somebody else's" })).body.data;
    await page.goto(world.url + (await pagesOfOperations(world.url, "2.5")).get("get_tenders"));
    await page.locator("#get_tenders .tryit > summary").click();
    await page.locator("#get_tenders .more > summary").click();
    await page.locator('#get_tenders input[name="query descending"]').fill("1");
    assert.equal((await send("get_tenders")).data[0].id, other);
    await page.goto(tenders);

    await page.locator("#patch_tenders_tender_id .tryit > summary").click();
    const patch = page.locator("#patch_tenders_tender_id");
    assert.equal(await patch.locator('input[name="path tender_id"]').inputValue(), own.data.id);
    assert.equal(await patch.locator("input[name=token]").inputValue(), own.access.token);
    await patch.locator("textarea").fill('{"data": {"title": "Rehearsed"}}');
    await patch.locator("input[type=checkbox]").check();
    assert.equal((await send("patch_tenders_tender_id")).data.title, "Rehearsed");
    const { body } = await world.api("2.5").get(`/tenders/${own.data.id}`);
    assert.equal(body.data.title, own.data.title);
    assert.deepEqual(wrong, []);
    await page.close();
  });

  it("shows a refusal unchanged", async () => {
    const { page } = await browser.open(tenders);
    await page.locator("#post_tenders .tryit > summary").click();
    await page.locator("#post_tenders textarea").fill('{"data": {}}');
    await page.locator("#post_tenders button.send").click();
    await page.locator("#post_tenders .status.bad").waitFor();
    assert.match(await page.locator("#post_tenders .answer").innerText(), /422[\s\S]*This field is required/);
    await page.close();
  });

  it("reports an unknown key, works with another one, and no longer offers the wrong one", async () => {
    const { page } = await browser.open(tenders);
    const form = page.locator("#post_tenders");
    await form.locator(".tryit > summary").click();
    await form.locator("input[name=key]").fill("wrong");
    await form.locator("button.send").click();
    await form.locator(".status.bad").waitFor();
    assert.match(await form.locator(".status").innerText(), /^401/);
    assert.equal(await form.locator("button.send").isDisabled(), false);
    await page.locator("#get_tenders_tender_id .tryit > summary").click();
    assert.equal(await page.locator("#get_tenders_tender_id input[name=key]").inputValue(), "broker");
    await form.locator("input[name=key]").fill("broker");
    await form.locator("button.send").click();
    await form.locator(".status.good").waitFor();
    await page.close();
  });

  it("sends on Ctrl+Enter, shows numbers as they were sent, and links a refusal to its explanation", async () => {
    const { page } = await browser.open(tenders);
    const form = page.locator("#post_tenders");
    const answer = form.locator(".answer figure").last();
    await form.locator(".tryit > summary").click();
    await form.locator("textarea").press("Control+Enter");
    await form.locator(".status.good").waitFor();
    const text = await answer.innerText();
    assert.match(text, /\n {6}"amount": 500000\.0,?\n/);
    const { body } = await world.api("2.5").get(`/tenders/${JSON.parse(text).data.id}`);
    assert.equal(JSON.parse(text).data.title, body.data.title);
    await form.locator("textarea").fill('{"data": {}}');
    await form.locator("textarea").press("Control+Enter");
    await form.locator(".status.bad").waitFor();
    const link = answer.locator("a").first();
    const [refusal] = JSON.parse(await answer.innerText()).errors;
    assert.equal(await link.getAttribute("href"), refusal.docs);
    await link.click();
    await page.locator(`[id="${refusal.rule}"]`).waitFor();
    await page.close();
  });

  it("offers to move a tender's clock if only time prevents a request, and sends it again", async () => {
    const { page } = await browser.open(`${world.url}/docs/api/site/test-clocks`);
    const send = async (operation: string, status: "good" | "bad") => {
      await page.locator(`#${operation} button.send`).click();
      await page.locator(`#${operation} .status.${status}`).waitFor();
    };
    await page.locator("#post_sandbox_clocks .tryit > summary").click();
    await send("post_sandbox_clocks", "good");
    await page.locator("#post_sandbox_clocks_clock_id_advance .tryit > summary").click();
    await send("post_sandbox_clocks_clock_id_advance", "good");
    const clock = await page.locator('#post_sandbox_clocks_clock_id_advance input[name="path clock_id"]').inputValue();

    await page.goto(tenders);
    await page.locator("#post_tenders .tryit > summary").click();
    await page.locator("#post_tenders .more > summary").click();
    await page.locator('#post_tenders input[name="header X-Test-Clock"]').fill(clock);
    await send("post_tenders", "good");
    await page.goto(`${overview}/bids`);
    await page.locator("#post_tenders_tender_id_bids .tryit > summary").click();
    await send("post_tenders_tender_id_bids", "bad");
    await page.locator("#post_tenders_tender_id_bids .move-clock").click();
    await page.locator("#post_tenders_tender_id_bids .status.good").waitFor();
    assert.match(await page.locator("#post_tenders_tender_id_bids .status").innerText(), /^201/);
    await page.close();
  });

  it("copies a file with the command that writes it, and marks the current page without moving anything", async () => {
    const { page, problems: wrong } = await browser.open(`${world.url}/docs/guides/following-the-feed`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: world.url });
    await page.locator('figure[data-file="follow.mjs"] button').click();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    assert.match(String(copied), /^cat > follow\.mjs <<'EOF'\nimport [\s\S]*\nEOF\n$/);
    const widths = async () =>
      (await page.evaluate("[...document.querySelectorAll('#contents a')].map((a) => a.offsetHeight)")) as number[];
    const here = await widths();
    await page.goto(`${world.url}/docs/guides/bidding`);
    assert.deepEqual(await widths(), here);
    assert.equal(
      await page.evaluate("getComputedStyle(document.querySelector('#contents [aria-current]')).fontWeight"),
      "400",
    );
    assert.deepEqual(wrong, []);
    await page.close();
  });

  it("shows a whole diagram on a desktop, and on a phone that there is more of it", async () => {
    const { page } = await browser.open(`${world.url}/docs/procedures/belowThreshold`);
    const room =
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.picture .scroll'))";
    assert.equal(await page.evaluate(room), 0);
    const letters =
      "(({ width, naturalWidth }) => (13 * width) / naturalWidth)(document.querySelector('.picture img'))";
    assert.ok(Number(await page.evaluate(letters)) >= 10, "its letters can be read");
    await page.setViewportSize(PHONE);
    assert.ok(Number(await page.evaluate(room)) > 0);
    assert.equal(await page.locator(".picture a").innerText(), "Open it in full size");
    await page.close();
  });

  it("finds text on any page, and opens the result by keyboard alone", async () => {
    const { page, problems: wrong } = await browser.open(`${world.url}/docs`);
    const search = page.locator("#search-all");
    for (const [typed, path] of [
      ["wrong-status", "/docs/errors#wrong-status"],
      ["standby nonsense", ""],
      ["hold the auction", "/docs/guides/bidding#6-hold-the-auction"],
      ["post webhooks create", "/docs/api/site/webhooks#post_webhooks"],
    ] as const) {
      await search.fill("");
      await search.pressSequentially(typed);
      if (path === "") await page.locator(".search-all.nothing").waitFor();
      else await page.locator(`.found a[href="${path}"]`).waitFor();
    }
    await search.fill("hold the auction");
    await page.locator('.found li:first-child a[href="/docs/guides/bidding#6-hold-the-auction"]').waitFor();
    await search.press("Enter");
    await page.waitForURL(/\/docs\/guides\/bidding#6-hold-the-auction$/);
    assert.deepEqual(wrong, []);
    await page.close();
  });

  it("wraps every terminal line, and lists the sections of a long page", async () => {
    const { page } = await browser.open(`${world.url}/docs/commands`);
    const cut = "[...document.querySelectorAll('.wraps')].filter((pre) => pre.scrollWidth > pre.clientWidth).length";
    for (const path of ["/commands", "/operations"])
      for (const { width, height } of [WINDOW, PHONE]) {
        await page.goto(`${world.url}/docs${path}`);
        await page.setViewportSize({ width, height });
        assert.ok((await page.locator(".wraps").count()) > 0);
        assert.equal(await page.evaluate(cut), 0, `${path} at ${width}`);
      }
    await page.locator(".on-page a", { hasText: "Metrics" }).click();
    assert.equal(new URL(page.url()).hash, "#metrics");
    await page.goto(`${world.url}/docs/guides/first-tender`);
    assert.equal(await page.locator(".on-page").count(), 0);
    await page.close();
  });

  it("prints text but no controls", async () => {
    const { page } = await browser.open(`${world.url}/docs/errors`);
    assert.equal(await page.locator("#search").isVisible(), true);
    await page.emulateMedia({ media: "print" });
    for (const part of ["#search", "#found", "#contents", ".next"])
      assert.equal(await page.locator(part).isVisible(), false, part);
    assert.equal(await page.locator("h1").isVisible(), true);
    await page.close();
  });

  it("is fully usable with a keyboard alone", async () => {
    const { page } = await browser.open(tenders);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(focused), "#content");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(focused), "#contents");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.closest('#contents') !== null"), true);
    await page.locator("#post_tenders .tryit > summary").focus();
    await page.keyboard.press("Enter");
    await page.locator("#post_tenders button.send").waitFor();
    const seen = new Set<string>();
    for (let i = 0; i < 40 && !seen.has("button send"); i++) {
      await page.keyboard.press("Tab");
      seen.add(await page.evaluate(focused));
    }
    assert.ok(seen.has("input key") && seen.has("textarea body") && seen.has("button send"), [...seen].join(", "));
    await page.keyboard.press("Enter");
    await page.locator("#post_tenders .status.good").waitFor();
    await page.close();
  });
}

const sumOf = (colour: string): number =>
  (colour.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, channel) => sum + Number(channel), 0);

const fits = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth");

/** These functions run in the page and are texts, because the globals of the browser are unknown here. */
const colours =
  "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]" as unknown as () => string[];
const focused =
  '(({ tagName, name, className, hash }) => hash || [tagName.toLowerCase(), name || className].join(" "))(document.activeElement)' as unknown as () => string;
