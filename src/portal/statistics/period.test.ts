import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { openZone } from "../../domain/values/time.ts";
import { addMonths, monthsOf, periodQuery, readPeriod } from "./period.ts";

const zone = openZone("Europe/Kyiv");
/** Already the first of December in Kyiv. */
const NOW = Date.parse("2026-11-30T22:30:00Z") * 1000;
const read = (query: string) => readPeriod(new URLSearchParams(query), NOW, zone);
const periodOf = (query: string) => Object.values(read(query).period).join(" ");
const problemsOf = (query: string) => read(query).problems.map(({ parameter, rule }) => `${parameter} ${rule}`);

describe("the period of statistics", () => {
  it("is the last twelve months of the registry's zone", () => {
    assert.equal(periodOf(""), "2026-01 2026-12");
    assert.equal(monthsOf(read("").period).length, 12);
  });

  it("is what the parameters say", () => {
    assert.equal(periodOf("from=2025-11&to=2026-02"), "2025-11 2026-02");
    assert.deepEqual(monthsOf(read("from=2025-11&to=2026-02").period), ["2025-11", "2025-12", "2026-01", "2026-02"]);
    assert.equal(periodOf("from=2026-05&to=2026-05"), "2026-05 2026-05");
  });

  it("is completed if one end is missing or empty", () => {
    assert.equal(periodOf("to=2025-03"), "2024-04 2025-03");
    assert.equal(periodOf("from=2025-03"), "2025-03 2026-12");
    assert.equal(periodOf("from=2027-03"), "2027-03 2028-02");
    assert.equal(periodOf("from=&to="), "2026-01 2026-12");
  });

  it("ignores what other sites add to links", () => {
    assert.deepEqual(read("utm_source=x&fbclid=1").problems, []);
  });

  it("names each parameter that is wrong, and is the default one then", () => {
    const cases: readonly [string, ...string[]][] = [
      ["from=2026-13", "from month"],
      ["from=2026-1", "from month"],
      ["to=next&from=99999-01", "to month", "from month"],
      ["from=0001-01", "from month"],
      ["from=2026-05&to=2026-04", "from order"],
      ["from=2016-12&to=2026-12", "from length"],
      ["month=2026-11", "month unknown"],
      ["from=2026-01&from=2026-02", "from repeated", "from repeated"],
      ["__proto__=1", "__proto__ unknown"],
    ];
    for (const [query, ...problems] of cases) {
      assert.deepEqual(problemsOf(query), problems, query);
      assert.equal(periodOf(query), "2026-01 2026-12", query);
    }
    assert.deepEqual(problemsOf("from=2017-01&to=2026-12"), []);
  });

  it("is read from its own query, and from any other without a throw", () => {
    const months = fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 119 }));
    fc.assert(
      fc.property(months, fc.string(), ([start, length], noise) => {
        const from = addMonths("2000-01", start);
        const period = { from, to: addMonths(from, length) };
        assert.deepEqual(read(periodQuery(period)), { period, problems: [] });
        assert.equal(monthsOf(period).length, length + 1);
        assert.equal(monthsOf(period).at(-1), period.to);
        read(noise);
        read(`from=${noise}`);
      }),
    );
  });
});
