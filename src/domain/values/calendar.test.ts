import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  addDays,
  addWorkingDays,
  atTimeOfDay,
  isWorkingDay,
  nextMidnight,
  startOfNextWorkingDay,
  timeOfDay,
} from "./calendar.ts";
import { HOLIDAYS } from "./holidays.ts";
import { DAY, formatInstant, HOUR, type Instant, openZone, parseInstant } from "./time.ts";

const kyiv = openZone("Europe/Kyiv");
const cairo = openZone("Africa/Cairo");

const years = { min: Date.UTC(2014) * 1000, max: Date.UTC(2033) * 1000 };
const anyTime = fc.integer(years);
const nearTransition = fc
  .tuple(anyTime, fc.integer({ min: -4 * DAY, max: 4 * DAY }), fc.constantFrom(HOUR / 2, HOUR, DAY))
  .map(([at, shift, grain]) => {
    const transition = zoned(at, "Europe/Kyiv").getTimeZoneTransition("next")!;
    return microsOf(transition) + Math.floor(shift / grain) * grain;
  });
const instants = fc.oneof(anyTime, nearTransition);

function zoned(at: Instant, zone: string): Temporal.ZonedDateTime {
  return new Temporal.Instant(BigInt(at) * 1000n).toZonedDateTimeISO(zone);
}

const microsOf = (moment: Temporal.ZonedDateTime): Instant => Number(moment.epochNanoseconds / 1000n);

function instant(text: string, zone = kyiv): Instant {
  const at = parseInstant(text, zone);
  assert.ok(typeof at === "number", text);
  return at;
}

/** Meeus' computus of the Julian calendar, thirteen days behind the Gregorian one in this century. */
function orthodoxEaster(year: number): Temporal.PlainDate {
  const moon = (19 * (year % 19) + 15) % 30;
  const sunday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
  const march = moon + sunday + 114;
  return Temporal.PlainDate.from({ year, month: Math.floor(march / 31), day: (march % 31) + 1 }).add({ days: 13 });
}

/** Articles 73 and 67 of the Labour Code, carried out. */
function daysOffByLaw(year: number): readonly string[] {
  const easter = orthodoxEaster(year);
  const fixed = ["01-01", "03-08", "05-01", "05-08", "06-28", "07-15", "08-24", "10-01", "12-25"];
  const named = [...fixed.map((day) => Temporal.PlainDate.from(`${year}-${day}`)), easter, easter.add({ days: 49 })];
  const off = new Set<string>();
  for (let day of named.toSorted(Temporal.PlainDate.compare)) {
    while (day.dayOfWeek > 5 || off.has(day.toString())) day = day.add({ days: 1 });
    off.add(day.toString());
  }
  return [...off];
}

describe("the holidays", () => {
  it("from 2026 to 2030 are those of the Labour Code, moved off weekends and off one another", () => {
    for (const year of [2026, 2027, 2028, 2029, 2030])
      assert.deepEqual(
        HOLIDAYS[year]?.map((day) => `${year}-${day}`),
        daysOffByLaw(year),
      );
  });

  it("come from the Easters that the church announces", () => {
    const easters = [2016, 2017, 2018, 2024, 2025, 2026, 2027].map((year) => orthodoxEaster(year).toString());
    const announced = ["2016-05-01", "2017-04-16", "2018-04-08", "2024-05-05", "2025-04-20", "2026-04-12"];
    assert.deepEqual(easters, [...announced, "2027-05-02"]);
  });

  it("are weekdays that exist, each once and in order", () => {
    for (const [year, days] of Object.entries(HOLIDAYS)) {
      for (const day of days) assert.ok(Temporal.PlainDate.from(`${year}-${day}`).dayOfWeek <= 5, `${year}-${day}`);
      assert.deepEqual(days, [...new Set(days)].toSorted());
    }
  });

  it("of 2015 to 2018 are the 46 that the established system had", () => {
    assert.equal([2015, 2016, 2017, 2018].flatMap((year) => HOLIDAYS[year]!).length, 46);
  });
});

