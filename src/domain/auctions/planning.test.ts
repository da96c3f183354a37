import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isWorkingDay, timeOfDay } from "../values/calendar.ts";
import {
  DAY,
  dayOf,
  formatInstant,
  HOUR,
  type Instant,
  MINUTE,
  openZone,
  parseInstant,
  SECOND,
} from "../values/time.ts";
import {
  DEFAULT_PLANNING,
  inPlanningOrder,
  type PlanningMode,
  type PlanRequest,
  planningModeOf,
  planStart,
  slotOf,
  slotsAfter,
} from "./planning.ts";

const zone = openZone("Europe/Kyiv");
const RULES = { ...DEFAULT_PLANNING, zone };
const NO_STARTS = () => 0;

function instant(text: string): Instant {
  const at = parseInstant(text, zone);
  assert.ok(typeof at === "number", text);
  return at;
}

const request = (shouldStartAfter: Instant, auctionId = "a".repeat(32), mode: PlanningMode = "slots"): PlanRequest => ({
  auctionId,
  shouldStartAfter,
  mode,
});
/** The local start of the slot in which an auction is planned. */
const slotFor = (after: string, now = after, startsIn: (slot: Instant) => number = NO_STARTS) => {
  const start = planStart(request(instant(after)), instant(now), RULES, startsIn);
  const slot = start === undefined ? undefined : slotOf(start, RULES);
  return slot === undefined ? undefined : formatInstant(slot, zone).slice(0, 16);
};

describe("the start of an auction", () => {
  it("is on the same day if an hour later is before eleven, else on the next working day", () => {
    // 2026-11-17 is a Tuesday.
    assert.equal(slotFor("2026-11-17T00:00"), "2026-11-17T11:00");
    assert.equal(slotFor("2026-11-17T09:59:59"), "2026-11-17T11:00");
    assert.equal(slotFor("2026-11-17T10:00"), "2026-11-18T11:00");
    assert.equal(slotFor("2026-11-17T23:30"), "2026-11-18T11:00");
  });

  it("is after the later of the earliest time and now", () => {
    assert.equal(slotFor("2026-11-17T00:00", "2026-11-19T08:00"), "2026-11-19T11:00");
    assert.equal(slotFor("2026-11-19T00:00", "2026-11-17T08:00"), "2026-11-19T11:00");
  });

  it("is never on a weekend or a holiday", () => {
    assert.equal(slotFor("2026-11-20T12:00"), "2026-11-23T11:00");
    assert.equal(slotFor("2026-11-21T00:00"), "2026-11-23T11:00");
    // Friday, 25 December is a holiday.
    assert.equal(slotFor("2026-12-24T12:00"), "2026-12-28T11:00");
    assert.equal(slotFor("2026-12-25T00:00"), "2026-12-28T11:00");
  });

  it("is in the first slot with room, on the next day if all are full", () => {
    const full = new Set(["2026-11-17T11:00", "2026-11-17T11:30"].map(instant));
    assert.equal(
      slotFor("2026-11-17T00:00", undefined, (slot) => (full.has(slot) ? 10 : 9)),
      "2026-11-17T12:00",
    );
    const isFirstDay = (slot: Instant) => slot < instant("2026-11-18T00:00");
    assert.equal(
      slotFor("2026-11-17T00:00", undefined, (slot) => (isFirstDay(slot) ? 10 : 0)),
      "2026-11-18T11:00",
    );
    assert.equal(
      slotFor("2026-11-17T00:00", undefined, () => 10),
      undefined,
    );
  });

  it("has ten slots of half an hour a day", () => {
    const slots = slotsAfter(instant("2026-11-17T08:00"), RULES);
    const first = Array.from({ length: 11 }, () => formatInstant(Number(slots.next().value), zone).slice(5, 16));
    assert.deepEqual(
      [first[0], first[1], first[9], first[10]],
      ["11-17T11:00", "11-17T11:30", "11-17T15:30", "11-18T11:00"],
    );
  });

  it("keeps local time when clocks change", () => {
    assert.equal(slotFor("2026-03-27T12:00"), "2026-03-30T11:00");
    assert.equal(slotFor("2026-10-23T12:00"), "2026-10-26T11:00");
  });

  it("has an offset within the slot that depends on the auction's id alone", () => {
    const startOf = (id: string) => planStart(request(instant("2026-11-17T00:00"), id), 0, RULES, NO_STARTS) ?? 0;
    const slot = instant("2026-11-17T11:00");
    const offsets = Array.from({ length: 500 }, (_, i) => (startOf(i.toString(16).padStart(32, "0")) - slot) / SECOND);
    assert.ok(offsets.every((offset) => Number.isInteger(offset) && offset >= 0 && offset < 1800));
    // 500 ids are spread over the whole slot: each tenth of it has some.
    for (let part = 0; part < 10; part++)
      assert.ok(offsets.filter((offset) => Math.floor(offset / 180) === part).length > 20, String(part));
    // The hash is part of the plan: with another one, auctions that are planned again would move.
    assert.equal(formatInstant(startOf("a".repeat(32)), zone), "2026-11-17T11:16:45+02:00");
  });

  it("is always in an open slot of a working day, at least an hour after the earliest time", () => {
    const times = fc.integer({ min: Date.UTC(2026) * 1000, max: Date.UTC(2030) * 1000 });
    fc.assert(
      fc.property(times, times, fc.string(), (after, now, id) => {
        const start = planStart(request(after, id), now, RULES, NO_STARTS) ?? 0;
        assert.ok(start >= Math.max(after, now) + HOUR);
        assert.ok(isWorkingDay(dayOf(start, zone)));
        const time = timeOfDay(start, zone);
        assert.ok(time >= 11 * HOUR && time < 11 * HOUR + 30 * MINUTE);
      }),
    );
  });

  it("never exceeds the starts of a slot, and plans earlier deadlines first", () => {
    const days = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 4 }), (waiting, startsPerSlotMax) => {
        const rules = { ...RULES, startsPerSlotMax };
        const now = instant("2026-11-16T12:00");
        const counts = new Map<Instant, number>();
        let lastSlot = 0;
        for (const planned of inPlanningOrder(waiting.map((day, i) => request(now + day * DAY, `auction ${i}`)))) {
          const start = planStart(planned, now, rules, (slot) => counts.get(slot) ?? 0) ?? 0;
          const slot = slotOf(start, rules) ?? 0;
          assert.ok(slot >= lastSlot);
          lastSlot = slot;
          counts.set(slot, (counts.get(slot) ?? 0) + 1);
        }
        for (const count of counts.values()) assert.ok(count <= startsPerSlotMax);
      }),
    );
  });
});

