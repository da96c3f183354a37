import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { compareDecimals, decimal } from "../domain/money.ts";
import type { Tender } from "../domain/tender.ts";
import type { Instant } from "../domain/time.ts";
import { edit, make, type Open, opened, type Proof } from "./store.contract.ts";
import type { Filter, NewNote, Range, Store } from "./store.ts";

/** What every adapter does beside keeping tenders: finding them by what they say, notes, and clocks of the sandbox. */
export function besideContract(name: string, open: Open): void {
  const proves = (sentence: string, proof: Proof) => test(sentence, () => opened(open, proof));
  describe(`${name}, beside keeping tenders`, () => {
    finding(open);
    noting(proves);
    deciding(proves);
    clocks(proves);
  });
}

type Proves = (sentence: string, proof: Proof) => void;
type Fields = Partial<Tender>;

const STATUSES = ["active.enquiries", "active.tendering", "complete"] as const;
const CODES = ["03111900-1", "03113200-2", "09111000-0", "х\0\ud800", "", "\u{10FFFF}"];
const AMOUNTS = ["0", "0.1", "9.99", "10", "10.5", "100", "12345678901234567890.01"].map(decimal);
const CURRENCIES = ["UAH", "EUR"];
const ENTITIES = ["00037256", "\0", "x".repeat(5000), "ні"];

