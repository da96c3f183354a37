import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OWNER, type Scene } from "../../../test/support/decisions.ts";
import { accepted } from "../../../test/support/directScenes.ts";
import {
  cancelLot,
  cancelTender,
  DEADLINE,
  decideAward,
  LOT_A,
  LOT_B,
  onBoth,
  TENDERING,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import {
  awarded,
  closed,
  lastAward,
  published,
  qualifying,
  signed,
  standStillEndOf,
  tendering,
} from "../../../test/support/scenes.ts";
import { renderTender, screenAt, sectionText, visibleText } from "../../../test/support/tenderPages.ts";
import { DAY, HOUR } from "../../domain/values/time.ts";
import { screenSameUntil } from "./screenOf.ts";
import { renderTenderCalendar } from "./tenderCalendar.ts";

const momentsOf = (scene: Scene) => screenAt(scene).timeline.map(({ kind, state }) => `${kind} ${state}`);

describe("the timeline", () => {
  it("has every period, and says what is next", () => {
    assert.deepEqual(momentsOf(published()), [
      "published past",
      "enquiriesEnd next",
      "biddingBegins coming",
      "biddingEnds coming",
    ]);
    const bidding = momentsOf(tendering());
    assert.deepEqual(bidding.slice(0, 4), [
      "published past",
      "enquiriesEnd past",
      "biddingBegins past",
      "biddingEnds next",
    ]);
    assert.deepEqual(bidding.slice(4), ["auctionNotBefore coming"]);
  });

  it("has the auction, the opening, decisions, stand-stills and contracts in their order", () => {
    const scene = signed(awarded(["400", "500"]));
    const kinds = screenAt(scene).timeline.map(({ kind }) => kind);
    assert.deepEqual(kinds, [
      "published",
      "enquiriesEnd",
      "biddingBegins",
      "biddingEnds",
      "auctionEnds",
      "opened",
      "qualificationEnds",
      "awardAccepted",
      "complaintsEnd",
      "signed",
      "ended",
    ]);
    const times = screenAt(scene).timeline.map(({ at }) => at);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
  });

  it("names the lots whose auctions differ, and none if all are alike", () => {
    const scene = closed([onBoth("900", "800"), onBoth("700", "600")], twoLots);
    const [a, b] = scene.tender.lots;
    assert.ok(a && b);
    const withStarts = (first: number, second: number) =>
      screenAt(
        scene.with({
          lots: [
            { ...a, auctionPeriod: { startDate: first } },
            { ...b, auctionPeriod: { startDate: second } },
          ],
        }),
      ).timeline.filter(({ kind }) => kind === "auctionStarts");
    assert.deepEqual(
      withStarts(DEADLINE + HOUR, DEADLINE + 2 * HOUR).map(({ lot }) => lot),
      [a.id, b.id],
    );
    assert.deepEqual(
      withStarts(DEADLINE + HOUR, DEADLINE + HOUR).map(({ lot }) => lot),
      [undefined],
    );
  });

  it("has nothing after the end of the tender", () => {
    assert.deepEqual(momentsOf(published().send(OWNER, cancelTender)), ["published past", "tenderCancelled past"]);
    assert.deepEqual(momentsOf(closed([])).slice(-2), ["biddingEnds past", "tenderUnsuccessful past"]);
  });

  it("has nothing after the end of a lot", () => {
    const scene = closed([onBoth("900", "800"), onBoth("700", "600")], twoLots);
    const startDate = DEADLINE + DAY;
    const planned = scene.with({ lots: scene.tender.lots.map((lot) => ({ ...lot, auctionPeriod: { startDate } })) });
    const cancelled = planned.send(OWNER, cancelLot(LOT_A));
    const starts = screenAt(cancelled).timeline.filter(({ kind }) => kind === "auctionStarts");
    assert.deepEqual(
      starts.map(({ lot }) => lot),
      [LOT_B],
    );
    assert.equal(sectionText(renderTender(planned), "lots").split("1 December 2026").length, 3);
    assert.equal(sectionText(renderTender(cancelled), "lots").split("1 December 2026").length, 2);
    const awarded = qualifying([onBoth("900", "800")], twoLots);
    const decided = awarded.send(OWNER, decideAward(lastAward(awarded, LOT_A).id, "active"));
    const ends = (shown: Scene) => momentsOf(shown).filter((moment) => moment.startsWith("complaintsEnd")).length;
    assert.equal(ends(decided), 1);
    assert.equal(ends(decided.send(OWNER, cancelLot(LOT_A))), 0);
  });

  it("writes local time and UTC, with the date where that differs", () => {
    const text = sectionText(renderTender(published()), "timeline");
    assert.match(text, /16 November 2026 at 10:00 08:00 UTC/);
    const late = published({ enquiryPeriod: { endDate: TENDERING - 9 * HOUR } });
    assert.match(sectionText(renderTender(late), "timeline"), /23 November 2026 at 01:00 2026-11-22 23:00 UTC/);
  });

  it("of a tender without competition has the decision and the time to contest it", () => {
    const scene = accepted("negotiation");
    assert.deepEqual(momentsOf(scene), ["published past", "awardAccepted past", "complaintsEnd next"]);
    assert.match(
      sectionText(renderTender(scene), "timeline"),
      /published \(past\) 16 November 2026 at 10:00 08:00 UTC Named/,
    );
  });
});

describe("the deadline on the page of a tender", () => {
  const descriptionOf = (page: string) => /<meta name="description" content="([^"]*)"/.exec(page)?.[1] ?? "";

  it("is a time to come while bids can come", () => {
    const page = renderTender(published());
    assert.match(sectionText(page, "summary"), /Bids are accepted until 30 November 2026 at 10:00 14 days left/);
    assert.match(descriptionOf(page), /Bids are accepted until 30 November 2026/);
    assert.match(page, /"availabilityEnds":"2026-11-30T08:00:00.000Z"/);
  });

  it("is in the past tense after it", () => {
    const page = renderTender(qualifying(["400"]));
    assert.match(sectionText(page, "summary"), /Bids were accepted until 30 November 2026 at 10:00 /);
    assert.match(descriptionOf(page), /Bids were accepted until 30 November 2026/);
    assert.doesNotMatch(page, /Bids are accepted until/);
  });

  it("is nowhere if the tender ended before it", () => {
    for (const scene of [published(), tendering(["400"])]) {
      const cancelled = scene.send(OWNER, cancelTender);
      const page = renderTender(cancelled);
      assert.doesNotMatch(visibleText(page) + descriptionOf(page), /30 November|Bids (?:are|were) accepted|left/);
      assert.match(page, /"availabilityEnds":"2026-11-(?:16|23)T/);
      assert.doesNotMatch(renderTenderCalendar(screenAt(cancelled)), /20261130/);
    }
  });
});

