import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { runs } from "../../test/support/tier.ts";
import type { Tender } from "../domain/model/tender.ts";
import { compareDecimals, decimal } from "../domain/values/decimal.ts";
import type { Instant } from "../domain/values/time.ts";
import { facetsOf } from "./facets.ts";
import { edit, make, type OpenTestStore, type Proof, withOpenStore } from "./store.contract.ts";
import type { Filter, Store, ValueRange } from "./store.ts";

/** The part of the contract about filtered feeds. */
export function searchContract(name: string, open: OpenTestStore): void {
  const proves = (sentence: string, proof: Proof) => test(sentence, () => withOpenStore(open, proof));
  describe(`${name}: filtered feeds`, () => {
    testFilters(open);
    testIndexUpdates(proves);
  });
}

type Proves = (sentence: string, proof: Proof) => void;
type Fields = Partial<Tender>;

const STATUSES = ["active.enquiries", "active.tendering", "complete"] as const;
const CODES = ["03111900-1", "03113200-2", "09111000-0", "х\0\ud800", "", "\u{10FFFF}"];
const AMOUNTS = ["0", "0.1", "9.99", "10", "10.5", "100", "12345678901234567890.01"].map(decimal);
const CURRENCIES = ["UAH", "EUR"];
const ENTITIES = ["00037256", "\0", "x".repeat(5000), "ні"];