const some = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
const someFields: fc.Arbitrary<Fields> = fc.record(
  {
    status: fc.oneof(some(STATUSES), fc.constant("draft" as const)),
    mode: fc.constant("test" as const),
    value: fc.record({ amount: some(AMOUNTS), currency: some(CURRENCIES) }, { requiredKeys: ["amount"] }),
    procuringEntity: fc.record({ identifier: fc.record({ id: some(ENTITIES) }) }) as fc.Arbitrary<never>,
    items: fc.array(fc.record({ id: fc.constant("1"), classification: fc.record({ id: some(CODES) }) }), {
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

const rangeOf = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Range<Value>> =>
  fc.record({ from: values, to: values }, { requiredKeys: [] });
const someFilter: fc.Arbitrary<Filter> = fc.record(
  {
    id: some(["a", "never\0"]),
    statuses: fc.uniqueArray(some(STATUSES), { minLength: 1 }),
    entity: some([...ENTITIES, "never"]),
    classifications: fc.uniqueArray(some(["", "0", "03", "03111900-1", "х", "4"]), { minLength: 1 }),
    amount: rangeOf(some(AMOUNTS)),
    currency: some(CURRENCIES),
    tenderID: some(["UA-a", "UA-b", "UA-never"]),
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

const isWithin = (at: Instant | undefined, range: Range<Instant> | undefined): boolean =>
  !range ||
  (range.from === undefined && range.to === undefined) ||
  (at !== undefined && at >= (range.from ?? at) && at <= (range.to ?? at));

const known = (text: string | undefined) => text?.replaceAll("\0", "").toWellFormed();

function meets(tender: Tender, filter: Filter) {
  const { id, statuses, entity, classifications, amount, currency, tenderID, dates } = filter;
  const { value, items = [] } = tender;
  const priced = value?.amount;
  return (
    (id === undefined || tender.id === id) &&
    (!statuses || statuses.includes(tender.status)) &&
    (entity === undefined || known(tender.procuringEntity?.identifier?.id) === known(entity)) &&
    (!classifications ||
      items.some((item) => classifications.some((prefix) => known(item.classification?.id)?.startsWith(prefix)))) &&
    (!(amount?.from ?? amount?.to) ||
      (priced !== undefined &&
        compareDecimals(priced, amount?.from ?? priced) >= 0 &&
        compareDecimals(priced, amount?.to ?? priced) <= 0)) &&
    (currency === undefined || value?.currency === currency) &&
    (tenderID === undefined || tender.tenderID === tenderID) &&
    isWithin(tender.dateModified, dates?.dateModified) &&
    isWithin(tender.enquiryPeriod?.endDate, dates?.enquiryEnd) &&
    isWithin(tender.tenderPeriod?.startDate, dates?.tenderStart) &&
    isWithin(tender.tenderPeriod?.endDate, dates?.tenderEnd)
  );
}

function finding(open: Open): void {
  const someWrites = fc.array(fc.record({ id: some(["a", "b", "c", "d", "e"]), fields: someFields }), {
    maxLength: 20,
  });
  test("a filtered feed is what of the whole feed meets the filter, in its order, page by page", () =>
    fc.assert(
      fc.asyncProperty(someWrites, fc.array(someFilter, { minLength: 5, maxLength: 10 }), (writes, filters) =>
        opened(open, async (store) => {
          const tenders = new Map<string, Tender>();
          for (const { id, fields } of writes)
            tenders.set(id, tenders.has(id) ? await edit(store, id, fields) : await make(store, id, fields));
          const listed = [...tenders.values()]
            .filter(({ status }) => status !== "draft")
            .sort((a, b) => a.dateModified - b.dateModified);
          for (const filter of filters)
            for (const descending of [false, true]) {
              const met = listed.filter((tender) => meets(tender, filter)).map(({ id }) => id);
              assert.deepEqual(await walk(store, filter, descending), descending ? met.reverse() : met);
            }
        }),
      ),
      { numRuns: 8 },
    ));
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

const note = (id: string, text: string | undefined, before = 0, dueAt?: Instant) => ({
  kind: "k",
  id,
  text,
  before,
  dueAt,
});

function noting(proves: Proves): void {
  proves("a note is what was last written under its name, also after a new start", async (store, reopen) => {
    assert.equal(await store.notes.put([note("a", "first"), note("b", "other", 0, 5)]), true);
    assert.equal(await store.notes.put([note("a", "second", 1)]), true);
    const { notes } = await reopen();
    assert.deepEqual(await notes.find({ kind: "k", id: "a" }), {
      ...{ kind: "k", id: "a", revision: 2, dueAt: undefined, text: "second" },
    });
    assert.equal(await notes.find({ kind: "other", id: "a" }), undefined);
    assert.equal(await notes.put([note("a", undefined, 2)]), true);
    assert.equal(await notes.find({ kind: "k", id: "a" }), undefined);
  });

  proves("notes are written all or none, and only over the revision that was seen", async ({ notes }) => {
    await notes.put([note("a", "first")]);
    assert.equal(await notes.put([note("b", "new"), note("a", "again")]), false);
    assert.equal(await notes.put([note("b", "new"), note("a", "again", 2)]), false);
    assert.equal(await notes.find({ kind: "k", id: "b" }), undefined);
    const raced = await Promise.all([1, 2, 3, 4].map((i) => notes.put([note("a", `by ${i}`, 1)])));
    assert.equal(raced.filter(Boolean).length, 1);
  });

  proves("notes are listed by id in both directions, and by when they are due", async ({ notes }) => {
    const dueAt: { [id: string]: Instant | undefined } = { a: 30, b: undefined, c: 10, d: 20 };
    await notes.put(Object.keys(dueAt).map((id) => note(id, id, 0, dueAt[id])));
    const ids = async (query: object) =>
      (await notes.list({ kind: "k", limit: 2, ...query })).map(({ id }) => id).join("");
    assert.equal(await ids({}), "ab");
    assert.equal(await ids({ beyond: "b" }), "cd");
    assert.equal(await ids({ descending: true }), "dc");
    assert.equal(await ids({ descending: true, beyond: "c" }), "ba");
    assert.deepEqual(
      (await notes.due("k", 29, 5)).map(({ id }) => id),
      ["c", "d"],
    );
    assert.equal((await notes.due("k", 29, 1)).length, 1);
  });
}

function deciding(proves: Proves): void {
  const seeing = [{ kind: "k", id: "a" }];
  const counting = (store: Store) =>
    store.write(
      undefined,
      (_none, { notes: [seen] }) => {
        const count = Number(seen?.text ?? 0) + 1;
        const written: NewNote = { kind: "k", id: "a", text: String(count) };
        return { answer: count, notes: [written] };
      },
      seeing,
    );

  proves("a decision sees the notes that it asked for as the ones before it left them", async (store, reopen) => {
    const counted = await Promise.all(Array.from({ length: 20 }, () => counting(store)));
    assert.deepEqual(
      counted,
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    const again = await reopen();
    assert.equal(await counting(again), 21);
    assert.equal((await again.notes.find(seeing[0]!))?.text, "21");
    assert.equal(await again.position(), 0);
  });

  proves("a change and the notes written with it are there both or not at all", async (store, reopen) => {
    await make(store, "taken", {}, { files: ["f"] });
    const failing = store.write<string>(undefined, (_none, { at }) => {
      const tender = { id: "b", status: "complete", dateModified: at } as Tender;
      const change = {
        tender,
        document: "{}",
        wakeAt: undefined,
        actor: undefined,
        act: "",
        patch: "[]",
        files: ["f"],
      };
      return { answer: "", change, notes: [{ kind: "k", id: "b", text: "with it" }] };
    });
    await assert.rejects(failing);
    const again = await reopen();
    assert.equal(await again.find("b"), undefined);
    assert.equal(await again.notes.find({ kind: "k", id: "b" }), undefined);
  });
}

function clocks(proves: Proves): void {
  proves("what lives on a test clock is due by that clock alone", async (store, reopen) => {
    await make(store, "a", { testClock: "x" }, { wakeAt: 200 });
    await make(store, "b", { testClock: "x" }, { wakeAt: 100 });
    await make(store, "c", { testClock: "y" }, { wakeAt: 50 });
    await make(store, "d", {}, { wakeAt: 300 });
    const again = await reopen();
    assert.equal(await again.nextWake(), 300);
    assert.equal(await again.nextWake("x"), 100);
    assert.equal(await again.nextWake("z"), undefined);
    assert.deepEqual(await again.due(1000, 9), ["d"]);
    assert.deepEqual(await again.due(1000, 9, "x"), ["b", "a"]);
    assert.deepEqual(await again.due(150, 9, "x"), ["b"]);
    assert.deepEqual(await again.onClock("x", 9), ["a", "b"]);
  });
}
