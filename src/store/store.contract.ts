import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { runs } from "../../test/support/tier.ts";
import type { Tender } from "../domain/model/tender.ts";
import { decimal } from "../domain/values/decimal.ts";
import type { Instant } from "../domain/values/time.ts";
import { type PatchOperation, patchBetween } from "../ledger/patch.ts";
import type { Decision, FeedRow, LedgerRow, Modes, Store, TenderChange } from "./store.ts";

/** `reopen` closes the store and opens it again; `close` also deletes its data. */
export type OpenedStore = { store: Store; reopen(): Promise<Store>; close(): Promise<void> };
export type OpenTestStore = (clock: () => Instant) => Promise<OpenedStore>;
export type Clock = { now: Instant };
export type Proof = (store: Store, reopen: () => Promise<Store>, clock: Clock) => Promise<void>;
type Proves = (sentence: string, proof: Proof) => void;
type Fields = Partial<Tender>;
type Extra = Partial<Pick<TenderChange, "wakeAt" | "actor" | "act" | "files">>;

const DAY = "2026-01-15";
const RUNS = runs(8);

/** The contract of the port `Store` that every engine must fulfil. */
export function storeContract(name: string, open: OpenTestStore): void {
  const proves: Proves = (sentence, proof) => test(sentence, () => withOpenStore(open, proof));
  describe(name, () => {
    testReadsAndWrites(open);
    testOrder(proves);
    testDailyNumbers(proves);
    testDecisions(proves);
    testLedger(proves);
    testFeed(open);
    testFeedFollowers(proves);
    testFreshness(proves);
    testDeadlines(proves);
    testOtherReads(proves);
    testClosing(proves);
  });
}

/** Runs a proof on a store of its own. */
export async function withOpenStore(open: OpenTestStore, proof: Proof): Promise<void> {
  const clock: Clock = { now: 1_000_000 };
  const { store, reopen, close } = await open(() => clock.now);
  try {
    await proof(store, reopen, clock);
  } finally {
    await close();
  }
}

const text = fc.string({ unit: "binary", maxLength: 12 });
const arbitraryFields: fc.Arbitrary<Fields> = fc
  .record(
    {
      title: text,
      description_en: text,
      status: fc.constantFrom("draft", "active.enquiries", "active.tendering", "complete"),
      mode: fc.constant("test"),
      numberOfBidders: fc.nat(),
      value: fc.record({ amount: fc.constantFrom("0", "0.1", "12345678901234567890.01").map(decimal), currency: text }),
      items: fc.array(fc.record({ id: text, description: text }), { maxLength: 3 }),
      enquiryPeriod: fc.record({ startDate: fc.integer(), endDate: fc.maxSafeInteger() }),
    },
    { requiredKeys: [] },
  )
  .map((fields) => JSON.parse(JSON.stringify(fields)));
const arbitraryWrites = fc.array(
  fc.record({
    id: fc.constantFrom("a", "b", "c", "d"),
    fields: arbitraryFields,
    isPublic: fc.boolean(),
    reopens: fc.nat(9).map((n) => n === 0),
  }),
  { minLength: 1, maxLength: 25 },
);

function testReadsAndWrites(open: OpenTestStore): void {
  test("the store behaves like a map, also after it is reopened", () =>
    fc.assert(
      fc.asyncProperty(arbitraryWrites, (writes) =>
        withOpenStore(open, async (first, reopen) => {
          const model = new Map<string, { tender: Tender; revision: number }>();
          let store = first;
          const agrees = async () => {
            for (const id of ["a", "b", "c", "d", "never"]) {
              const found = await store.find(id);
              const { tender, revision } = found ?? {};
              assert.deepEqual(found && { tender, revision }, model.get(id));
            }
          };
          for (const { id, fields, reopens } of writes) {
            const tender = await put(store, id, fields);
            model.set(id, { tender, revision: (model.get(id)?.revision ?? 0) + 1 });
            if (reopens) store = await reopen();
            await agrees();
          }
          store = await reopen();
          await agrees();
        }),
      ),
      { numRuns: RUNS },
    ));
}