describe("a working day", () => {
  it("is a weekday that is no holiday", () => {
    for (const day of ["2017-08-23", "2026-04-14", "2027-05-05"]) assert.equal(isWorkingDay(day), true, day);
    for (const day of ["2017-08-24", "2026-04-13", "2027-05-04", "2026-08-01", "2026-08-02"])
      assert.equal(isWorkingDay(day), false, day);
  });

  it("is any weekday in a year without a list", () => {
    assert.equal(isWorkingDay("2019-01-01"), true);
    assert.equal(isWorkingDay("2031-01-01"), true);
    assert.equal(isWorkingDay("2031-01-04"), false);
  });

  it("is undefined for an invalid date", () => {
    assert.throws(() => isWorkingDay("2026-02-30"), RangeError);
  });
});

describe("working days added", () => {
  it("are counted as the established system counts them", () => {
    const cases: [string, string][] = [
      ["2017-07-25T17:36", "2017-07-27T17:36"],
      ["2017-07-28T15:00", "2017-08-01T15:00"],
      ["2017-07-29T15:00", "2017-08-02T00:00"],
      ["2017-08-23T12:00", "2017-08-29T12:00"],
      ["2017-08-24T12:00", "2017-08-30T00:00"],
    ];
    for (const [from, to] of cases) assert.equal(addWorkingDays(instant(from), 2, kyiv), instant(to), from);
  });

  it("keep the wall clock when clocks change on the way", () => {
    const spring = addWorkingDays(instant("2026-03-27T12:00:00+02:00"), 2, kyiv);
    assert.equal(formatInstant(spring, kyiv), "2026-03-31T12:00:00+03:00");
    const autumn = addWorkingDays(instant("2026-10-23T12:00:00.000001+03:00"), 2, kyiv);
    assert.equal(formatInstant(autumn, kyiv), "2026-10-27T12:00:00.000001+02:00");
  });

  it("belong to the zone, whose day it may already be", () => {
    const fridayEveningInUtc = instant("2026-07-10T21:30:00Z");
    assert.equal(addWorkingDays(fridayEveningInUtc, 2, kyiv), instant("2026-07-16T00:00"));
    assert.equal(addWorkingDays(fridayEveningInUtc, 2, openZone("UTC")), instant("2026-07-14T21:30:00Z"));
  });

  it("skip the days off between two years", () => {
    assert.equal(addWorkingDays(instant("2027-12-31T10:00"), 1, kyiv), instant("2028-01-04T10:00"));
  });

  it("when there are none change nothing on a working day", () => {
    fc.assert(
      fc.property(instants, (at) => {
        const end = addWorkingDays(at, 0, kyiv);
        if (isWorkingDay(zoned(at, "Europe/Kyiv").toPlainDate().toString())) assert.equal(end, at);
        else assert.ok(end > at);
      }),
    );
  });

  it("when there are none change nothing in an hour that comes twice", () => {
    const secondTime = instant("2026-10-29T23:30:00+02:00");
    assert.equal(addWorkingDays(secondTime, 0, cairo), secondTime);
    assert.equal(addDays(secondTime, 0, cairo), secondTime);
  });

  it("are what Temporal makes of the rule day by day", () => {
    const isOff = (moment: Temporal.ZonedDateTime) => !isWorkingDay(moment.toPlainDate().toString());
    const counted = (at: Instant, days: number) => {
      let end = zoned(at, "Europe/Kyiv");
      while (isOff(end)) end = end.add({ days: 1 }).startOfDay();
      let local = end.toPlainDateTime();
      for (let left = days; left > 0; ) {
        local = local.add({ days: 1 });
        if (isWorkingDay(local.toPlainDate().toString())) left--;
      }
      return microsOf(local.toZonedDateTime("Europe/Kyiv"));
    };
    fc.assert(
      fc.property(instants, fc.integer({ min: 1, max: 12 }), (at, days) =>
        assert.equal(addWorkingDays(at, days, kyiv), counted(at, days)),
      ),
      { numRuns: 1000 },
    );
  });

  it("add up, and never end on a day off", () => {
    fc.assert(
      fc.property(instants, fc.nat(6), fc.nat(6), (at, first, more) => {
        const end = addWorkingDays(at, first + more, kyiv);
        assert.ok(isWorkingDay(zoned(end, "Europe/Kyiv").toPlainDate().toString()));
        assert.equal(addWorkingDays(addWorkingDays(at, first, kyiv), more, kyiv), end);
      }),
    );
  });
});

