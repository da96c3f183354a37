import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addDuration } from "./durations.ts";

const at = (text: string): number => Number(Temporal.Instant.from(text).epochNanoseconds / 1000n);

describe("an instant after a duration", () => {
  const now = at("2026-03-28T12:00:00Z");

  it("counts days of the calendar and hours of the clock", () => {
    assert.equal(addDuration("P1D", now, "Europe/Kyiv"), at("2026-03-29T11:00:00Z"));
    assert.equal(addDuration("PT24H", now, "Europe/Kyiv"), at("2026-03-29T12:00:00Z"));
    assert.equal(addDuration(90.5, now, "UTC"), now + 90_500_000);
  });

  it("may be now, but not before it", () => {
    assert.equal(addDuration("PT0S", now, "UTC"), now);
    assert.equal(addDuration(0, now, "UTC"), now);
    assert.equal(addDuration("-PT1S", now, "UTC"), undefined);
    assert.equal(addDuration(-0.000001, now, "UTC"), undefined);
  });

  it("is in the year 2254 at the latest", () => {
    assert.equal(addDuration("P228Y9M3DT11H59M59S", now, "UTC"), at("2254-12-31T23:59:59Z"));
    assert.equal(addDuration("P228Y9M3DT12H", now, "UTC"), undefined);
  });

  it("does not exist for what is not a duration", () => {
    for (const value of ["", "1 day", "P", null, undefined, {}, true, Number.NaN, Number.POSITIVE_INFINITY])
      assert.equal(addDuration(value, now, "UTC"), undefined);
  });
});