function testOrder(proves: Proves): void {
  proves("instants are unique and increase in the order of commit if the clock stands still", async (store, reopen) => {
    const written = await Promise.all(Array.from({ length: 20 }, (_, i) => make(store, `t${i}`)));
    const later = await make(await reopen(), "later");
    assertIncreasing([...written, later].map(({ dateModified }) => dateModified));
  });

  proves("instants increase if the clock goes back, also after the store is reopened", async (store, reopen, clock) => {
    const ats = [(await make(store, "a")).dateModified];
    clock.now -= 500_000;
    ats.push((await edit(store, "a")).dateModified);
    const reopened = await reopen();
    clock.now -= 400_000;
    ats.push((await edit(reopened, "a")).dateModified);
    assertIncreasing(ats);
    assert.deepEqual(
      (await reopened.ledger(0, 10)).map(({ at }) => at),
      ats,
    );
  });

  proves(
    "an instant is the time of the clock if that is later than the last instant",
    async (store, _reopen, clock) => {
      for (const id of ["a", "b"]) {
        clock.now += 500;
        assert.equal((await make(store, id)).dateModified, clock.now);
      }
    },
  );
}

function testDailyNumbers(proves: Proves): void {
  const refusing: Decision<string> = (_current, { nextDailyNumber }) => ({ result: `refused ${nextDailyNumber(DAY)}` });

  proves("a decision that writes nothing leaves no trace", async (store, reopen) => {
    assert.equal(await store.write(undefined, refusing), "refused 1");
    const tender = await make(store, "a");
    await store.write("a", refusing);
    await store.write("never", refusing);
    const reopened = await reopen();
    assert.deepEqual(await reopened.find("a"), { tender, revision: 1, bids: "all", bidChanges: 0 });
    assert.equal(await reopened.find("never"), undefined);
    assert.deepEqual(
      (await reopened.ledger(0, 10)).map((row) => [row.sequence, row.tender]),
      [[1, "a"]],
    );
    assert.equal(await reopened.write(undefined, refusing), "refused 1");
  });

  proves("the numbers of a day have no gaps if some decisions refuse and some throw", async (store, reopen) => {
    const numbered = (to: Store, i: number) =>
      to.write(undefined, (_none, { at, nextDailyNumber }) => {
        const number = nextDailyNumber(i % 2 ? DAY : "2026-01-16");
        if (i % 7 === 3) throw new Error("A bug");
        return i % 3 === 0
          ? { result: undefined }
          : { result: number, change: changeTo(undefined, blank(`t${i}`, at)) };
      });
    const settled = await Promise.allSettled(Array.from({ length: 60 }, (_, i) => numbered(store, i)));
    for (const parity of [0, 1]) {
      const results = settled.flatMap((outcome, i) =>
        i % 2 === parity && outcome.status === "fulfilled" ? [outcome.value] : [],
      );
      const numbers = results.filter((number) => number !== undefined);
      assert.ok(numbers.length > 10 && numbers.length < results.length);
      assert.deepEqual(
        numbers,
        Array.from(numbers, (_, i) => i + 1),
      );
      if (parity === 1) assert.equal(await numbered(await reopen(), 61), numbers.length + 1);
    }
  });
}

function testDecisions(proves: Proves): void {
  proves("100 concurrent writes to a tender are all applied, each to the state before it", async (store, reopen) => {
    await make(store, "a", { numberOfBidders: 0 });
    const increment: Decision<number> = (current, { at }) => {
      const before = current!.tender;
      const tender = { ...before, numberOfBidders: before.numberOfBidders! + 1, dateModified: at };
      return { result: before.numberOfBidders!, change: changeTo(before, tender) };
    };
    const counts = await Promise.all(Array.from({ length: 100 }, () => store.write("a", increment)));
    assert.deepEqual(
      counts.sort((a, b) => a - b),
      Array.from({ length: 100 }, (_, i) => i),
    );
    const found = await (await reopen()).find("a");
    assert.deepEqual([found?.tender.numberOfBidders, found?.revision], [100, 101]);
  });

  proves("a decision that throws is rejected alone, and the others of its group are written", async (store, reopen) => {
    const bug = new Error("A bug");
    const failing = () =>
      store.write("a", () => {
        throw bug;
      });
    await make(store, "a");
    const settled = await Promise.allSettled([
      make(store, "b"),
      failing(),
      edit(store, "a", { title: "x" }),
      failing(),
    ]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled", "rejected"],
    );
    for (const outcome of settled) if (outcome.status === "rejected") assert.equal(outcome.reason, bug);
    const reopened = await reopen();
    assert.equal((await reopened.find("a"))?.tender.title, "x");
    assert.ok(await reopened.find("b"));
    assert.deepEqual(
      (await reopened.ledger(0, 10)).map(({ sequence }) => sequence),
      [1, 2, 3],
    );
  });
}

