import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Scene } from "../../../test/support/decisions.ts";
import { accepted } from "../../../test/support/directScenes.ts";
import { DEADLINE, onBoth, TENDERING, twoLots } from "../../../test/support/domainCommands.ts";
import {
  awarded,
  closed,
  published,
  qualifying,
  signed,
  standStillEndOf,
  tendering,
} from "../../../test/support/scenes.ts";
import { renderTender, screenAt, sectionText } from "../../../test/support/tenderPages.ts";
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

  it("writes local time and UTC, with the date where that differs", () => {
    const text = sectionText(renderTender(published()), "timeline");
    assert.match(text, /16 November 2026 at 10:00 08:00 UTC/);
    const late = published({ enquiryPeriod: { endDate: TENDERING - 9 * HOUR } });
    assert.match(sectionText(renderTender(late), "timeline"), /23 November 2026 at 01:00 2026-11-22 23:00 UTC/);
  });

  it("of a tender without competition has the decision and the time to contest it", () => {
    const scene = accepted("negotiation");
    assert.deepEqual(momentsOf(scene), ["published past", "awardAccepted past", "complaintsEnd next"]);
    // Of the publication, only the day is known.
    assert.match(sectionText(renderTender(scene), "timeline"), /published \(past\) 16 November 2026 Named/);
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
