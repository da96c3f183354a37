import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import { make, type OpenTestStore, type Proof, withOpenStore } from "./store.contract.ts";
import type { EntryWrite, Store } from "./store.ts";

/** The part of the contract about the key-value store and test clocks. */
export function keyValuesContract(name: string, open: OpenTestStore): void {
  const proves = (sentence: string, proof: Proof) => test(sentence, () => withOpenStore(open, proof));
  describe(`${name}: key-value entries and test clocks`, () => {
    testEntries(proves);
    testDecisionsWithEntries(proves);
    testClocks(proves);
  });
}

type Proves = (sentence: string, proof: Proof) => void;
const entry = (id: string, text: string | undefined, before = 0, dueAt?: Instant) => ({
  kind: "k",
  id,
  text,
  before,
  dueAt,
});

function testEntries(proves: Proves): void {
  proves("an entry has the value that was last written, also after the store is reopened", async (store, reopen) => {
    assert.equal(await store.keyValues.put([entry("a", "first"), entry("b", "other", 0, 5)]), true);
    assert.equal(await store.keyValues.put([entry("a", "second", 1)]), true);
    const { keyValues } = await reopen();
    assert.deepEqual(await keyValues.find({ kind: "k", id: "a" }), {
      ...{ kind: "k", id: "a", revision: 2, dueAt: undefined, text: "second" },
    });
    assert.equal(await keyValues.find({ kind: "other", id: "a" }), undefined);
    assert.equal(await keyValues.put([entry("a", undefined, 2)]), true);
    assert.equal(await keyValues.find({ kind: "k", id: "a" }), undefined);
  });

  proves("entries are written all or none, and only if they have the expected revision", async ({ keyValues }) => {
    await keyValues.put([entry("a", "first")]);
    assert.equal(await keyValues.put([entry("b", "new"), entry("a", "again")]), false);
    assert.equal(await keyValues.put([entry("b", "new"), entry("a", "again", 2)]), false);
    assert.equal(await keyValues.find({ kind: "k", id: "b" }), undefined);
    const raced = await Promise.all([1, 2, 3, 4].map((i) => keyValues.put([entry("a", `by ${i}`, 1)])));
    assert.equal(raced.filter(Boolean).length, 1);
  });

  proves(
    "entries are listed by id in both directions, and by the time at which they are due",
    async ({ keyValues }) => {
      const dueAt: { [id: string]: Instant | undefined } = { a: 30, b: undefined, c: 10, d: 20 };
      await keyValues.put(Object.keys(dueAt).map((id) => entry(id, id, 0, dueAt[id])));
      const ids = async (query: object) =>
        (await keyValues.list({ kind: "k", limit: 2, ...query })).map(({ id }) => id).join("");
      assert.equal(await ids({}), "ab");
      assert.equal(await ids({ beyond: "b" }), "cd");
      assert.equal(await ids({ descending: true }), "dc");
      assert.equal(await ids({ descending: true, beyond: "c" }), "ba");
      assert.deepEqual(
        (await keyValues.due("k", 29, 5)).map(({ id }) => id),
        ["c", "d"],
      );
      assert.equal((await keyValues.due("k", 29, 1)).length, 1);
    },
  );
}

/** A tender that cannot be written, since its items are not a list. */
const malformed = (tender: Tender): Tender => ({ ...tender, items: 5 as never });

function testDecisionsWithEntries(proves: Proves): void {
  proves("a change that cannot be written leaves neither an entry nor a gap", async (store) => {
    const { id, ...rest } = await make(store, "a");
    const rejected = store.write(undefined, () => ({
      result: "created",
      entries: [{ kind: "k", id: "b", text: "created" }],
      change: {
        tender: malformed({ ...rest, id: "b" }),
        ...{ document: "{}", wakeAt: undefined, actor: "broker", act: "publish", patch: "[]", files: [] },
      },
    }));
    const others = [make(store, "c"), make(store, "d")];
    await assert.rejects(rejected, TypeError);
    await Promise.all(others);
    assert.equal(await store.keyValues.find({ kind: "k", id: "b" }), undefined);
    assert.deepEqual(
      (await store.ledger(0, 10)).map(({ sequence, tender }) => `${sequence}${tender}`),
      ["1a", "2c", "3d"],
    );
    assert.equal(await store.position(), 3);
  });

  const keys = [{ kind: "k", id: "a" }];
  const counting = (store: Store) =>
    store.write(
      undefined,
      (_none, { entries: [entry] }) => {
        const count = Number(entry?.text ?? 0) + 1;
        const written: EntryWrite = { kind: "k", id: "a", text: String(count) };
        return { result: count, entries: [written] };
      },
      keys,
    );

  proves("a decision sees the requested entries as earlier decisions left them", async (store, reopen) => {
    const counted = await Promise.all(Array.from({ length: 20 }, () => counting(store)));
    assert.deepEqual(
      counted,
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    const reopened = await reopen();
    assert.equal(await counting(reopened), 21);
    assert.equal((await reopened.keyValues.find(keys[0]!))?.text, "21");
    assert.equal(await reopened.position(), 0);
  });

  proves("a change and the entries written with it are stored both or not at all", async (store, reopen) => {
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
      return { result: "", change, entries: [{ kind: "k", id: "b", text: "with it" }] };
    });
    await assert.rejects(failing);
    const reopened = await reopen();
    assert.equal(await reopened.find("b"), undefined);
    assert.equal(await reopened.keyValues.find({ kind: "k", id: "b" }), undefined);
  });
}

function testClocks(proves: Proves): void {
  proves("tenders on a test clock are due by that clock alone", async (store, reopen) => {
    await make(store, "a", { testClock: "x" }, { wakeAt: 200 });
    await make(store, "b", { testClock: "x" }, { wakeAt: 100 });
    await make(store, "c", { testClock: "y" }, { wakeAt: 50 });
    await make(store, "d", {}, { wakeAt: 300 });
    const reopened = await reopen();
    assert.equal(await reopened.nextWake(), 300);
    assert.equal(await reopened.nextWake("x"), 100);
    assert.equal(await reopened.nextWake("z"), undefined);
    assert.deepEqual(await reopened.due(1000, 9), ["d"]);
    assert.deepEqual(await reopened.due(1000, 9, "x"), ["b", "a"]);
    assert.deepEqual(await reopened.due(150, 9, "x"), ["b"]);
    assert.deepEqual(await reopened.onClock("x", 9), ["a", "b"]);
  });
}
