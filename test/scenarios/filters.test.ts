import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import fc from "fast-check";
import { compareDecimals, decimal } from "../../src/domain/values/decimal.ts";
import { openZone, parseInstant } from "../../src/domain/values/time.ts";
import {
  DAY,
  formatTime,
  fullTender,
  type PublishedTender,
  publish,
  publishForBids,
  school,
} from "../support/examples.ts";
import { type Api, errorsOf, expectStatus, START, sharedWorld, type TestResponse } from "../support/world.ts";

/** Tenders are found by their contents. */

const idsOf = ({ body }: TestResponse): string[] => body.data.map(({ id }: { id: string }) => id);
const queryOf = (query: object) => new URLSearchParams(query as { [name: string]: string }).toString();
const atOf = ({ response }: PublishedTender): number =>
  parseInstant(response.body.data.dateModified, openZone("Europe/Kyiv")) as number;
const numberOf = ({ response }: PublishedTender): string => response.body.data.tenderID;

const buyer = (id: string) => ({ ...school, identifier: { ...school.identifier, id } });
const [item] = fullTender().items;
const classified = (id: string) => ({ ...item, classification: { ...item!.classification, id } });

describe("a feed filter", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const findIds = async (query: object, version = "2.5") =>
    idsOf(expectStatus(200, await world.api(version).get(`/tenders?${queryOf(query)}`)));
  let tendering: PublishedTender;
  let meals: PublishedTender;
  let fuel: PublishedTender;

  before(async () => {
    tendering = await publishForBids(world, { procuringEntity: buyer("11111111") });
    // Reading the feed carries out due deadlines first.
    assert.deepEqual(await findIds({}), [tendering.id]);
    meals = await publish(world.api("2.3"), fullTender(world.clock.now));
    world.clock.forward(DAY);
    fuel = await publish(world.api("2.3"), {
      ...fullTender(world.clock.now),
      value: { amount: 1000.5, currency: "EUR", valueAddedTaxIncluded: true },
      minimalStep: { amount: 1, currency: "EUR", valueAddedTaxIncluded: true },
      items: [classified("09111100-1"), classified("09111000-0")],
    });
    assert.deepEqual(await findIds({}), [tendering.id, meals.id, fuel.id]);
  });

  it("matches the status, in the terms of the version", async () => {
    assert.deepEqual(await findIds({ status: "active.tendering" }), [tendering.id]);
    for (const version of ["2.3", "0", "0.1", "0.2"])
      assert.deepEqual(await findIds({ status: "tendering" }, version), [tendering.id]);
    assert.deepEqual(await findIds({ status: "active.tendering, active.enquiries" }), [
      tendering.id,
      meals.id,
      fuel.id,
    ]);
    assert.deepEqual(await findIds({ status: "complete,draft" }), []);
    const foreign = expectStatus(422, await world.api("2.3").get("/tenders?status=active.tendering,complete,x"));
    assert.deepEqual(errorsOf(foreign), [
      "params/status: No such status: active.tendering, x. Statuses are draft, active.enquiries, tendering, " +
        "active.auction, active.qualification, active.awarded, active, complete, cancelled, unsuccessful.",
    ]);
  });

  it("matches the buyer, a classification prefix, the value and the currency", async () => {
    assert.deepEqual(await findIds({ procuringEntity: "11111111" }), [tendering.id]);
    assert.deepEqual(await findIds({ procuringEntity: "1111111" }), []);
    assert.deepEqual(await findIds({ classification: "09" }), [fuel.id]);
    assert.deepEqual(await findIds({ classification: "555,091110" }), [tendering.id, meals.id, fuel.id]);
    assert.deepEqual(await findIds({ classification: "111", status: "" }), []);
    assert.deepEqual(await findIds({ value_min: "1000.5", value_max: "1000.50" }), [fuel.id]);
    assert.deepEqual(await findIds({ value_min: "1000.500000000000000001" }), [tendering.id, meals.id]);
    assert.deepEqual(await findIds({ value_max: "5e5", currency: "UAH" }), [tendering.id, meals.id]);
    assert.deepEqual(await findIds({ value_min: "-1", value_max: "-0.5" }), []);
  });

  it("matches the number of a tender, which old versions derive from its id", async () => {
    assert.deepEqual(await findIds({ tenderID: numberOf(meals) }), [meals.id]);
    assert.deepEqual(await findIds({ tenderID: numberOf(meals) }, "2.3"), [meals.id]);
    assert.deepEqual(await findIds({ tenderID: "UA-never" }), []);
    for (const version of ["0", "0.1", "0.2"]) {
      const { tenderID } = (await world.api(version).get(meals.path)).body.data;
      assert.equal(tenderID, `UA-${meals.id}`);
      assert.deepEqual(await findIds({ tenderID }, version), [meals.id]);
      assert.deepEqual(await findIds({ tenderID: meals.id }, version), []);
    }
  });

  it("by number matches a tender in any mode", async () => {
    const made = await publish(world.api("2.3"), { ...fullTender(world.clock.now), mode: "test" });
    assert.deepEqual(await findIds({ tenderID: numberOf(made) }), [made.id]);
    assert.deepEqual(await findIds({ tenderID: numberOf(made), mode: "test" }), [made.id]);
    assert.ok(!(await findIds({})).includes(made.id));
  });

  it("reads a date without a time as the whole day in the registry's time zone", async () => {
    const day = formatTime(atOf(meals)).slice(0, 10);
    assert.deepEqual(await findIds({ dateModified_from: day, dateModified_to: day }), [tendering.id, meals.id]);
    assert.deepEqual(
      await findIds({ dateModified_from: formatTime(atOf(meals)), dateModified_to: formatTime(atOf(meals)) }),
      [meals.id],
    );
    const ends = formatTime(START + 14 * DAY);
    const end = ends.slice(0, 10);
    assert.deepEqual(await findIds({ "tenderPeriod.endDate_to": end }), [tendering.id]);
    assert.deepEqual(await findIds({ "tenderPeriod.endDate_to": ends }), [tendering.id]);
    assert.deepEqual(await findIds({ "tenderPeriod.endDate_to": formatTime(START + 14 * DAY - 1) }), []);
    assert.deepEqual(await findIds({ "enquiryPeriod.endDate_from": end, "enquiryPeriod.endDate_to": end }), [meals.id]);
    assert.deepEqual(await findIds({ "tenderPeriod.startDate_from": formatTime(START + 8 * DAY) }), [
      meals.id,
      fuel.id,
    ]);
    const spaced = `/tenders?tenderPeriod.endDate_to=${ends.replace("+", " ")}`;
    assert.deepEqual(idsOf(expectStatus(200, await api.get(spaced))), [tendering.id]);
  });

  it("reports all invalid parameters at once, and ignores empty ones", async () => {
    const wrong = {
      status: "none",
      value_min: "much",
      value_max: "1,5",
      dateModified_from: "2026-02-30",
      dateModified_to: "yesterday",
      "tenderPeriod.startDate_from": "20261301",
      "tenderPeriod.endDate_to": "9999-12-31",
      classification: Array.from({ length: 101 }, (_, i) => i).join(),
    };
    for (const version of ["2.5", "2.3", "0.1"]) {
      const refused = expectStatus(422, await world.api(version).get(`/tenders?${queryOf(wrong)}`));
      assert.deepEqual(
        errorsOf(refused)
          .map((text) => text.slice(0, text.indexOf(":")))
          .sort(),
        Object.keys(wrong)
          .map((name) => `params/${name}`)
          .sort(),
      );
    }
    const empty = Object.fromEntries(Object.keys(wrong).map((name) => [name, ""]));
    assert.deepEqual(await findIds({ ...empty, status: ",", classification: " , " }), [
      tendering.id,
      meals.id,
      fuel.id,
    ]);
  });

  it("with a misspelt name is ignored and named in a header, even if the response is cached", async () => {
    const all = await findIds({});
    for (const more of ["", "&opt_fields=status"])
      for (const _again of [1, 2]) {
        const path = `/tenders?stat=bogus&limit=100&foo%0d%0a=1&descending=&feed=changes${more}`;
        const page = expectStatus(200, await api.get(path, { key: "" }));
        assert.deepEqual(idsOf(page), all);
        assert.equal(page.headers.get("X-Ignored-Parameters"), "stat, foo%0D%0A");
      }
    const understood = await api.get("/tenders?status=active.tendering&mode=_all_&opt_pretty=1");
    assert.equal(understood.headers.get("X-Ignored-Parameters"), null);
    const long = await api.get(`/tenders?${"|".repeat(6000)}=1`);
    assert.ok(long.headers.get("X-Ignored-Parameters")!.length < 200);
  });

  it("is repeated in the links with all other parameters", async () => {
    const filter = { status: "active.enquiries,active.tendering", value_min: "1", dateModified_from: "2026-01-01" };
    const first = expectStatus(200, await api.get(`/tenders?${queryOf({ ...filter, limit: 1, opt_fields: "value" })}`));
    const next = new URL(first.body.next_page.uri);
    assert.deepEqual(Object.fromEntries(next.searchParams), {
      ...{ ...filter, limit: "1", opt_fields: "value" },
      offset: first.body.next_page.offset,
    });
    assert.equal(first.body.data[0].value.amount, 500000);
    const second = expectStatus(200, await api.get(`/tenders${next.search}`));
    assert.deepEqual(idsOf(second), [meals.id]);
    assert.match(second.body.prev_page.path, /status=active.enquiries%2Cactive.tendering/);
    const back = await findIds({ ...filter, descending: "1" });
    assert.deepEqual(back, [fuel.id, meals.id, tendering.id]);
  });

  it("returns the same result until a tender changes, and then the new one", async () => {
    const path = "/tenders?procuringEntity=22222222";
    const anyone = { key: null };
    assert.deepEqual(idsOf(await api.get(path, anyone)), []);
    assert.deepEqual(idsOf(await api.get(path, anyone)), []);
    const late = await publish(world.api("2.3"), {
      ...fullTender(world.clock.now),
      procuringEntity: buyer("22222222"),
    });
    assert.deepEqual(idsOf(await api.get(path, anyone)), [late.id]);
    world.clock.forward(7 * DAY);
    const moved = await findIds({ procuringEntity: "22222222", status: "active.tendering" });
    assert.deepEqual(moved, [late.id]);
  });
});