function testLedger(proves: Proves): void {
  proves("the ledger has one row for each change, without gaps, with actor and act", async (store, reopen) => {
    await make(store, "a", {}, { actor: "broker", act: "publish tender" });
    await Promise.all([
      edit(store, "a", {}, { act: "advance" }),
      make(store, "b", {}, { actor: "other", act: "publish" }),
    ]);
    const reopened = await reopen();
    const pages = [await reopened.ledger(0, 2), await reopened.ledger(2, 2), await reopened.ledger(3, 2)];
    assert.deepEqual(
      pages.flat().map(({ sequence, tender, actor, act }) => [sequence, tender, actor, act]),
      [
        [1, "a", "broker", "publish tender"],
        [2, "a", undefined, "advance"],
        [3, "b", "other", "publish"],
      ],
    );
  });

  proves("replaying the patches of the ledger results in the stored tenders", async (store, reopen) => {
    const items = [1, 2, 3].map((n) => ({ id: `${n}`, description: `item ${n}` }));
    const steps: readonly Fields[] = [
      { items },
      { items: items.slice(0, 1), title: "x" },
      { title: undefined },
      { items },
    ];
    for (const id of ["a", "b"]) for (const fields of steps) await put(store, id, fields);
    const reopened = await reopen();
    const replayed = replay(await reopened.ledger(0, 100));
    assert.equal(replayed.size, 2);
    for (const [id, tender] of replayed) assert.deepEqual(tender, (await reopened.find(id))?.tender);
  });
}

function testFeed(open: OpenTestStore): void {
  test("the feed lists each tender once, at its latest public change, in order and by mode, but no drafts", () =>
    fc.assert(
      fc.asyncProperty(arbitraryWrites, fc.integer({ min: 1, max: 5 }), (writes, limit) =>
        withOpenStore(open, async (store) => {
          const model = new Map<string, Tender>();
          for (const { id, fields, isPublic } of writes) {
            const before = model.get(id);
            const unchangedDate = before && !isPublic && { dateModified: before.dateModified };
            model.set(id, await put(store, id, { ...fields, ...unchangedDate }));
          }
          for (const modes of ["real", "test", "all"] as const) {
            const expected = expectedFeed([...model.values()], modes);
            assert.deepEqual(await walk(store, modes, false, limit), expected);
            assert.deepEqual(await walk(store, modes, true, limit), expected.toReversed());
          }
        }),
      ),
      { numRuns: RUNS },
    ));
}

function testFeedFollowers(proves: Proves): void {
  proves("a page begins strictly after its cursor and has at most `limit` entries", async (store, _reopen, clock) => {
    for (const id of ["a", "b", "c"]) {
      clock.now += 10;
      await make(store, id);
    }
    const { dateModified: at } = (await store.find("b"))!.tender;
    const ids = async (descending: boolean, beyond: Instant | undefined, limit = 9) =>
      (await store.feed({ modes: "all", descending, beyond, limit })).map(({ id }) => id).join("");
    assert.deepEqual(
      [await ids(false, at), await ids(false, at - 1), await ids(false, undefined, 2)],
      ["c", "bc", "ab"],
    );
    assert.deepEqual([await ids(true, at), await ids(true, at + 1), await ids(true, undefined, 2)], ["a", "ba", "cb"]);
  });

  proves("a reader that follows the feed while others write misses no change", async (store) => {
    const latest = new Map<string, Instant>();
    let beyond: Instant | undefined;
    const follow = async () => {
      const rows = await store.feed({ modes: "real", descending: false, beyond, limit: 3 });
      for (const { id, dateModified } of rows) {
        assert.ok(beyond === undefined || dateModified > beyond);
        latest.set(id, dateModified);
      }
      beyond = rows.at(-1)?.dateModified ?? beyond;
      return rows.length;
    };
    const writer = async (id: string) => {
      for (let i = 0; i < 20; i++) await put(store, id);
    };
    let writing = true;
    const written = Promise.all(["a", "b", "c", "d"].map(writer)).finally(() => (writing = false));
    while (writing) {
      await follow();
      await new Promise(setImmediate);
    }
    await written;
    while ((await follow()) > 0);
    for (const id of ["a", "b", "c", "d"]) assert.equal(latest.get(id), (await store.find(id))?.tender.dateModified);
  });
}