const oneOf = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
const someFields: fc.Arbitrary<Fields> = fc.record(
  {
    status: fc.oneof(oneOf(STATUSES), fc.constant("draft" as const)),
    mode: fc.constant("test" as const),
    value: fc.record({ amount: oneOf(AMOUNTS), currency: oneOf(CURRENCIES) }, { requiredKeys: ["amount"] }),
    procuringEntity: fc.record({ identifier: fc.record({ id: oneOf(ENTITIES) }) }) as fc.Arbitrary<never>,
    items: fc.array(fc.record({ id: fc.constant("1"), classification: fc.record({ id: oneOf(CODES) }) }), {
      maxLength: 3,
    }) as fc.Arbitrary<never>,
    enquiryPeriod: fc.record({ endDate: fc.integer({ min: 0, max: 5 }) }, { requiredKeys: [] }),
    tenderPeriod: fc.record(
      { startDate: fc.integer({ min: 0, max: 5 }), endDate: fc.integer({ min: 0, max: 5 }) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const rangeOf = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<ValueRange<Value>> =>
  fc.record({ from: values, to: values }, { requiredKeys: [] });
const someFilter: fc.Arbitrary<Filter> = fc.record(
  {
    id: oneOf(["a", "never\0"]),
    statuses: fc.uniqueArray(oneOf(STATUSES), { minLength: 1 }),
    entity: oneOf([...ENTITIES, "never"]),
    classifications: fc.uniqueArray(oneOf(["", "0", "03", "03111900-1", "х", "4"]), { minLength: 1 }),
    amount: rangeOf(oneOf(AMOUNTS)),
    currency: oneOf(CURRENCIES),
    tenderID: oneOf(["UA-a", "UA-b", "UA-never"]),
    dates: fc.record(
      {
        enquiryEnd: rangeOf(fc.integer({ min: 0, max: 5 })),
        tenderStart: rangeOf(fc.integer({ min: 0, max: 5 })),
        tenderEnd: rangeOf(fc.integer({ min: 0, max: 5 })),
        dateModified: rangeOf(fc.integer({ min: 1_000_000, max: 1_000_010 })),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const isWithin = (at: Instant | undefined, range: ValueRange<Instant> | undefined): boolean =>
  !range ||
  (range.from === undefined && range.to === undefined) ||
  (at !== undefined && at >= (range.from ?? at) && at <= (range.to ?? at));

const normalised = (text: string | undefined) => text?.replaceAll("\0", "").toWellFormed();

function isMatch(tender: Tender, filter: Filter) {
  const { id, statuses, entity, classifications, amount, currency, tenderID, dates } = filter;
  const { value, items = [] } = tender;
  const tenderAmount = value?.amount;
  return (
    (id === undefined || tender.id === id) &&
    (!statuses || statuses.includes(tender.status)) &&
    (entity === undefined || normalised(tender.procuringEntity?.identifier?.id) === normalised(entity)) &&
    (!classifications ||
      items.some((item) =>
        classifications.some((prefix) => normalised(item.classification?.id)?.startsWith(prefix)),
      )) &&
    (!(amount?.from ?? amount?.to) ||
      (tenderAmount !== undefined &&
        compareDecimals(tenderAmount, amount?.from ?? tenderAmount) >= 0 &&
        compareDecimals(tenderAmount, amount?.to ?? tenderAmount) <= 0)) &&
    (currency === undefined || value?.currency === currency) &&
    (tenderID === undefined || tender.tenderID === tenderID) &&
    isWithin(tender.dateModified, dates?.dateModified) &&
    isWithin(tender.enquiryPeriod?.endDate, dates?.enquiryEnd) &&
    isWithin(tender.tenderPeriod?.startDate, dates?.tenderStart) &&
    isWithin(tender.tenderPeriod?.endDate, dates?.tenderEnd)
  );
}

function testFilters(open: OpenTestStore): void {
  const someWrites = fc.array(fc.record({ id: oneOf(["a", "b", "c", "d", "e"]), fields: someFields }), {
    maxLength: 20,
  });
  test("a filtered feed has exactly the tenders of the feed that match, in its order, page by page", () =>
    fc.assert(
      fc.asyncProperty(someWrites, fc.array(someFilter, { minLength: 5, maxLength: 10 }), (writes, filters) =>
        withOpenStore(open, async (store) => {
          const tenders = new Map<string, Tender>();
          for (const { id, fields } of writes)
            tenders.set(id, tenders.has(id) ? await edit(store, id, fields) : await make(store, id, fields));
          const listed = [...tenders.values()]
            .filter(({ status }) => status !== "draft")
            .sort((a, b) => a.dateModified - b.dateModified);
          for (const filter of filters)
            for (const descending of [false, true]) {
              const matches = listed.filter((tender) => isMatch(tender, filter)).map(({ id }) => id);
              assert.deepEqual(await walk(store, filter, descending), descending ? matches.reverse() : matches);
            }
        }),
      ),
      { numRuns: runs(8) },
    ));
}

/** Values for every field that can be filtered by. */
const searchableFields = (name: string): Fields =>
  ({
    value: { amount: decimal("10.5"), currency: "UAH" },
    procuringEntity: { identifier: { id: name } },
    items: [
      { id: "1", classification: { id: `${name}-2` } },
      { id: "2", classification: { id: `${name}-1` } },
    ],
    enquiryPeriod: { endDate: 1 },
    tenderPeriod: { startDate: 2, endDate: 3 },
  }) as Fields;

/** Asserts that each tender is found by its current values only. */
async function assertFoundByFacets(store: Store, ids: readonly string[]): Promise<void> {
  for await (const { id, facets } of allOf(store))
    assert.deepEqual(facets, facetsOf((await store.find(id))!.tender), `search columns of ${id}`);
  const tenders = await Promise.all(ids.map(async (id) => (await store.find(id))!.tender));
  for (const name of ["old", "new"])
    for (const filter of [
      { entity: name },
      { classifications: [`${name}-`] },
      { statuses: ["complete"] },
      { id: "a" },
    ]) {
      const matches = tenders
        .filter((tender) => isMatch(tender, filter))
        .sort((a, b) => a.dateModified - b.dateModified);
      assert.deepEqual(
        await walk(store, filter, false),
        matches.map(({ id }) => id),
      );
    }
}

async function* allOf(store: Store) {
  const scan = await store.scan();
  try {
    yield* scan.tenders();
  } finally {
    await scan.close();
  }
}

/** Tests the last migration. `undo` reverts a closed store to the previous schema version, as an older release left it. */
export async function testOlderSchema(open: () => Promise<Store>, undo: () => Promise<void>): Promise<void> {
  const older = await open();
  await make(older, "b", searchableFields("old"), { wakeAt: 7 });
  await make(older, "a", searchableFields("old"));
  await edit(older, "b", searchableFields("new"), { wakeAt: 8 });
  await older.close();
  await undo();
  const store = await open();
  try {
    await assertFoundByFacets(store, ["a", "b"]);
    assert.deepEqual(await store.due(8, 10), ["b"]);
    await edit(store, "a", { ...searchableFields("new"), status: "complete" });
    await make(store, "c", searchableFields("old"));
    await assertFoundByFacets(store, ["a", "b", "c"]);
  } finally {
    await store.close();
  }
}

function testIndexUpdates(proves: Proves): void {
  proves("a tender is found by its last values, also if it was created and changed in one commit", async (store) => {
    await Promise.all([
      make(store, "a", searchableFields("old")),
      make(store, "b", searchableFields("old")),
      edit(store, "a", searchableFields("new")),
      edit(store, "b", { status: "complete" }),
    ]);
    await assertFoundByFacets(store, ["a", "b"]);
    await Promise.all([edit(store, "b", searchableFields("new")), edit(store, "b", { status: "active.tendering" })]);
    await assertFoundByFacets(store, ["a", "b"]);
  });

  proves("a public change moves a tender in the filtered feed, and any other does not", async (store) => {
    const { dateModified } = await make(store, "a", searchableFields("old"));
    await make(store, "b", searchableFields("old"));
    await edit(store, "a", { dateModified, title: "sealed" });
    await assertFoundByFacets(store, ["a", "b"]);
    assert.deepEqual(await walk(store, { entity: "old" }, false), ["a", "b"]);
    await edit(store, "a", { title: "public" });
    assert.deepEqual(await walk(store, { entity: "old" }, false), ["b", "a"]);
    await edit(store, "a", { status: "draft" });
    assert.deepEqual(await walk(store, { entity: "old" }, false), ["b"]);
  });
}

async function walk(store: Store, filter: Filter, descending: boolean): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let beyond: Instant | undefined; ; ) {
    const page = await store.feed({ modes: "all", filter, descending, beyond, limit: 2 });
    if (page.length === 0) return ids;
    ids.push(...page.map(({ id }) => id));
    beyond = page.at(-1)!.dateModified;
  }
}
