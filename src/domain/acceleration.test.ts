import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  acceleratorOf,
  auctionEndEstimate,
  auctionMode,
  intervalEnd,
  isQuick,
  shouldStartAfter,
} from "./acceleration.ts";
import type { Interval } from "./procedures/procedure.ts";
import { addWorkingDays, nextMidnight } from "./values/calendar.ts";
import { DAY, HOUR, type Instant, MINUTE, openZone, parseInstant, SECOND } from "./values/time.ts";

const kyiv = openZone("Europe/Kyiv");
const instants = fc.integer({ min: Date.UTC(2014) * 1000, max: Date.UTC(2033) * 1000 });
const AWARD: Interval = { days: 2, counted: "working" };
const ANSWER: Interval = { days: 3, counted: "calendar" };
const intervals = fc.constantFrom(AWARD, ANSWER);
const real = { sandbox: false, zone: kyiv };
const sandbox = { sandbox: true, zone: kyiv };

function instant(text: string): Instant {
  const at = parseInstant(text, kyiv);
  assert.ok(typeof at === "number", text);
  return at;
}

describe("an accelerator", () => {
  it("is the number after the word, with at least a character before it", () => {
    assert.equal(acceleratorOf("quick, accelerator=1440"), 1440);
    assert.equal(acceleratorOf(" accelerator=60 and more"), 60);
    assert.equal(acceleratorOf("xaccelerator=007"), 7);
    assert.equal(acceleratorOf("quick, accelerator=2, accelerator=3"), 2);
  });

  it("is not there without the character, the number, or the text", () => {
    for (const text of ["accelerator=1440", "\naccelerator=5", "quick", "quick, accelerator=", "x accelerator=-5", ""])
      assert.equal(acceleratorOf(text), undefined, text);
    assert.equal(acceleratorOf(undefined), undefined);
  });

  it("of zero is ignored", () => {
    assert.equal(acceleratorOf("quick, accelerator=0"), undefined);
    assert.equal(acceleratorOf("quick, accelerator=000"), undefined);
  });
});

describe("a stand-still", () => {
  it("after an award is two working days", () => {
    const end = intervalEnd(instant("2026-04-10T12:00"), AWARD, undefined, real);
    assert.equal(end, instant("2026-04-15T12:00"));
  });

  it("after an answer is three calendar days by the wall clock", () => {
    const cases: [string, string][] = [
      ["2026-04-10T12:00", "2026-04-13T12:00"],
      ["2026-03-27T12:00:00+02:00", "2026-03-30T12:00:00+03:00"],
      ["2026-10-23T12:00:00+03:00", "2026-10-26T12:00:00+02:00"],
    ];
    for (const [from, to] of cases)
      assert.equal(intervalEnd(instant(from), ANSWER, undefined, real), instant(to), from);
  });

  it("in a sandbox is as many times shorter as the tender asks, on any day", () => {
    const saturday = instant("2026-04-11T12:00");
    const end = (kind: Interval, details: string) => intervalEnd(saturday, kind, details, sandbox);
    assert.equal(end(AWARD, "quick, accelerator=1440"), saturday + 2 * MINUTE);
    assert.equal(end(ANSWER, "quick, accelerator=1440"), saturday + 3 * MINUTE);
    assert.equal(end(AWARD, "quick, accelerator=1"), saturday + 2 * DAY);
    assert.equal(end(AWARD, "quick, accelerator=0"), addWorkingDays(saturday, 2, kyiv));
  });

  it("outside a sandbox is never accelerated", () => {
    fc.assert(
      fc.property(instants, intervals, (from, kind) =>
        assert.equal(
          intervalEnd(from, kind, "quick, accelerator=1440", real),
          intervalEnd(from, kind, undefined, real),
        ),
      ),
    );
  });

  it("ends on a whole microsecond, not before it began, whatever the accelerator", () => {
    const digits = fc.oneof(fc.nat().map(String), fc.stringMatching(/^\d{1,400}$/));
    fc.assert(
      fc.property(instants, intervals, digits, (from, kind, n) => {
        const end = intervalEnd(from, kind, ` accelerator=${n}`, sandbox);
        assert.ok(Number.isSafeInteger(end) && end >= from);
      }),
    );
    assert.equal(intervalEnd(0, AWARD, " accelerator=7", sandbox), Math.floor((2 * 86_400 * SECOND) / 7));
  });
});

describe("a quick tender", () => {
  it("is marked in its submission details, in a sandbox", () => {
    assert.equal(isQuick("quick", true), true);
    assert.equal(isQuick("as quick(mode:no-auction) as can be", true), true);
    assert.equal(isQuick("slow", true), false);
    assert.equal(isQuick(undefined, true), false);
    assert.equal(isQuick("quick", false), false);
  });

  it("may choose one of the documented auction modes", () => {
    assert.equal(auctionMode("quick(mode:no-auction)", true), "no-auction");
    assert.equal(auctionMode("quick(mode:fast-forward)", true), "fast-forward");
    assert.equal(auctionMode("quick(mode:fast-auction)", true), "fast-auction");
    for (const details of ["quick", "quick(mode:else)", "", "toString", undefined])
      assert.equal(auctionMode(details, true), undefined, String(details));
    assert.equal(auctionMode("quick(mode:no-auction)", false), undefined);
    assert.equal(auctionMode("quick(mode:fast-forward)", false), undefined);
    assert.equal(auctionMode("quick(mode:fast-auction)", false), undefined);
  });

  it("may be auctioned at once, any other after the next midnight", () => {
    fc.assert(
      fc.property(instants, (base) => {
        assert.equal(shouldStartAfter(base, "quick", true, kyiv), base);
        for (const [details, isSandbox] of [["quick", false] as const, ["slow", true] as const])
          assert.equal(shouldStartAfter(base, details, isSandbox, kyiv), nextMidnight(base, kyiv));
      }),
    );
    assert.equal(shouldStartAfter(instant("2026-07-15T00:01"), undefined, false, kyiv), instant("2026-07-16T00:00"));
  });
});

describe("the end of an auction", () => {
  it("is expected six minutes for each bid and twenty-four after its start", () => {
    assert.equal(auctionEndEstimate(HOUR, 2), HOUR + 36 * MINUTE);
    assert.equal(auctionEndEstimate(HOUR, 0), HOUR + 24 * MINUTE);
  });
});
