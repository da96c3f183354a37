import assert from "node:assert/strict";
import { after, describe, it, test } from "node:test";
import type { Page } from "playwright-core";
import type { AuctionState } from "../../src/domain/auctions/model.ts";
import { MINUTE, SECOND } from "../../src/domain/values/time.ts";
import { type AuctionServer, serveAuction } from "../support/auctionPages.ts";
import { AUCTION_START, type AuctionDriver, driveAuction, initialBid } from "../support/auctions.ts";
import { darkViolationsOn, violationsOn } from "../support/axe.ts";
import { type BrowserSession, openBrowser, type ViewOptions } from "../support/browser.ts";
import { BROWSER_MISSING } from "../support/chromium.ts";
import { waitUntil } from "../support/processes.ts";

/** The pages of an auction in a browser, served by a small server whose auction the test drives. */

if (BROWSER_MISSING) test("the pages of an auction in a browser", { skip: BROWSER_MISSING }, () => {});
else describe("the pages of an auction in a browser", inBrowser);

const PHONE = { width: 390, height: 844 };
/** A window of 1280 pixels at a zoom of 400 %. */
const NARROW = { width: 320, height: 256 };
const DESK = { width: 1280, height: 900 };
const BIDS = [initialBid("cheap", "4800", 1), initialBid("dear", "5000.5", 2)];
const DEAR: ViewOptions = { ...DESK, headers: { "x-bid": "dear" } };
const CHEAP: ViewOptions = { ...PHONE, headers: { "x-bid": "cheap" } };
const NAMES = [
  { bid: "cheap", name: "ТОВ «Дешево & <b>сердито</b>»" },
  { bid: "dear", name: "ФОП Коваленко" },
];

type Scene = {
  readonly auction: AuctionDriver;
  readonly server: AuctionServer;
  readonly url: string;
  /** Moves the auction so many minutes after its start, and tells the pages. */
  readonly goTo: (minutes: number) => void;
};