function testFreshness(proves: Proves): void {
  proves("a public view is fresh until its tender changes", async (store) => {
    await make(store, "a");
    await make(store, "b");
    // A tender is cached at its second read, and not at all by a store without a cache.
    await store.find("a");
    const { tender } = (await store.find("a"))!;
    const isCached = await store.isFresh(tender);
    assert.equal(isCached, (await store.find("a"))!.tender === tender);
    await edit(store, "b");
    assert.equal(await store.isFresh(tender), isCached);
    await edit(store, "a");
    assert.equal(await store.isFresh(tender), false);
  });

  proves("a change that is not public changes neither the public view nor the public position", async (store) => {
    await make(store, "a");
    await store.find("a");
    const { tender } = (await store.find("a"))!;
    const isCached = await store.isFresh(tender);
    const position = await store.publicPosition();
    const { dateModified } = tender;
    await edit(store, "a", { dateModified, tokenHash: "other" });
    assert.equal((await store.find("a"))!.tender.tokenHash, "other");
    assert.deepEqual([await store.isFresh(tender), await store.publicPosition()], [isCached, position]);
    assert.equal(store.knownPublicPosition() ?? position, position);
    await edit(store, "a");
    assert.equal(await store.isFresh(tender), false);
    assert.ok((await store.publicPosition()) > position);
  });

  proves("the position that is known without I/O is the position", async (store) => {
    for (const id of ["a", "b"]) {
      await make(store, id);
      assert.equal(store.knownPosition() ?? (await store.position()), await store.position());
    }
  });

  proves("the position is the number of the last change, and stays if nothing is written", async (store, reopen) => {
    assert.equal(await store.position(), 0);
    await make(store, "a");
    await edit(store, "a");
    await store.write("a", () => ({ result: "refused" }));
    assert.equal(await store.position(), 2);
    const reopened = await reopen();
    assert.equal(await reopened.position(), 2);
    await edit(reopened, "a");
    assert.equal(await reopened.position(), 3);
  });
}

function testDeadlines(proves: Proves): void {
  proves("tenders that are due are listed by time, the earliest first", async (store, reopen) => {
    for (const [id, wakeAt] of Object.entries({ a: 300, b: 100, c: undefined, d: 200 }))
      await make(store, id, {}, { wakeAt });
    const reopened = await reopen();
    assert.equal(await reopened.nextWake(), 100);
    const due = await Promise.all([
      reopened.due(99, 9),
      reopened.due(100, 9),
      reopened.due(299, 9),
      reopened.due(1000, 2),
    ]);
    assert.deepEqual(due, [[], ["b"], ["b", "d"], ["b", "d"]]);
  });

  proves("a tender whose deadline was applied is no longer due", async (store) => {
    await make(store, "a", {}, { wakeAt: 100 });
    await make(store, "b", {}, { wakeAt: 200 });
    await edit(store, "a", {}, { wakeAt: 400 });
    assert.equal(await store.nextWake(), 200);
    assert.deepEqual(await store.due(300, 10), ["b"]);
    await edit(store, "b");
    await edit(store, "a");
    assert.equal(await store.nextWake(), undefined);
    assert.deepEqual(await store.due(Number.MAX_SAFE_INTEGER, 10), []);
  });
}

