import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  DAY,
  dayOf,
  formatInstant,
  formatUnix,
  HOUR,
  type Instant,
  MINUTE,
  openZone,
  parseCommonForm,
  parseInstant,
  parseUnix,
  SECOND,
} from "./time.ts";

const kyiv = openZone("Europe/Kyiv");
const utc = openZone("UTC");

const anyInstant = fc.maxSafeInteger();
const thisCentury = fc.integer({ min: Date.UTC(2000) * 1000, max: Date.UTC(2100) * 1000 });
const nearTransition = fc
  .tuple(anyInstant, fc.integer({ min: -3 * HOUR, max: 3 * HOUR }), fc.boolean())
  .map(([at, shift, exactly]) => {
    const transition = zoned(at, "Europe/Kyiv").getTimeZoneTransition("next");
    const near = Number((transition?.epochNanoseconds ?? 0n) / 1000n) + (exactly ? Math.sign(shift) : shift);
    return Number.isSafeInteger(near) ? near : 0;
  });
const instants = fc.oneof(anyInstant, thisCentury, nearTransition);

function zoned(at: Instant, zone: string): Temporal.ZonedDateTime {
  return new Temporal.Instant(BigInt(at) * 1000n).toZonedDateTimeISO(zone);
}

function expectedText(at: Instant, zoneName: string): string {
  const moment = zoned(at, zoneName);
  const wholeMinutes = Math.floor(moment.offsetNanoseconds / 60e9);
  const sign = wholeMinutes < 0 ? "-" : "+";
  const size = Math.abs(wholeMinutes);
  const offset = sign + String(Math.floor(size / 60)).padStart(2, "0") + ":" + String(size % 60).padStart(2, "0");
  const local = moment.toInstant().toZonedDateTimeISO(offset).toPlainDateTime();
  const digits = at % SECOND === 0 ? 0 : 6;
  return local.toString({ fractionalSecondDigits: digits }) + offset;
}

