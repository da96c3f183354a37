import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { openZone } from "../domain/values/time.ts";
import { readSearchParameters } from "./readSearchParameters.ts";
import {
  formatSearchParameters,
  NO_SEARCH_PARAMETERS,
  SEARCH_PARAMETER_NAMES,
  searchFilterOf,
} from "./searchParameters.ts";

const zone = openZone("Europe/Kyiv");
const read = (query: string) => readSearchParameters(new URLSearchParams(query), { zone, pageSize: 20 });
const problemsOf = (query: string) => read(query).problems.map(({ parameter, kind }) => `${parameter}: ${kind}`);
/** The canonical address of a query that has nothing wrong. */
const canonical = (query: string): string => {
  const { parameters, problems } = read(query);
  assert.deepEqual(problems, []);
  return String(formatSearchParameters(parameters));
};

describe("the parameters of a search", () => {
  it("are all absent in an empty query, and empty values count as absent", () => {
    const empty = SEARCH_PARAMETER_NAMES.map((name) => `${name}=`).join("&");
    for (const query of ["", empty]) {
      const { parameters, problems } = read(query);
      assert.deepEqual(problems, []);
      assert.deepEqual({ ...NO_SEARCH_PARAMETERS, ...parameters }, parameters);
      assert.equal(String(formatSearchParameters(parameters)), "");
    }
    assert.deepEqual(formatSearchParameters(NO_SEARCH_PARAMETERS).size, 0);
  });

  it("have one canonical form", () => {
    const forms: readonly (readonly [string, string])[] = [
      ["q=+ремонт++даху+", "q=ремонт+даху"],
      ["status=complete,active.tendering&status=complete", "status=active.tendering&status=complete"],
      ["cpv=33600000-6,4500", "cpv=336&cpv=45"],
      ["buyer=00037256&supplier=AB-1,2", "buyer=UA-EDR-00037256&supplier=AB-1%2C2"],
      ["value_min=1 000 000,50&value_max=1e7", "value_min=1000000.5&value_max=10000000"],
      ["currency=uah&region=kyiv&procedure=belowThreshold", "procedure=belowThreshold&region=kyiv&currency=UAH"],
      ["sort=newest", ""],
      ["q=a&sort=relevance", "q=a"],
      ["q=a&sort=newest&page=1&mode=real", "q=a&sort=newest"],
      ["page=3&mode=test", "mode=test&page=3"],
      ["deadline_to=2026-11-20", "deadline_to=2026-11-20"],
      ["utm_source=x&fbclid=1&q=a", "q=a"],
    ];
    for (const [query, expected] of forms) assert.equal(decodeURI(canonical(query)), expected);
  });

  it("name everything that is wrong", () => {
    const wrong: readonly (readonly [string, string])[] = [
      ["status=draft", "status: status"],
      ["status=complete,nonsense", "status: status"],
      ["procedure=x", "procedure: procedure"],
      ["cpv=x", "cpv: cpv"],
      ["cpv=3", "cpv: cpv"],
      ["buyer=x", "buyer: organization"],
      ["supplier=%00", "supplier: organization"],
      ["region=mars", "region: region"],
      ["value_min=x", "value_min: amount"],
      ["value_min=-5", "value_min: amount"],
      ["value_min=5&value_max=1", "value_max: empty range"],
      ["currency=гривня", "currency: currency"],
      ["published_from=yesterday", "published_from: moment"],
      ["deadline_from=2026-02-30", "deadline_from: moment"],
      ["deadline_from=2026-11-20&deadline_to=2026-11-19", "deadline_to: empty range"],
      ["mode=all", "mode: mode"],
      ["sort=price", "sort: sort"],
      ["page=0", "page: page"],
      ["page=501", "page: page"],
      ["page=-1", "page: page"],
      ["page=1&page=2", "page: given twice"],
      ["q=!!!", "q: no words"],
      [`q=${"а".repeat(501)}`, "q: too long"],
      [`q=${Array.from({ length: 17 }, (_, i) => `w${i}`).join("+")}`, "q: too many words"],
      [`cpv=${Array.from({ length: 31 }, (_, i) => 11 + i).join(",")}`, "cpv: too many values"],
      ["query=a", "query: unknown parameter"],
    ];
    for (const [query, problem] of wrong) assert.deepEqual(problemsOf(query), [problem]);
    assert.equal(problemsOf(Array.from({ length: 1000 }, (_, i) => `x${i}=1`).join("&")).length, 20);
  });

  it("can be ended by days in the zone of the registry, which are included, or by moments", () => {
    const { published, deadline } = searchFilterOf(
      read("published_from=2026-11-16&published_to=2026-11-16&deadline_from=2026-11-16T10:00:00+02:00").parameters,
      zone,
    );
    assert.deepEqual(published, {
      from: Date.UTC(2026, 10, 15, 22) * 1000,
      to: Date.UTC(2026, 10, 16, 22) * 1000 - 1,
    });
    assert.deepEqual(deadline, { from: Date.UTC(2026, 10, 16, 8) * 1000, to: undefined });
  });

  it("have no empty range: the end that is wrong is left out", () => {
    const { valueMin, valueMax, deadlineTo, publishedTo } = read(
      "value_min=5&value_max=1&deadline_from=2026-11-20&deadline_to=2026-11-19&published_from=2026-11-20&published_to=2026-11-20",
    ).parameters;
    assert.deepEqual([valueMin, valueMax, deadlineTo, publishedTo], ["5", undefined, undefined, "2026-11-20"]);
  });

  it("never throw, and the canonical form of any query is its own canonical form", () => {
    const name = fc.oneof(fc.constantFrom(...SEARCH_PARAMETER_NAMES), fc.string());
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("complete", "33600000-6", "1,5", "2026-11-16", "kyiv", "UA-EDR-1", "послуги", "2", "value"),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 12 }), (pairs) => {
        const first = read(String(new URLSearchParams(pairs.map(([key, text]) => [key, text])))).parameters;
        const address = String(formatSearchParameters(first));
        const again = read(address);
        assert.equal(String(formatSearchParameters(again.parameters)), address);
        assert.deepEqual(again.problems, []);
        searchFilterOf(first, zone);
      }),
    );
  });
});