function testOtherReads(proves: Proves): void {
  proves("a file is known once a change that refers to it is written", async (store, reopen) => {
    await make(store, "a", {}, { files: ["f1", "f2"] });
    await store.write("a", () => ({ result: "refused f3" }));
    await edit(store, "a", {}, { files: ["f4"] });
    const reopened = await reopen();
    assert.deepEqual(await reopened.knownFiles(["f4", "f3", "f1", "never"]), new Set(["f1", "f4"]));
    assert.deepEqual(await reopened.knownFiles([]), new Set());
  });

  proves("a secret is created once, and is the same after the store is reopened", async (store, reopen) => {
    assert.equal(await store.secret("a", () => "first"), "first");
    assert.equal(await store.secret("b", () => "other"), "other");
    const reopened = await reopen();
    assert.equal(await reopened.secret("a", () => assert.fail("it exists already")), "first");
  });

  proves("tenders are counted by status, without drafts and tests", async (store) => {
    assert.deepEqual(await store.countByStatus(), new Map());
    await make(store, "a");
    await make(store, "b");
    await make(store, "c", { status: "complete" });
    await make(store, "d", { status: "draft" });
    await make(store, "e", { mode: "test" });
    await edit(store, "a", { status: "complete" });
    const expected = [["active.enquiries", 1] as const, ["complete", 2] as const];
    assert.deepEqual([...(await store.countByStatus())].sort(), expected);
  });
}

function testClosing(proves: Proves): void {
  proves("closing waits for the writes that were requested before", async (store, reopen) => {
    const pending = make(store, "a", { title: "last" });
    await store.close();
    assert.equal((await pending).title, "last");
    assert.deepEqual((await (await reopen()).find("a"))?.tender, await pending);
  });

  for (const [call, run] of Object.entries(CALLS)) {
    proves(`after closing, ${call} is rejected`, async (store) => {
      await make(store, "a", {}, { files: ["f"], wakeAt: 1 });
      await store.find("a");
      await store.close();
      await assert.rejects(async () => run(store));
    });
  }
}

const CALLS: { readonly [call: string]: (store: Store) => Promise<unknown> } = {
  find: (store) => store.find("a"),
  write: (store) => make(store, "b"),
  feed: (store) => store.feed({ modes: "real", descending: false, beyond: undefined, limit: 1 }),
  due: (store) => store.due(1, 1),
  nextWake: (store) => store.nextWake(),
  countByStatus: (store) => store.countByStatus(),
  knownFiles: (store) => store.knownFiles(["f"]),
  ledger: (store) => store.ledger(0, 1),
  position: (store) => store.position(),
  publicPosition: (store) => store.publicPosition(),
  secret: (store) => store.secret("a", () => "a"),
  secrets: (store) => store.secrets(),
  putSecret: (store) => store.putSecret("a", "a"),
  keyValues: (store) => store.keyValues.find({ kind: "webhook", id: "a" }),
  scan: (store) => store.scan(),
  ping: (store) => store.ping(),
};

const blank = (id: string, at: Instant): Tender => ({
  id,
  tenderID: `UA-${id}`,
  procedure: "basic",
  status: "active.enquiries",
  date: at,
  dateModified: at,
  owner: "broker",
  tokenHash: "hash",
  lots: [],
  bids: [],
  questions: [],
  documents: [],
  awards: [],
  contracts: [],
  complaints: [],
  cancellations: [],
});

function changeTo(before: Tender | undefined, tender: Tender, extra: Extra = {}): TenderChange {
  const patch = before ? patchBetween(before, tender) : [{ op: "add", path: "", value: tender }];
  return {
    tender,
    document: JSON.stringify(tender),
    wakeAt: undefined,
    actor: undefined,
    act: "edit",
    files: [],
    patch: JSON.stringify(patch),
    ...extra,
  };
}

/** A public change, unless `fields` sets `dateModified`. */
const decisionFor =
  (id: string, fields: Fields, extra: Extra | undefined): Decision<Tender> =>
  (current, { at }) => {
    const tender = { ...(current?.tender ?? blank(id, at)), dateModified: at, ...fields };
    return { result: tender, change: changeTo(current?.tender, tender, extra) };
  };

