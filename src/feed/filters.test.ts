import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { openDialects } from "../dialects/dialects.ts";
import { openZone } from "../domain/values/time.ts";
import { FILTER_PARAMETERS } from "./filterParameters.ts";
import { FILTER_NAMES, parseFilter } from "./filters.ts";

const kyiv = openZone("Europe/Kyiv");
const dialect = openDialects({ zone: kyiv, sandbox: true, textBytesMax: 65536, listMax: 1000 }).get("2.5")!;

describe("filters", () => {
  it("are all in the API description", () => {
    assert.deepEqual(Object.keys(FILTER_PARAMETERS), FILTER_NAMES);
    for (const [name, described] of Object.entries(FILTER_PARAMETERS)) assert.equal(described.name, name);
  });

  it("are parsed in linear time, whatever the value", () => {
    // With quadratic time this test would not end within a day.
    const long = 1_000_000;
    for (const value of [" ".repeat(long), "2026-11-15T1 ".repeat(long / 10), `2026-11-15T10:00:00${" ".repeat(long)}`])
      for (const name of FILTER_NAMES) parseFilter(new URLSearchParams({ [name]: value }), dialect, kyiv);
  });

  it("read a date as its day from the first to the last microsecond, also where clocks skip midnight or a day", () => {
    const zones = ["Europe/Kyiv", "America/Havana", "Asia/Beirut", "Pacific/Apia", "America/St_Johns"];
    const days = fc.date({ min: new Date("1975-01-02"), max: new Date("2040-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom(...zones), days, fc.boolean(), (name, date, dashed) => {
        const day = date.toISOString().slice(0, 10);
        const text = dashed ? day : day.replaceAll("-", "");
        const query = new URLSearchParams({ dateModified_from: text, dateModified_to: text });
        const parsed = parseFilter(query, dialect, openZone(name));
        assert.ok("filter" in parsed);
        const { from, to } = parsed.filter!.dates!.dateModified!;
        const localDay = (at: number) =>
          new Temporal.Instant(BigInt(at) * 1000n).toZonedDateTimeISO(name).toPlainDate().toString();
        if (from! > to!) return assert.equal(`${name} ${day}`, "Pacific/Apia 2011-12-30");
        for (const [at, isOnDay] of [
          [from! - 1, false],
          [from!, true],
          [to!, true],
          [to! + 1, false],
        ] as const)
          assert.equal(localDay(at) === day, isOnDay, `${day} in ${name} at ${at}`);
      }),
    );
  });

  it("are undefined without filter parameters, and echo the parameters as they were sent", () => {
    assert.deepEqual(parseFilter(new URLSearchParams("status=&limit=5"), dialect, kyiv), {
      filter: undefined,
      echoed: [],
    });
    const parsed = parseFilter(new URLSearchParams("value_max=1e2&value_min=0.10&status=complete,"), dialect, kyiv);
    assert.deepEqual(parsed, {
      filter: { statuses: ["complete"], amount: { from: "0.1", to: "100" } },
      echoed: [
        ["status", "complete,"],
        ["value_min", "0.10"],
        ["value_max", "1e2"],
      ],
    });
  });
});
