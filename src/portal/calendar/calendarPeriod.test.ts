import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { dayOf, openZone } from "../../domain/values/time.ts";
import {
  addDays,
  dayPeriod,
  instantsOf,
  monthPeriod,
  neighbourOf,
  periodAround,
  presentMonth,
  readCalendarQuery,
  startOfDay,
  weekdayOf,
  weekNameOf,
  weekPeriod,
} from "./calendarPeriod.ts";

const zone = openZone("Europe/Kyiv");
const read = (query: string) => readCalendarQuery(new URLSearchParams(query));

describe("the period of a calendar", () => {
  it("is a month, a week of ISO 8601 or a day", () => {
    assert.equal(monthPeriod("2028-02")?.days.at(-1), "2028-02-29");
    assert.deepEqual([monthPeriod("2026-11")?.days.length, monthPeriod("2026-11")?.days[0]], [30, "2026-11-01"]);
    assert.deepEqual(
      [weekPeriod("2026-W47")?.days[0], weekPeriod("2026-W47")?.days.at(-1)],
      ["2026-11-16", "2026-11-22"],
    );
    assert.equal(weekPeriod("2026-W53")?.days[0], "2026-12-28");
    assert.equal(weekPeriod("2020-W01")?.days[0], "2019-12-30");
    assert.deepEqual(dayPeriod("2026-11-17")?.days, ["2026-11-17"]);
  });

  it("is none if there is no such month, week or day", () => {
    const none = [
      monthPeriod("2026-13"),
      monthPeriod("26-1"),
      weekPeriod("2025-W53"),
      weekPeriod("2026-W00"),
      weekPeriod("2026-47"),
    ];
    const noDays = [dayPeriod("2026-02-29"), dayPeriod("2026-11-31"), dayPeriod("today"), dayPeriod("9999-01-01")];
    assert.deepEqual([...none, ...noDays], Array(9).fill(undefined));
  });

  it("agrees with the calendar about weeks and days of the week", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (count) => {
        const day = addDays("1901-01-01", count);
        const date = Temporal.PlainDate.from(day);
        assert.equal(weekNameOf(day), `${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, "0")}`);
        assert.equal(weekdayOf(day), date.dayOfWeek - 1);
        for (const view of ["month", "week", "day"] as const)
          if (day < "2199-12-01") assert.ok(periodAround(day, view)?.days.includes(day), `${day} ${view}`);
      }),
    );
  });

  it("has neighbours of the same kind without a gap", () => {
    for (const name of ["month=2026-12", "week=2026-W53", "day=2026-12-31"]) {
      const { period } = read(name);
      assert.ok(period);
      const next = neighbourOf(period, 1);
      assert.equal(next?.days[0], addDays(period.days.at(-1) ?? "", 1));
      assert.deepEqual(next && neighbourOf(next, -1), period);
    }
    const last = monthPeriod("2199-12");
    assert.equal(last && neighbourOf(last, 1), undefined);
  });

  it("begins and ends at midnight of the zone, also when clocks change", () => {
    const period = monthPeriod("2026-10");
    assert.ok(period);
    const { from, to } = instantsOf(period, zone);
    assert.equal(new Date(from / 1000).toISOString(), "2026-09-30T21:00:00.000Z");
    assert.equal(new Date(to / 1000).toISOString(), "2026-10-31T22:00:00.000Z");
    // In Beirut, clocks skip midnight in spring.
    const beirut = openZone("Asia/Beirut");
    const start = startOfDay("2026-03-29", beirut);
    assert.equal(dayOf(start, beirut), "2026-03-29");
    assert.equal(dayOf(start - 1, beirut), "2026-03-28");
  });

  it("is the present month by the clock of the zone", () => {
    assert.equal(presentMonth(Date.parse("2026-11-30T22:30:00Z") * 1000, zone).name, "2026-12");
  });
});

describe("the parameters of a calendar", () => {
  it("may be left out, and may ask for test tenders", () => {
    assert.deepEqual(read(""), { period: undefined, mode: "real", problems: [] });
    assert.equal(read("mode=test&day=2026-11-17&utm_source=x").mode, "test");
    assert.equal(read("mode=test&day=2026-11-17&utm_source=x").period?.name, "2026-11-17");
  });

  it("are named if they are wrong", () => {
    const cases: readonly [string, ...string[]][] = [
      ["month=2026-13", "month 2026-13"],
      ["week=47", "week 47"],
      ["day=", "day "],
      ["mode=real", "mode real"],
      ["month=2026-11&week=2026-W47", "several month, week"],
      ["month=2026-11&month=2026-12", "several month, month"],
      ["x=1&__proto__=2&constructor=3", "unknown x", "unknown __proto__", "unknown constructor"],
    ];
    for (const [query, ...problems] of cases) {
      assert.deepEqual(
        read(query).problems.map(({ rule, value }) => `${rule} ${value}`),
        problems,
        query,
      );
      assert.equal(read(query).period, undefined, query);
    }
  });
});