type Model = { readonly id: string; readonly entity: string; readonly code: string; readonly amount: string };

describe("a filtered feed", async () => {
  const world = await sharedWorld();
  const made: Model[] = [];
  before(async () => {
    for (let i = 0; i < 24; i++) {
      const entity = `0000000${i % 3}`;
      const code = ["03111900-1", "03113200-2", "09111000-0"][(i * 7) % 3]!;
      const amount = ["0.1", "9.99", "10", "10.5", "100"][i % 5]!;
      const { id } = await publish(world.api("2.3"), {
        ...fullTender(world.clock.now),
        value: { amount, currency: "UAH", valueAddedTaxIncluded: true },
        minimalStep: { amount: "0.01", currency: "UAH", valueAddedTaxIncluded: true },
        procuringEntity: buyer(entity),
        items: [classified(code)],
      });
      made.push({ id, entity, code, amount });
      world.clock.forward(DAY / 10);
    }
  });

  const meets = (tender: Model, query: { readonly [name: string]: string | undefined }): boolean =>
    (!query.procuringEntity || tender.entity === query.procuringEntity) &&
    (!query.classification || query.classification.split(",").some((code) => code && tender.code.startsWith(code))) &&
    (!query.value_min || compareDecimals(decimal(tender.amount), decimal(query.value_min)) >= 0) &&
    (!query.value_max || compareDecimals(decimal(tender.amount), decimal(query.value_max)) <= 0);

  const someQuery = fc.record(
    {
      procuringEntity: fc.constantFrom("00000000", "00000001", "00000009", ""),
      classification: fc.constantFrom("0", "03", "0311,09", "09111000-0", "4"),
      value_min: fc.constantFrom("0.1", "10", "10.00", "1e1", "99.999", ""),
      value_max: fc.constantFrom("9.99", "10.5", "100", "0"),
      status: fc.constantFrom("active.enquiries", "active.enquiries,complete"),
    },
    { requiredKeys: [] },
  );

  it("has exactly the matching entries of the whole feed, in its order, page by page, in every version", async () => {
    await fc.assert(
      fc.asyncProperty(
        someQuery,
        fc.constantFrom("2.5", "2.3", "0", "0.1", "0.2"),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        async (query, version, limit, descending) => {
          const met = made.filter((tender) => meets(tender, query)).map(({ id }) => id);
          const params = { ...query, limit: String(limit), ...(descending && { descending: "1" }) };
          assert.deepEqual(await walk(world.api(version), params), descending ? met.reverse() : met);
        },
      ),
      { numRuns: 40 },
    );
  });
});

async function walk(api: Api, query: object): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let path = `/tenders?${queryOf(query)}`; ; ) {
    const page = expectStatus(200, await api.get(path));
    if (idsOf(page).length === 0) return ids;
    ids.push(...idsOf(page));
    path = page.body.next_page.path.replace(/^\/api\/[^/]+/, "");
  }
}