describe("a page of a tender", () => {
  it("stays the same until the time that it says, and changes then", () => {
    const scenes = [published(), tendering(["400"]), qualifying(["400"]), awarded(["400"])];
    for (const scene of scenes) {
      const end = Math.max(scene.now + DAY, DEADLINE + 20 * DAY);
      let { now } = scene;
      for (let i = 0; i < 40 && now < end; i++) {
        // The tender itself changes at its deadlines, which the freshness of the tender covers.
        const at = { tender: scene.stored, now };
        const until = screenSameUntil(screenAt(at));
        if (!Number.isFinite(until)) break;
        assert.ok(until > now);
        assert.equal(renderTender({ ...at, now: until - 1 }), renderTender(at));
        assert.notEqual(renderTender({ ...at, now: until }), renderTender(at));
        now = until;
      }
      assert.ok(now > scene.now || scene.tender.status === "active.qualification");
    }
  });
});

describe("the calendar of a tender", () => {
  it("has what people plan for, with ids that stay when the times change", () => {
    const calendar = renderTenderCalendar(screenAt(tendering(), "uk"));
    assert.match(calendar, /^BEGIN:VCALENDAR\r\n/);
    const uids = (text: string) => [...text.matchAll(/^UID:(.*)\r$/gm)].map(([, uid]) => uid);
    assert.equal(uids(calendar).length, 2);
    assert.match(calendar, /DTSTART:20261130T080000Z/);
    const moved = tendering().with({ tenderPeriod: { startDate: TENDERING, endDate: DEADLINE + DAY } });
    assert.deepEqual(
      uids(renderTenderCalendar(screenAt(moved, "uk"))).map((uid) => uid?.slice(33)),
      uids(calendar).map((uid) => uid?.slice(33)),
    );
    assert.match(renderTenderCalendar(screenAt(moved, "uk")), /DTSTART:20261201T080000Z/);
  });

  it("has the ends of stand-stills", () => {
    const scene = awarded(["400"]);
    const end = new Date(standStillEndOf(scene) / 1000).toISOString().replaceAll(/[-:]|\.\d+/g, "");
    assert.ok(renderTenderCalendar(screenAt(scene)).includes(`DTSTART:${end}`));
  });
});