describe("the quick modes of the sandbox", () => {
  const now = instant("2026-11-21T20:07:30");
  const startIn = (mode: PlanningMode, after = now) => planStart(request(after, "x", mode), now, RULES, () => 1000);

  it("start at the next quarter of an hour, at any time and on any day", () => {
    assert.equal(startIn("quick"), instant("2026-11-21T20:15"));
    assert.equal(startIn("quick", instant("2026-11-21T20:15")), instant("2026-11-21T20:30"));
  });

  it("start in five minutes, at once, or not at all", () => {
    assert.equal(startIn("fast-auction"), now + 5 * MINUTE);
    assert.equal(startIn("fast-auction", now + DAY), now + DAY + 5 * MINUTE);
    assert.equal(startIn("fast-forward"), now);
    assert.equal(startIn("no-auction"), undefined);
  });

  it("are chosen by submissionMethodDetails, in the sandbox only", () => {
    const modes = {
      "quick(mode:fast-auction)": "fast-auction",
      "quick(mode:fast-forward)": "fast-forward",
      "quick(mode:no-auction)": "no-auction",
      quick: "quick",
      "quick(mode:else)": "quick",
      constructor: "slots",
    };
    for (const [details, mode] of Object.entries(modes)) {
      assert.equal(planningModeOf(details, true), mode);
      assert.equal(planningModeOf(details, false), "slots");
    }
    assert.equal(planningModeOf(undefined, true), "slots");
  });
});

describe("the slot of a start", () => {
  it("contains it, and there is none outside the hours", () => {
    assert.equal(slotOf(instant("2026-11-17T11:29:59"), RULES), instant("2026-11-17T11:00"));
    assert.equal(slotOf(instant("2026-11-17T11:30"), RULES), instant("2026-11-17T11:30"));
    assert.equal(slotOf(instant("2026-11-17T15:59"), RULES), instant("2026-11-17T15:30"));
    assert.equal(slotOf(instant("2026-11-17T16:00"), RULES), undefined);
    assert.equal(slotOf(instant("2026-11-17T10:59"), RULES), undefined);
  });
});
