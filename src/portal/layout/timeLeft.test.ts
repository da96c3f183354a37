import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY, HOUR, MINUTE, SECOND } from "../../domain/values/time.ts";
import { timeLeftUntil } from "./timeLeft.ts";

const AT = 1_800_000_000 * SECOND;
const textOf = (left: number, language: "uk" | "en" = "en") => timeLeftUntil(AT, AT - left, language).text;

describe("the time left", () => {
  it("is written with the two units that matter, rounded down", () => {
    assert.equal(textOf(12 * DAY + 23 * HOUR), "12 days left");
    assert.equal(textOf(7 * DAY - 1), "6 days 23 hours left");
    assert.equal(textOf(DAY), "1 day left");
    assert.equal(textOf(DAY - 1), "23 hours 59 minutes left");
    assert.equal(textOf(HOUR), "1 hour left");
    assert.equal(textOf(61 * SECOND), "1 minute left");
    assert.equal(textOf(MINUTE - 1), "less than a minute left");
    assert.equal(textOf(0), "over");
    assert.equal(textOf(-DAY), "over");
    assert.equal(textOf(2 * DAY + 5 * HOUR, "uk"), "залишилося: 2 дні 5 годин");
  });

  it("says exactly until when its words are right", () => {
    const lefts = [40 * DAY, 7 * DAY, 7 * DAY - 1, 3 * DAY + 1, DAY, DAY - 1, 5 * HOUR, HOUR, MINUTE, MINUTE - 1, 1];
    for (const left of lefts) {
      const { text, sameUntil } = timeLeftUntil(AT, AT - left, "en");
      assert.ok(sameUntil > AT - left, text);
      assert.equal(timeLeftUntil(AT, sameUntil - 1, "en").text, text);
      assert.notEqual(timeLeftUntil(AT, sameUntil, "en").text, text);
    }
    assert.equal(timeLeftUntil(AT, AT, "en").sameUntil, Number.POSITIVE_INFINITY);
  });
});
