import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HOSTILE_TITLE, listOf, pageOf, TENDER } from "../../../test/support/auctionPages.ts";
import { AUCTION_START, driveAuction, initialBid } from "../../../test/support/auctions.ts";
import type { AuctionAudience } from "../../domain/auctions/events.ts";
import type { AuctionState } from "../../domain/auctions/model.ts";
import { AUCTION_PHASES, type AuctionPhase, phaseOf } from "../../domain/auctions/phases.ts";
import { decimal } from "../../domain/values/decimal.ts";
import { MINUTE, SECOND } from "../../domain/values/time.ts";
import { cachedBodyText } from "../../http/responses.ts";
import { LANGUAGES, type Language } from "../layout/languages.ts";
import { escapeHtml } from "../markup.ts";
import { type AuctionList, auctionListResponse } from "./auctionList.ts";
import { type AuctionPage, auctionPageResponse, renderAuctionPage } from "./auctionPage.ts";

const ORIGIN = "https://tenders.example";
const BIDS = [
  initialBid("cheap", "4800", 1),
  initialBid("dear", "5000.5", 2),
  initialBid("weighted", "5100", 3, "20/17"),
];
/** The bidder who has the first turn, since the others' offers are better. */
const FIRST: AuctionAudience = { bid: "dear" };
const HOSTILE_NAME = `ТОВ "<img src=x onerror=alert(1)>"`;
const NAMES = BIDS.map(({ id }) => ({ bid: id, name: `${HOSTILE_NAME} ${id}` }));

type Scene = { readonly state: AuctionState; readonly now: number };

/** An auction in every phase. In its turns, prices are placed that others must not see. */
function sceneIn(phase: AuctionPhase): Scene {
  const auction = driveAuction(BIDS, { hasFeatures: true });
  const after = {
    planned: -5,
    pause: 1,
    turn: 6,
    "pre-announcement": 28,
    announcement: 30,
    interrupted: 7,
    cancelled: 1,
  };
  const now = AUCTION_START + after[phase] * MINUTE;
  if (phase === "cancelled") auction.send(MINUTE, { kind: "cancel" });
  if (phase === "turn") auction.place(6 * MINUTE, "dear", "4321.99");
  if (phase === "interrupted")
    auction.send(30 * MINUTE, {
      kind: "report interruption",
      from: AUCTION_START + 6 * MINUTE,
      until: AUCTION_START + 30 * MINUTE,
    });
  else auction.goTo(after[phase] * MINUTE);
  if (phase === "announcement") auction.send(31 * MINUTE, { kind: "disclose names", names: NAMES });
  assert.equal(phaseOf(auction.state()), phase);
  return { state: auction.state(), now };
}

const render = (scene: Scene, audience: AuctionAudience, language: Language, more: Partial<AuctionPage> = {}): string =>
  renderAuctionPage({ ...pageOf(scene.state, scene.now, audience, ORIGIN), ...more }, language);

/** The page without the element whose content is JSON. */
const visibleOf = (page: string): string => page.replace(/<script type="application\/json".*?<\/script>/s, "");