async function inBrowser(): Promise<void> {
  const browser: BrowserSession = await openBrowser();
  const withoutScripts: BrowserSession = await openBrowser({ scripts: false });
  const servers: AuctionServer[] = [];
  after(async () => {
    await browser.close();
    await withoutScripts.close();
    for (const server of servers) await server.stop();
  });

  /** The auction goes on from the state of the server, which has the prices that pages placed. */
  async function openScene(minutes: number, prepare: (auction: AuctionDriver) => void = () => {}): Promise<Scene> {
    const auction = driveAuction(BIDS);
    prepare(auction);
    const at = AUCTION_START + minutes * MINUTE;
    const server = await serveAuction(auction.goTo(minutes * MINUTE), at);
    servers.push(server);
    const goTo = (later: number) => server.advance(AUCTION_START + later * MINUTE);
    return { auction, server, url: `${server.url}/auctions/${auction.state().id}`, goTo };
  }

  async function openLive(url: string, view: ViewOptions) {
    const opened = await browser.open(url, view);
    await opened.page.locator("#connection[data-state=live]").waitFor();
    return opened;
  }

  it("lets two bidders and a watcher follow a whole auction live, each with what it may see", async () => {
    const { server, url, goTo } = await openScene(-1);
    const watcher = await openLive(url, DESK);
    const dear = await openLive(url, DEAR);
    const cheap = await openLive(url.replace("/auctions", "/en/auctions"), CHEAP);
    const pages = [watcher, dear, cheap];

    goTo(0);
    for (const { page } of pages) await page.locator(".offers tbody tr").nth(1).waitFor();
    assert.match(await textOf(watcher.page, "#stage-title"), /Пауза перед раундом 1/);
    assert.match(await textOf(cheap.page, "#auction-own"), /You are Bidder 2\..*Your next turn: round 1, at 11:07:00/s);

    goTo(5);
    await dear.page.locator("#BidsForm").waitFor();
    assert.match(await dear.page.title(), /^[12]:\d\d · Ваша черга! · UA-/);
    assert.match(await textOf(dear.page, "#announcer"), /^Ваша черга\. Найвища дозволена ціна: 4.990,50/);
    assert.equal(await watcher.page.locator("#BidsForm").count(), 0);
    assert.match(await textOf(watcher.page, "#stage-title"), /Раунд 1: черга — Учасник 1/);

    await dear.page.locator("#bid-amount-input").fill("4 700,25");
    assert.equal(await textOf(dear.page, "#bid-amount-words"), "чотири тисячі сімсот гривень 25 копійок");
    await dear.page.locator("#place-bid-button").click();
    await dear.page.locator("#cancel-bid-button").waitFor();
    assert.match(await textOf(dear.page, "#take-back-form"), /Прийнято: 4.700,25 грн/);
    assert.equal(server.state().unpublished?.amount, "4700.25");

    goTo(7);
    await cheap.page.locator("#BidsForm").waitFor();
    for (const { page } of pages) await page.locator('tr[data-bidder="1"] .movement.up').waitFor();
    assert.match(await textOf(watcher.page, ".offers tbody tr"), /^1.*Учасник 1.*4.700,25 грн.*−300,25 \(−6 %\)/s);
    assert.equal(await dear.page.locator("#BidsForm").count(), 0);
    assert.match(await textOf(dear.page, "#auction-own"), /Час вашої черги в раунді 2/);

    goTo(23);
    for (const { page } of pages) await page.locator(".winner").waitFor();
    assert.match(await textOf(watcher.page, "#auction-offers"), /Імена учасників буде показано/);
    server.send({ kind: "disclose names", names: NAMES });
    for (const { page } of pages) {
      await page.locator("#recompute-button").waitFor();
      assert.match(await textOf(page, ".winner"), /ФОП Коваленко/);
      assert.equal(await page.locator("#connection").getAttribute("data-state"), "over");
    }
    for (const { page, problems } of pages) {
      // A page that closes its stream is said to have failed to load it.
      assert.deepEqual(
        problems.filter((problem) => !problem.endsWith("/events")),
        [],
      );
      await page.close();
    }
  });

  it("shows a price that was not published in no window of others, at no moment", async () => {
    const { url, goTo } = await openScene(5.5);
    const { page: dear } = await openLive(url, DEAR);
    const { page: cheap } = await openLive(url, CHEAP);
    const { page: watcher } = await openLive(url, DESK);
    const others = [cheap, watcher];
    for (const page of others) await page.evaluate(COLLECT_CHANGES);
    for (const amount of ["4321", "4322"]) {
      await dear.locator("#bid-amount-input").fill(amount);
      await dear.locator("#place-bid-button").click();
      await dear.locator("#take-back-form", { hasText: new RegExp(`${amount[0]}.${amount.slice(1)},00`) }).waitFor();
    }
    goTo(7);
    for (const page of others) {
      await page.locator(".offers .price", { hasText: /4.322,00/ }).waitFor();
      const changes = String(await page.evaluate("window.collectedChanges.join()"));
      assert.match(changes, /4.322,00/);
      assert.doesNotMatch(changes, /4.?321/);
    }
    for (const page of [dear, ...others]) await page.close();
  });

  it("is usable by keyboard alone: steps, a confirmed low price, changing it, taking it back", async () => {
    const { server, url } = await openScene(5.5);
    const { page, problems } = await openLive(`${url.replace("/auctions", "/en/auctions")}`, DEAR);
    await page.keyboard.press("Tab");
    assert.equal(await focusedText(page), "Skip to the content");
    await page.keyboard.press("Enter");
    await tabTo(page, "bid-amount-input");
    await page.keyboard.press("Tab");
    assert.match(await focusedText(page), /^Use UAH.4,990\.50$/);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    assert.equal(await page.locator("#bid-amount-input").inputValue(), "4980.5");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("3000");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate("document.activeElement.id"), "bid-confirmed");
    assert.match(await textOf(page, "#bid-error"), /Confirm it if it is right/);
    assert.equal(server.state().unpublished, undefined);
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await page.locator("#cancel-bid-button").waitFor();
    assert.equal(server.state().unpublished?.amount, "3000");
    await page.locator("#edit-bid-button").focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate("document.activeElement.id"), "bid-amount-input");
    assert.equal(await page.locator("#bid-amount-input").inputValue(), "3000");
    await tabTo(page, "cancel-bid-button", "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.locator("#cancel-bid-button").waitFor({ state: "detached" });
    assert.equal(server.state().unpublished, undefined);
    assert.deepEqual(problems, []);
    await page.close();
  });

  it("sends a price once, however often the button is pressed, and can send the next", async () => {
    const { server, url } = await openScene(5.5);
    const { page } = await openLive(url, DEAR);
    await page.locator("#bid-amount-input").fill("4500");
    await page.evaluate("for (let i = 0; i < 10; i++) document.getElementById('place-bid-button').click()");
    await page.locator("#cancel-bid-button").waitFor();
    await page.locator("#bid-amount-input").fill("4400");
    await page.locator("#place-bid-button").click();
    await page.locator("#take-back-form", { hasText: /4.400,00/ }).waitFor();
    const placed = server
      .state()
      .inputs.flatMap(({ command }) => (command.kind === "place price" ? [command.amount] : []));
    assert.deepEqual(placed, ["4500", "4400"]);
    await page.close();
  });

  it("shows the state of the connection and the time left wherever the page is scrolled to", async () => {
    const { url } = await openScene(5.5);
    const { page } = await openLive(url, { ...PHONE, headers: { "x-bid": "dear" } });
    await page.locator("footer").scrollIntoViewIfNeeded();
    await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
    const box = await page.locator("#connection").boundingBox();
    assert.ok(box && box.y >= 0 && box.y < 20, JSON.stringify(box));
    assert.match(await textOf(page, "#countdown-small"), /^[01]:\d\d$/);
    // What gets the focus is not covered by it.
    await page.locator("#bid-amount-input").focus();
    const input = await page.locator("#bid-amount-input").boundingBox();
    assert.ok(input && input.y >= (box?.height ?? 0), JSON.stringify(input));
    await page.close();
  });

  it("says why a price is refused, and clears the form", async () => {
    const { url, goTo } = await openScene(5.5);
    const { page } = await openLive(url, DEAR);
    const place = async (amount: string) => {
      await page.locator("#bid-amount-input").fill(amount);
      await page.locator("#place-bid-button").click();
    };
    await place("many");
    assert.match(await textOf(page, "#bid-error"), /Введіть ціну цифрами/);
    for (const [amount, text] of [
      ["5000", /Ціна завелика/],
      ["4000.123", /щонайбільше два знаки/],
      ["0", /більшою за нуль/],
    ] as const) {
      await place(amount);
      await page.locator("#bid-error", { hasText: text }).waitFor();
    }
    await page.locator("#clear-bid-button").click();
    assert.equal(await page.locator("#bid-amount-input").inputValue(), "");
    assert.equal(await textOf(page, "#bid-error"), "");
    goTo(7);
    await page.locator("#BidsForm").waitFor({ state: "detached" });
    assert.match(await textOf(page, "#announcer"), /Учасник 1: ціна без змін\.|Ваша черга завершилася\./);
    await page.close();
  });

  it("keeps what a bidder types when something else changes", async () => {
    const { server, url } = await openScene(5.5);
    const { page } = await openLive(url, DEAR);
    await page.locator("#bid-amount-input").fill("4500");
    // The same bidder places a price in another window.
    const { page: otherWindow } = await openLive(url, DEAR);
    await otherWindow.locator("#bid-amount-input").fill("4600");
    await otherWindow.locator("#place-bid-button").click();
    await page.locator("#cancel-bid-button").waitFor();
    assert.equal(await page.locator("#bid-amount-input").inputValue(), "4500");
    assert.equal(await page.evaluate("document.activeElement.id"), "bid-amount-input");
    assert.equal(server.state().unpublished?.amount, "4600");
    await page.close();
    await otherWindow.close();
  });

  it("shows that the connection is lost, and catches up when it is back", async () => {
    const { server, url, goTo } = await openScene(1);
    const { page } = await openLive(url, DESK);
    server.refuseStreams(true);
    await page.locator("#connection[data-state=lost]").waitFor();
    assert.match(await textOf(page, "#connection"), /Зв’язок втрачено/);
    goTo(7);
    server.refuseStreams(false);
    await page.locator("#connection[data-state=live]").waitFor();
    await page.locator("#stage-title", { hasText: "черга — Учасник 2" }).waitFor();
    await page.close();
  });

  it("connects again when a stage should have ended and nothing is reported", async () => {
    const auction = driveAuction(BIDS);
    // The service is late: the turn ended two seconds ago.
    const server = await serveAuction(auction.goTo(6 * MINUTE), AUCTION_START + 7 * MINUTE + 2 * SECOND);
    servers.push(server);
    const { page } = await openLive(`${server.url}/auctions/${auction.state().id}`, DESK);
    assert.equal(await textOf(page, "#countdown"), "0:00");
    await waitUntil(
      () => server.streamsOpened() >= 2,
      () => "the page has not connected again",
    );
    server.advance(AUCTION_START + 7 * MINUTE + 20 * SECOND);
    await page.locator("#stage-title", { hasText: "Учасник 2" }).waitFor();
    await page.close();
  });

  it("counts by the time of the auction, and says that the clock of the device is wrong", async () => {
    const { url } = await openScene(6);
    const { page } = await openLive(url, DESK);
    const shown = await textOf(page, "#countdown");
    assert.match(shown, /^(1:00|0:5\d)$/);
    await page.locator("#countdown", { hasNotText: shown }).waitFor();
    assert.match(await textOf(page, "#clock-note"), /Годинник вашого пристрою/);
    await page.close();
  });

  it("recomputes the result in the browser, and shows a changed byte", async () => {
    const { server, url } = await openScene(24, (auction) => {
      auction.place(5 * MINUTE + SECOND, "dear", "4700.25");
      auction.goTo(24 * MINUTE);
      auction.send(24 * MINUTE, { kind: "disclose names", names: NAMES });
    });
    const { page, problems } = await browser.open(url, DESK);
    const verdict = page.locator(".verdict").first();
    await page.locator("#recompute-button").click();
    await verdict.waitFor();
    assert.equal(await verdict.innerText(), "Усе збігається: обчислено 6 черг, розбіжностей немає.");
    assert.equal(await page.locator("tr.same").count(), 6);

    server.changeRecord((text) => text.replace('"amount": "4700.25"', '"amount": "4700.26"'));
    await page.locator("#recompute-button").click();
    await page.locator(".verdict.bad").first().waitFor();
    assert.match(await textOf(page, "#replay-result"), /outcome\.stages\[1\]\.result\.amount"4700\.25""4700\.26"/);
    assert.ok((await page.locator("tr.differs").count()) > 0);

    server.changeRecord((text) => `${text} `);
    await page.locator("#recompute-button").click();
    await page.locator(".verdict.bad", { hasText: "1 розбіжність" }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  it("works without scripts: a price is placed, confirmed, changed and taken back by forms", async () => {
    const { server, url } = await openScene(5.5);
    const { page } = await withoutScripts.open(url, { ...PHONE, headers: { "x-bid": "dear" } });
    assert.match(await textOf(page, "#connection"), /Оновлення наживо вимкнено.*Сторінка сама оновиться/s);
    assert.equal(await page.locator("#bid-steps").isVisible(), false);
    const place = async (amount: string) => {
      await page.locator("#bid-amount-input").fill(amount);
      await page.locator("#place-bid-button").click();
    };
    await place("5000");
    assert.match(await textOf(page, "#bid-error"), /Ціну не прийнято\. Ціна завелика/);
    await place("3000");
    assert.match(await textOf(page, "#bid-error"), /Підтвердьте/);
    assert.equal(await page.locator("#bid-amount-input").inputValue(), "3000");
    // The confirmation is for 3000: another amount needs its own.
    await page.locator("#bid-confirmed").check();
    await place("300");
    assert.match(await textOf(page, "#confirm-box"), /300,00/);
    assert.equal(server.state().unpublished, undefined);
    await page.locator("#bid-confirmed").check();
    await page.locator("#place-bid-button").click();
    assert.match(await textOf(page, "#take-back-form"), /Прийнято: 300,00 грн.*триста гривень/s);
    assert.equal(page.url(), url);
    await page.locator("#cancel-bid-button").click();
    assert.equal(await page.locator("#cancel-bid-button").count(), 0);
    assert.equal(server.state().unpublished, undefined);
    await page.close();
  });

  it("reloads itself without scripts when the stage ends", async () => {
    const { server, url, goTo } = await openScene(6.99);
    const { page } = await withoutScripts.open(url, DESK);
    assert.match(await textOf(page, "#stage-title"), /Учасник 1/);
    goTo(7);
    await page.locator("#stage-title", { hasText: "Учасник 2" }).waitFor();
    assert.equal(server.state().current, 2);
    await page.close();
  });

  /** States with everything that a page can show. */
  const STATES: { readonly [name: string]: (auction: AuctionDriver) => AuctionState } = {
    planned: (auction) => auction.goTo(-5 * MINUTE),
    "first pause": (auction) => auction.goTo(MINUTE),
    "own turn": (auction) => auction.place(5 * MINUTE, "dear", "4000"),
    "another's turn": (auction) => {
      auction.place(5 * MINUTE, "dear", "4000");
      return auction.goTo(8 * MINUTE);
    },
    results: (auction) => {
      auction.place(5 * MINUTE, "dear", "4000");
      auction.goTo(24 * MINUTE);
      return auction.send(24 * MINUTE, { kind: "disclose names", names: NAMES });
    },
    cancelled: (auction) => auction.send(MINUTE, { kind: "cancel" }),
  };

  for (const [name, reach] of Object.entries(STATES))
    it(`has no axe violations and fits its window: ${name}`, async () => {
      const auction = driveAuction(BIDS);
      const state = reach(auction);
      const server = await serveAuction(state, state.at);
      servers.push(server);
      for (const path of [`/auctions/${state.id}`, `/en/auctions/${state.id}`]) {
        const { page, problems } = await browser.open(server.url + path, { headers: { "x-bid": "dear" } });
        await page.locator("#connection:is([data-state=live], [data-state=over])").waitFor();
        if (name === "own turn") await page.locator("#bid-amount-input").fill("1000");
        if (name === "results") await page.locator("#recompute-button").click();
        if (name === "results") await page.locator(".verdict").first().waitFor();
        await checkViews(page, path);
        assert.deepEqual(problems, []);
        await page.close();
        const plain = await withoutScripts.open(server.url + path, { headers: { "x-bid": "dear" } });
        // WCAG 2.2.1 exempts events in real time, such as auctions, and /accessibility says so; axe knows no exemption.
        const reload = !["results", "cancelled"].includes(name)
          ? /^meta-refresh \(critical\): <meta [^>]*>$/
          : undefined;
        await checkViews(plain.page, `${path} without scripts`, reload);
        // The browser refuses to load scripts.
        const problemsOfPage = plain.problems.filter((problem) => !/^failed: \S+\.js$/.test(problem));
        assert.deepEqual(problemsOfPage, []);
        await plain.page.close();
      }
    });

  it("has no axe violations on the list of auctions, which fits its window", async () => {
    const { server } = await openScene(1);
    for (const path of ["/auctions", "/en/auctions"])
      for (const session of [browser, withoutScripts]) {
        const { page, problems } = await session.open(server.url + path);
        await checkViews(page, path);
        assert.deepEqual(problems, []);
        await page.close();
      }
  });
}

/**
 * Asserts that axe finds nothing on a phone and on a desk, light and dark, except for one `known` violation, and that the page fits
 * every window.
 */
async function checkViews(page: Page, place: string, known?: RegExp): Promise<void> {
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size);
    const violations = await violationsOn(page);
    const isKnown = (violation: string): boolean => known?.test(violation) === true;
    assert.deepEqual(
      violations.filter((violation) => !isKnown(violation)),
      [],
      `${place} at ${size.width} pixels`,
    );
    assert.equal(violations.some(isKnown), known !== undefined, `${place}: the known violation`);
    assert.deepEqual(await darkViolationsOn(page), [], `${place} at ${size.width} pixels, dark`);
    assert.ok(await fits(page), `${place} is wider than ${size.width} pixels`);
  }
  await page.setViewportSize(NARROW);
  assert.ok(await fits(page), `${place} is wider than ${NARROW.width} pixels`);
}

/** The text of the first element, with plain spaces. */
const textOf = async (page: Page, selector: string): Promise<string> =>
  ((await page.locator(selector).first().textContent()) ?? "").replace(/\s+/g, " ").trim();

/** Collects every text that is added to the page from now on. */
const COLLECT_CHANGES = `
  window.collectedChanges = [];
  new MutationObserver((mutations) => {
    for (const { target } of mutations) window.collectedChanges.push(target.textContent);
  }).observe(document.documentElement, { childList: true, characterData: true, subtree: true });`;

const focusedText = async (page: Page): Promise<string> =>
  String(await page.evaluate("document.activeElement.textContent"));

/** Presses the key until the element has the focus. */
async function tabTo(page: Page, id: string, key = "Tab"): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if ((await page.evaluate("document.activeElement.id")) === id) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${id} cannot be reached by ${key}`);
}

const fits = async (page: Page): Promise<boolean> =>
  Boolean(await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"));