describe("calendar days added", () => {
  it("are what Temporal adds, through every change of the clocks", () => {
    for (const name of ["Europe/Kyiv", "Africa/Cairo", "America/St_Johns"]) {
      const zone = openZone(name);
      fc.assert(
        fc.property(instants, fc.nat(9), (at, days) =>
          assert.equal(addDays(at, days, zone), microsOf(zoned(at, name).add({ days }))),
        ),
        { numRuns: 500 },
      );
    }
  });

  it("end an hour later by the clock where clocks skip the time", () => {
    const end = addDays(instant("2026-03-26T03:30"), 3, kyiv);
    assert.equal(formatInstant(end, kyiv), "2026-03-29T04:30:00+03:00");
  });
});

describe("the next midnight", () => {
  it("is midnight itself, and the end of the day for any other time of it", () => {
    const midnight = instant("2026-07-15T00:00");
    assert.equal(nextMidnight(midnight, kyiv), midnight);
    assert.equal(nextMidnight(midnight + 1, kyiv), midnight + DAY);
    assert.equal(nextMidnight(midnight + DAY - 1, kyiv), midnight + DAY);
  });

  it("is local, also at the end of days of 23 and 25 hours", () => {
    assert.equal(nextMidnight(instant("2026-03-29T01:00"), kyiv), instant("2026-03-30T00:00:00+03:00"));
    assert.equal(nextMidnight(instant("2026-10-25T01:00"), kyiv), instant("2026-10-26T00:00:00+02:00"));
  });

  it("is the first moment of the day where clocks skip midnight", () => {
    const end = nextMidnight(instant("2026-04-23T12:00", cairo), cairo);
    assert.equal(formatInstant(end, cairo), "2026-04-24T01:00:00+03:00");
  });

  it("comes no earlier than the instant, at most a long day later, and stays where it is", () => {
    fc.assert(
      fc.property(instants, (at) => {
        const midnight = nextMidnight(at, kyiv);
        assert.ok(midnight >= at && midnight - at < DAY + HOUR);
        assert.equal(nextMidnight(midnight, kyiv), midnight);
        assert.equal(zoned(midnight, "Europe/Kyiv").toPlainTime().toString(), "00:00:00");
      }),
    );
  });
});

describe("a time of day", () => {
  it("is what the clocks show, also on days on which they change", () => {
    fc.assert(
      fc.property(instants, (at) => {
        const { hour, minute, second, millisecond, microsecond } = zoned(at, "Europe/Kyiv");
        const micros = ((hour * 60 + minute) * 60 + second) * 1_000_000 + millisecond * 1000 + microsecond;
        assert.equal(timeOfDay(at, kyiv), micros);
      }),
    );
  });

  it("names an instant of the same day", () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 4, max: 23 }), (at, hour) => {
        const expected = zoned(at, "Europe/Kyiv").with({ hour, minute: 0, second: 0, millisecond: 0, microsecond: 0 });
        assert.equal(atTimeOfDay(at, hour * HOUR, kyiv), microsOf(expected.with({ nanosecond: 0 })));
      }),
    );
  });
});

describe("the next working day", () => {
  it("begins at midnight, after weekends and holidays", () => {
    assert.equal(startOfNextWorkingDay(instant("2026-11-17T00:00"), kyiv), instant("2026-11-18T00:00"));
    assert.equal(startOfNextWorkingDay(instant("2026-11-20T23:59"), kyiv), instant("2026-11-23T00:00"));
    assert.equal(startOfNextWorkingDay(instant("2026-12-24T12:00"), kyiv), instant("2026-12-28T00:00"));
  });
});