describe("the page of an auction", () => {
  for (const phase of AUCTION_PHASES)
    for (const language of LANGUAGES)
      it(`shows texts of users as text: ${phase}, ${language}`, () => {
        for (const audience of ["everyone", FIRST] as const) {
          const page = render(sceneIn(phase), audience, language, { lot: { id: "b", title: `"><svg onload=x>` } });
          assert.ok(page.includes(escapeHtml(HOSTILE_TITLE)));
          assert.ok(page.includes(escapeHtml(TENDER.buyer)));
          assert.doesNotMatch(page, /<script>alert|<b>|<img|<svg|undefined|\[object|NaN/);
          assert.match(page, new RegExp(`^<!doctype html>\n<html lang="${language}">`));
          // Every element that is opened is closed, so no part can swallow the next one.
          for (const tag of ["section", "div", "p", "span", "table", "tr", "td", "th", "ol", "li", "form", "script"])
            assert.equal(page.split(new RegExp(`<${tag}[ >]`)).length, page.split(`</${tag}>`).length, `<${tag}>`);
        }
      });

  it("has its ids once, in every phase", () => {
    for (const phase of AUCTION_PHASES)
      for (const audience of ["everyone", FIRST] as const) {
        const ids: readonly unknown[] = [...render(sceneIn(phase), audience, "en").matchAll(/ id="([^"]+)"/g)].map(
          ([, id]) => id,
        );
        assert.deepEqual(ids, [...new Set(ids)], phase);
      }
  });

  it("shows an unpublished price to its bidder only", () => {
    const scene = sceneIn("turn");
    for (const audience of ["everyone", { bid: "cheap" }] as const)
      assert.doesNotMatch(render(scene, audience, "en").replaceAll(/[,\s]/g, ""), /4321/);
    assert.match(render(scene, FIRST, "en"), /Accepted: UAH\u00a04,321\.99/);
  });

  it("has names and the button to recompute only once they are public", () => {
    for (const phase of AUCTION_PHASES.filter((name) => name !== "announcement"))
      assert.doesNotMatch(render(sceneIn(phase), "everyone", "en"), /ТОВ|recompute-button/, phase);
    const page = render(sceneIn("announcement"), "everyone", "en");
    assert.ok(page.includes(escapeHtml(`${HOSTILE_NAME} cheap`)));
    assert.match(page, /recompute-button/);
    assert.match(page, /tenderhall auction replay https:\/\/tenders\.example\/api\/[\d.]+\/auctions\/a+\/record/);
  });

  it("offers the form with the ids that programs look for in the own turn, and at no other time", () => {
    const ids = ["BidsForm", "bid-amount-input", "place-bid-button", "clear-bid-button", "max_bid_amount_price"];
    const afterPlacing = ["edit-bid-button", "cancel-bid-button"];
    const own = render(sceneIn("turn"), FIRST, "en");
    for (const id of [...ids, ...afterPlacing]) assert.match(own, new RegExp(` id="${id}"`));
    assert.match(own, /<form id="BidsForm" name="BidsForm" method="post" action="\/en\/auctions\/a+\/bids"/);
    assert.match(own, /id="max_bid_amount_price" data-amount="4990.5">UAH\u00a04,990.50</);
    const before = driveAuction(BIDS).goTo(5 * MINUTE);
    for (const id of afterPlacing)
      assert.doesNotMatch(render({ state: before, now: before.at }, FIRST, "en"), new RegExp(` id="${id}"`));
    const others = [render(sceneIn("turn"), { bid: "cheap" }, "en"), render(sceneIn("pause"), FIRST, "en")];
    for (const page of others) for (const id of ids) assert.doesNotMatch(page, new RegExp(` id="${id}"`));
  });

  it("says why a form was refused, keeps what was typed, and asks to confirm that amount", () => {
    const form = { amount: '3000,5"<', rule: "price-format" } as const;
    const invalid = render(sceneIn("turn"), FIRST, "en", { form });
    assert.match(invalid, /role="alert"><strong>The price was not accepted\.<\/strong> Enter the price in digits/);
    assert.match(invalid, /value="3000,5&quot;&lt;"[^>]* aria-invalid="true"/);
    assert.doesNotMatch(invalid, /bid-confirmed/);
    const unconfirmed = render(sceneIn("turn"), FIRST, "uk", { form: { amount: "3000,5", rule: "price-unconfirmed" } });
    assert.match(unconfirmed, /type="checkbox" id="bid-confirmed" name="confirmed" value="3000\.5"/);
    assert.match(unconfirmed, /три тисячі гривень 50 копійок/);
  });

  it("says when no lower price is possible", () => {
    const auction = driveAuction(BIDS, { minimalStep: decimal("6000") });
    const page = render({ state: auction.goTo(5 * MINUTE), now: AUCTION_START + 5 * MINUTE }, FIRST, "en");
    assert.match(page, /No lower price is possible/);
    assert.doesNotMatch(page, /BidsForm/);
  });

  it("reloads itself without scripts a moment after the stage ends, and not after the auction", () => {
    const scene = sceneIn("turn");
    const at = (now: number) => render({ ...scene, now }, "everyone", "uk");
    const reload = (seconds: number) =>
      new RegExp(`<noscript><meta http-equiv="refresh" content="${seconds}; url=/auctions/a+"></noscript>`);
    assert.match(at(AUCTION_START + 6 * MINUTE), reload(61));
    assert.match(at(AUCTION_START + 7 * MINUTE - SECOND / 2), reload(2));
    // A page that comes late must not reload in the past.
    assert.match(at(AUCTION_START + 9 * MINUTE), reload(1));
    assert.match(render(sceneIn("planned"), "everyone", "uk"), reload(300));
    assert.match(render(sceneIn("interrupted"), "everyone", "uk"), reload(300));
    for (const phase of ["announcement", "cancelled"] as const)
      assert.doesNotMatch(render(sceneIn(phase), "everyone", "uk"), /http-equiv/);
    const onTestClock = render(scene, "everyone", "uk", { hasTestClock: true });
    assert.doesNotMatch(onTestClock, /http-equiv/);
    assert.match(onTestClock, /Цей аукціон іде за тестовим годинником/);
  });

  it("counts down to the end of the stage or to the planned start", () => {
    assert.match(render(sceneIn("turn"), "everyone", "en"), />1:00<\/time>/);
    assert.match(render(sceneIn("planned"), "everyone", "en"), />5:00<\/time>/);
    assert.match(render(sceneIn("planned"), "everyone", "en"), /Start: 17 November 2026/);
    assert.match(
      visibleOf(render(sceneIn("turn"), FIRST, "en")),
      /<title>1:00 · Your turn! · UA-2026-11-17-000001 · Tenderhall</,
    );
  });

  it("shows movements, coefficients and weighted prices", () => {
    const auction = driveAuction(BIDS, { hasFeatures: true });
    auction.place(5 * MINUTE, "dear", "4000");
    const page = render({ state: auction.goTo(7 * MINUTE), now: AUCTION_START + 7 * MINUTE }, "everyone", "en");
    const rows = [...page.matchAll(/<tr class="other" data-bidder="(\d)">(.*?)<\/tr>/gs)].map(([, , row = ""]) =>
      row
        .replaceAll(/<[^>]+>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
    assert.deepEqual(rows, [
      "1 ▲2 (up by 2, was in place 3 at the start) Bidder 1 Coefficient 1 UAH 4,000.00 Weighted price 4,000.00 −1,000.50 (−20 %)",
      "2 ▼1 (down by 1, was in place 1 at the start) Bidder 3 Coefficient 20/17 UAH 5,100.00 Weighted price 4,335.00 unchanged",
      "3 ▼1 (down by 1, was in place 2 at the start) Bidder 2 Coefficient 1 UAH 4,800.00 Weighted price 4,800.00 unchanged",
    ]);
  });

  it("links to itself in the other language, also below a path", () => {
    const page = pageOf(sceneIn("pause").state, AUCTION_START, "everyone", `${ORIGIN}/registry`);
    const rendered = renderAuctionPage({ ...page, site: { ...page.site, basePath: "/registry" } }, "en");
    const id = TENDER.id;
    assert.match(rendered, new RegExp(`<link rel="canonical" href="${ORIGIN}/registry/en/auctions/${id}">`));
    assert.match(rendered, new RegExp(`rel="alternate" hreflang="uk" href="${ORIGIN}/registry/auctions/${id}">`));
    assert.match(rendered, new RegExp(`<a href="/registry/auctions/${id}" lang="uk" hreflang="uk">Українська</a>`));
    assert.match(rendered, /<script type="module" src="\/registry\/assets\/[\w-]+\/portal\/browser\/auctionPage\.js">/);
  });

  it("may load and run nothing but its own files, and is not cached if it is a bidder's", () => {
    const scene = sceneIn("turn");
    const headersFor = (audience: AuctionAudience) =>
      auctionPageResponse(pageOf(scene.state, scene.now, audience, ORIGIN), "en").headers;
    const watched = headersFor("everyone");
    assert.match(
      watched?.["Content-Security-Policy"] ?? "",
      /^default-src 'none'; style-src 'self'; script-src 'self';/,
    );
    assert.equal(watched?.["Referrer-Policy"], "same-origin");
    assert.equal(watched?.["Cache-Control"], "no-cache");
    assert.equal(headersFor(FIRST)?.["Cache-Control"], "private, no-store");
    assert.equal(auctionPageResponse(pageOf(scene.state, scene.now, FIRST, ORIGIN), "en", 422).status, 422);
  });
});

describe("the list of auctions", () => {
  const markupOf = (shown: AuctionList, language: Language): string => {
    const { text } = auctionListResponse(shown, language);
    assert.ok(text);
    return cachedBodyText(text);
  };
  const list = listOf(ORIGIN, TENDER.id, AUCTION_START);

  it("shows titles and buyers as text, with status and start, in both languages", () => {
    for (const language of LANGUAGES) {
      const page = markupOf(list, language);
      assert.ok(page.includes(escapeHtml(HOSTILE_TITLE)));
      assert.doesNotMatch(page, /<script>alert|<b>|<i>|undefined/);
      assert.match(page, new RegExp(`href="${language === "en" ? "/en" : ""}/auctions/${TENDER.id}"`));
    }
    assert.match(markupOf(list, "en"), /class="status running">running</);
    assert.match(markupOf(list, "uk"), /<time datetime="2026-11-17T09:00:00\.000Z">17 листопада 2026 р\. о 11:00/);
  });

  it("says so where there are none", () => {
    const page = markupOf({ ...list, today: [], coming: [], finished: [], earlierQuery: undefined }, "en");
    assert.match(page, /There are no auctions today\..*No auctions are planned\..*No auction has finished yet\./s);
    assert.equal(auctionListResponse(list, "en").headers?.["Content-Language"], "en");
  });
});