/** Creates a tender with these fields. */
export const make = (store: Store, id: string, fields: Fields = {}, extra?: Extra) =>
  store.write(undefined, decisionFor(id, fields, extra));

/** Changes these fields of a tender. */
export const edit = (store: Store, id: string, fields: Fields = {}, extra?: Extra) =>
  store.write(id, decisionFor(id, fields, extra));

const put = async (store: Store, id: string, fields?: Fields) =>
  (await store.find(id)) ? edit(store, id, fields) : make(store, id, fields);

function assertIncreasing(instants: readonly Instant[]): void {
  for (const [i, at] of instants.entries()) if (i > 0) assert.ok(at > instants[i - 1]!, `${at} is not later`);
}

const expectedFeed = (tenders: readonly Tender[], modes: Modes): readonly FeedRow[] =>
  tenders
    .filter(({ status, mode = "real" }) => status !== "draft" && (modes === "all" || modes === mode))
    .sort((a, b) => a.dateModified - b.dateModified)
    .map(({ id, dateModified }) => ({ id, dateModified }));

async function walk(store: Store, modes: Modes, descending: boolean, limit: number): Promise<readonly FeedRow[]> {
  const all: FeedRow[] = [];
  for (;;) {
    const page = await store.feed({ modes, descending, beyond: all.at(-1)?.dateModified, limit });
    assert.ok(page.length <= limit && all.length <= 100, "the feed does not end");
    if (page.length === 0) return all;
    all.push(...page.map((row) => ({ ...row })));
  }
}

/** All tenders, reconstructed from the ledger alone. */
export function replay(ledger: readonly LedgerRow[]): Map<string, unknown> {
  const tenders = new Map<string, unknown>();
  for (const { kind, tender, record, patch } of ledger) {
    const operations: readonly PatchOperation[] = JSON.parse(patch);
    const ofTender = operations.map((operation) =>
      kind === "bid" ? { ...operation, path: `/bids/${record}${operation.path}` } : operation,
    );
    const after = applyPatchReference(tenders.get(tender), ofTender);
    // The first row of a tender has no bids.
    tenders.set(tender, { bids: [], ...(after as object) });
  }
  return tenders;
}

/** An independent implementation of JSON Patch, as far as the ledger uses it. Throws if an operation does not fit. */
export function applyPatchReference(document: unknown, patch: readonly PatchOperation[]): unknown {
  const root: unknown[] = [structuredClone(document)];
  for (const operation of patch) {
    const names = operation.path.split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    const name = names.length === 1 ? "0" : names.pop()!;
    const parent = names.length === 1 && operation.path === "" ? root : names.slice(1).reduce(valueAt, root[0]);
    if (operation.op !== "add") valueAt(parent, name);
    if (Array.isArray(parent) && parent !== root) applyToList(parent, name, operation);
    else if (operation.op === "remove") delete (parent as { [name: string]: unknown })[name];
    else
      Object.defineProperty(parent, name, {
        value: operation.value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
  }
  return root[0];
}

function applyToList(list: unknown[], name: string, operation: PatchOperation): void {
  const at = positionIn(list, name);
  assert.ok(at <= list.length, `nothing is at ${operation.path}`);
  if (operation.op === "remove") list.splice(at, 1);
  else list.splice(at, operation.op === "replace" ? 1 : 0, operation.value);
}

/** An index, "-" for the end, or the id of an element, which is at the end if it is new. */
function positionIn(list: readonly unknown[], name: string): number {
  if (name === "-") return list.length;
  if (/^\d{1,9}$/.test(name)) return Number(name);
  const found = list.findIndex((element) => (element as { readonly id?: unknown }).id === name);
  return found < 0 ? list.length : found;
}

function valueAt(container: unknown, step: string): unknown {
  const name = Array.isArray(container) ? String(positionIn(container, step)) : step;
  const parent = container;
  assert.ok(typeof parent === "object" && parent !== null && Object.hasOwn(parent, name), `nothing is at ${name}`);
  return (parent as { readonly [name: string]: unknown })[name];
}