describe("an instant in text", () => {
  it("shows six digits of the fraction, or none when it is zero", () => {
    assert.equal(formatInstant(1794878218884710, kyiv), "2026-11-17T03:16:58.884710+02:00");
    assert.equal(formatInstant(1794878218000000, kyiv), "2026-11-17T03:16:58+02:00");
    assert.equal(formatInstant(1794878218000001, utc), "2026-11-17T01:16:58.000001+00:00");
    assert.equal(formatInstant(-1, utc), "1969-12-31T23:59:59.999999+00:00");
  });

  it("is what Temporal prints, at any time of history and around every change of the clocks", () => {
    for (const name of ["Europe/Kyiv", "America/St_Johns", "Asia/Kathmandu", "-03:30", "UTC"]) {
      const zone = openZone(name);
      fc.assert(
        fc.property(instants, (at) => {
          assert.equal(formatInstant(at, zone), expectedText(at, name));
          assert.equal(dayOf(at, zone), zoned(at, name).toPlainDate().toString());
          assert.equal(zone.offsetAt(at), zoned(at, name).offsetNanoseconds / 1000);
        }),
        { numRuns: 300 },
      );
    }
  });

  it("is right at both ends of the range and on the last microsecond of a far second", () => {
    for (const at of [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 9007199253999999, -9007199253000001]) {
      assert.equal(formatInstant(at, utc), expectedText(at, "UTC"));
      assert.equal(parseInstant(formatInstant(at, kyiv), utc), at);
    }
  });

  it("parses back to the same instant", () => {
    fc.assert(fc.property(instants, (at) => assert.equal(parseInstant(formatInstant(at, kyiv), utc), at)));
  });

  it("without an offset is local time, the earlier of two, and unparsable when clocks skip it", () => {
    fc.assert(
      fc.property(instants, (at) => {
        const local = zoned(at, "Europe/Kyiv").toPlainDateTime();
        const earlier = local.toZonedDateTime("Europe/Kyiv", { disambiguation: "earlier" });
        assert.equal(parseInstant(local.toString(), kyiv), Number(earlier.epochNanoseconds / 1000n));
      }),
    );
    assert.equal(parseInstant("2026-03-29T03:00:00", kyiv), "unparsable");
    assert.equal(parseInstant("2026-03-29T03:59:59.999999", kyiv), "unparsable");
    assert.equal(parseInstant("2026-03-29T02:59:59", kyiv), Date.UTC(2026, 2, 29, 0, 59, 59) * 1000);
    assert.equal(parseInstant("2026-03-29T04:00", kyiv), Date.UTC(2026, 2, 29, 1) * 1000);
    assert.equal(parseInstant("2026-10-25T03:30", kyiv), Date.UTC(2026, 9, 25, 0, 30) * 1000);
    assert.equal(parseInstant("2026-10-25T04:00", kyiv), Date.UTC(2026, 9, 25, 2) * 1000);
    assert.equal(parseInstant("2011-12-30T12:00", openZone("Pacific/Apia")), "unparsable");
  });

  it("may be written in every accepted form", () => {
    const midnight = Date.UTC(2026, 10, 14, 22) * 1000;
    const full = midnight + 3 * HOUR + 16 * MINUTE + 58 * SECOND;
    const forms: [string, Instant][] = [
      ["2026-11-15", midnight],
      ["20261115", midnight],
      ["2026-11-15T03", midnight + 3 * HOUR],
      ["2026-11-15 03:16", midnight + 3 * HOUR + 16 * MINUTE],
      ["2026-11-15t0316", midnight + 3 * HOUR + 16 * MINUTE],
      ["2026-11-15T031658", full],
      ["20261115T03:16:58", full],
      ["2026-11-15T03:16:58.884710", full + 884710],
      ["2026-11-15T03:16:58,5", full + 500000],
      ["2026-11-15T03:16:58.88471099999999999999", full + 884710],
      ["2026-11-15T03:16:58Z", full + 2 * HOUR],
      ["2026-11-15T03:16:58z", full + 2 * HOUR],
      ["2026-11-15T03:16:58+02", full],
      ["2026-11-15T03:16:58-0330", full + 5 * HOUR + 30 * MINUTE],
      ["2026-11-15T03:16:58+02:00", full],
      ["2026-11-15T03+23:59", midnight + 5 * HOUR - DAY + MINUTE],
      ["2024-02-29", Date.UTC(2024, 1, 28, 22) * 1000],
    ];
    for (const [text, at] of forms) assert.equal(parseInstant(text, kyiv), at, text);
  });

  it("is read by place in the form that programs write, with any digits", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e15 }),
        fc.nat(6),
        fc.constantFrom("Z", "+02:00", "-11:45"),
        (at, places, end) => {
          const text = new Date(at / 1000).toISOString().slice(0, 19);
          const fraction = String(at % 1_000_000)
            .padStart(6, "0")
            .slice(0, places);
          const sent = `${text}${places > 0 ? "." : ""}${fraction}${end}`;
          const parsed = parseCommonForm(sent);
          assert.notEqual(parsed, undefined, sent);
          assert.equal(parsed, parseInstant(sent.replace("T", "t"), kyiv), sent);
        },
      ),
    );
  });

  it("means the same whether it is read by place or by its parts", () => {
    const digits = (length: number) =>
      fc
        .oneof(fc.integer({ min: 0, max: 10 ** length - 1 }), fc.constantFrom(0, 1, 12, 23, 29, 31, 59))
        .map((value) => String(value % 10 ** length).padStart(length, "0"));
    const fraction = fc.oneof(
      fc.constantFrom("", ".", ",5", ".1234567"),
      digits(6).map((all) => `.${all}`),
      digits(3).map((all) => `.${all}`),
    );
    const offset = fc.oneof(
      fc.constantFrom("Z", "", "z", "+02", "+0200"),
      fc
        .tuple(fc.constantFrom("+", "-", " "), digits(2), fc.constantFrom(":", ""), digits(2))
        .map((parts) => parts.join("")),
    );
    const date = fc
      .tuple(fc.oneof(digits(4), fc.constant("2026")), digits(2), digits(2))
      .map((parts) => parts.join("-"));
    const clock = fc.tuple(digits(2), digits(2), digits(2)).map((parts) => parts.join(":"));
    const damage = fc.option(fc.tuple(fc.nat(30), fc.constantFrom("x", " ", "٣", "-")));
    fc.assert(
      fc.property(date, clock, fraction, offset, damage, (day, time, rest, zoneText, broken) => {
        const text = `${day}T${time}${rest}${zoneText}`;
        const sent = broken ? text.slice(0, broken[0]) + broken[1] + text.slice(broken[0] + 1) : text;
        assert.equal(parseInstant(sent, kyiv), parseInstant(sent.replace("T", "t"), kyiv));
      }),
      { numRuns: 5000 },
    );
  });

  it("is unparsable when it is malformed or names a time that does not exist", () => {
    const dates = [
      "",
      "2026",
      "2026-11",
      "2026-1115",
      "202611-15",
      "2026-02-31",
      "2025-02-29",
      "1900-02-29",
      "2026-00-01",
    ];
    const more = [
      "2026-13-01",
      "2026-11-00",
      "2026-11-31",
      "0000-01-01",
      "12026-01-01",
      "+002026-01-01",
      "2026-11-15Z",
    ];
    const times = [
      "24",
      "25",
      "03:60",
      "03:16:60",
      "3",
      "03:1",
      "03:1658",
      "0316:58",
      "03:16:58.",
      "03:16.5",
      "03:16:58 Z",
    ];
    const offsets = ["+24:00", "+02:60", "+2", "+02:0", "Z+02", "+", "+02:00:00"];
    for (const text of [
      ...dates,
      ...more,
      "2026-11-15T",
      "2026-11-15  03",
      " 2026-11-15",
      "2026-11-15\n",
      "٢٠٢٦-11-15",
    ])
      assert.equal(parseInstant(text, kyiv), "unparsable", text);
    // One wrong separator in the form that is read by place.
    for (const text of ["2026-11-15T03:16:58.88Z", "2026-11-15T03:16:58.88+02:00"])
      for (const at of [4, 7, 10, 13, 16, 19])
        assert.equal(
          parseInstant(`${text.slice(0, at)}x${text.slice(at + 1)}`, kyiv),
          "unparsable",
          `${text} at ${at}`,
        );
    for (const time of times) assert.equal(parseInstant("2026-11-15T" + time, kyiv), "unparsable", time);
    for (const offset of offsets) assert.equal(parseInstant("2026-11-15T03" + offset, kyiv), "unparsable", offset);
  });

  it("is out of range exactly where a double no longer counts microseconds", () => {
    assert.equal(parseInstant("2255-06-05T23:47:34.740991Z", utc), Number.MAX_SAFE_INTEGER);
    assert.equal(parseInstant("2255-06-05T23:47:34.740992Z", utc), "out of range");
    assert.equal(parseInstant("2255-06-05T23:47:34.740993Z", utc), "out of range");
    assert.equal(parseInstant("2255-06-06T23:46:34.740991+23:59", utc), Number.MAX_SAFE_INTEGER);
    assert.equal(parseInstant("2255-06-06T02:47:34.740991", kyiv), Number.MAX_SAFE_INTEGER);
    assert.equal(parseInstant("2255-06-06T02:47:34.740992", kyiv), "out of range");
    assert.equal(parseInstant("1684-07-28T00:12:25.259009Z", utc), -Number.MAX_SAFE_INTEGER);
    assert.equal(parseInstant("1684-07-28T00:12:25.259008Z", utc), "out of range");
    for (const text of ["0001-01-01", "9999-12-31T23:59:59.999999", "9999-12-31T23:59:59-23:59", "1684-07-26"])
      assert.equal(parseInstant(text, kyiv), "out of range", text);
  });

  it("never makes the parser throw", () => {
    const pieces = fc.constantFrom("2026", "-", "11", "15", "T", " ", "03", ":", ".", "+", "Z", "0", "99", "é");
    const texts = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), (text) => {
        const at = parseInstant(text, kyiv);
        assert.ok(typeof at === "string" || Number.isSafeInteger(at));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a zone", () => {
  it("is refused when its name is unknown", () => {
    for (const name of ["Europe/Nowhere", "", "Z", "+25:00"]) assert.throws(() => openZone(name), RangeError, name);
  });

  it("may be a fixed offset", () => {
    assert.equal(formatInstant(0, openZone("+02:00")), "1970-01-01T02:00:00+02:00");
    assert.equal(openZone("-00:30").instantOf(0), 30 * MINUTE);
  });

  it("answers the same after its memory of intervals has turned over", () => {
    const zone = openZone("Europe/Kyiv");
    const years = Array.from({ length: 60 }, (_, index) => Date.UTC(1990 + index, 6, 1) * 1000);
    const summers = years.map((at) => zone.offsetAt(at));
    assert.deepEqual(
      years.map((at) => zone.offsetAt(at)),
      summers,
    );
    assert.deepEqual(
      summers,
      years.map((at) => zoned(at, "Europe/Kyiv").offsetNanoseconds / 1000),
    );
  });
});

describe("Unix time in text", () => {
  it("has seconds, a dot and six digits", () => {
    assert.equal(formatUnix(1794878218884710), "1794878218.884710");
    assert.equal(formatUnix(0), "0.000000");
    assert.equal(formatUnix(-1500000), "-1.500000");
  });

  it("parses back to the same instant", () => {
    fc.assert(fc.property(fc.maxSafeNat(), (at) => assert.equal(parseUnix(formatUnix(at)), at)));
  });

  it("may lack the fraction or carry more digits than count", () => {
    assert.equal(parseUnix("1794878218"), 1794878218000000);
    assert.equal(parseUnix("1794878218.1"), 1794878218100000);
    assert.equal(parseUnix("1794878218.8847109999"), 1794878218884710);
    assert.equal(parseUnix("007.000000"), 7 * SECOND);
  });

  it("is refused when it is malformed or too late to count", () => {
    for (const text of [
      "",
      ".5",
      "1.",
      "-1",
      "+1",
      " 1",
      "1e3",
      "0x1",
      "1,5",
      "NaN",
      "9007199254.740992",
      "9".repeat(400),
    ])
      assert.equal(parseUnix(text), undefined, text);
  });
});
