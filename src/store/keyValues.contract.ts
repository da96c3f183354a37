import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import { make, type OpenTestStore, type Proof, withOpenStore } from "./store.contract.ts";
import type { EntryWrite, Store } from "./store.ts";

/** What every adapter does beside keeping tenders: notes, and clocks of the sandbox. */
export function keyValuesContract(name: string, open: OpenTestStore): void {
  const proves = (sentence: string, proof: Proof) => test(sentence, () => withOpenStore(open, proof));
  describe(`${name}, beside keeping tenders`, () => {
    writingEntries(proves);
    deciding(proves);
    clocks(proves);
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

function writingEntries(proves: Proves): void {
  proves("a note is what was last written under its name, also after a new start", async (store, reopen) => {
    assert.equal(await store.notes.put([entry("a", "first"), entry("b", "other", 0, 5)]), true);
    assert.equal(await store.notes.put([entry("a", "second", 1)]), true);
    const { notes } = await reopen();
    assert.deepEqual(await notes.find({ kind: "k", id: "a" }), {
      ...{ kind: "k", id: "a", revision: 2, dueAt: undefined, text: "second" },
    });
    assert.equal(await notes.find({ kind: "other", id: "a" }), undefined);
    assert.equal(await notes.put([entry("a", undefined, 2)]), true);
    assert.equal(await notes.find({ kind: "k", id: "a" }), undefined);
  });

  proves("notes are written all or none, and only over the revision that was seen", async ({ notes }) => {
    await notes.put([entry("a", "first")]);
    assert.equal(await notes.put([entry("b", "new"), entry("a", "again")]), false);
    assert.equal(await notes.put([entry("b", "new"), entry("a", "again", 2)]), false);
    assert.equal(await notes.find({ kind: "k", id: "b" }), undefined);
    const raced = await Promise.all([1, 2, 3, 4].map((i) => notes.put([entry("a", `by ${i}`, 1)])));
    assert.equal(raced.filter(Boolean).length, 1);
  });

  proves("notes are listed by id in both directions, and by when they are due", async ({ notes }) => {
    const dueAt: { [id: string]: Instant | undefined } = { a: 30, b: undefined, c: 10, d: 20 };
    await notes.put(Object.keys(dueAt).map((id) => entry(id, id, 0, dueAt[id])));
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

/** Nothing can be made of a tender whose items are no list. */
const malformed = (tender: Tender): Tender => ({ ...tender, items: 5 as never });

function deciding(proves: Proves): void {
  proves("a change that cannot be written leaves no note of itself, and no gap", async (store) => {
    const { id, ...rest } = await make(store, "a");
    const refused = store.write(undefined, () => ({
      result: "made",
      notes: [{ kind: "k", id: "b", text: "it was made" }],
      change: {
        tender: malformed({ ...rest, id: "b" }),
        ...{ document: "{}", wakeAt: undefined, actor: "broker", act: "publish", patch: "[]", files: [] },
      },
    }));
    const others = [make(store, "c"), make(store, "d")];
    await assert.rejects(refused, TypeError);
    await Promise.all(others);
    assert.equal(await store.notes.find({ kind: "k", id: "b" }), undefined);
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
      (_none, { notes: [entry] }) => {
        const count = Number(entry?.text ?? 0) + 1;
        const written: EntryWrite = { kind: "k", id: "a", text: String(count) };
        return { result: count, notes: [written] };
      },
      keys,
    );

  proves("a decision sees the notes that it asked for as the ones before it left them", async (store, reopen) => {
    const counted = await Promise.all(Array.from({ length: 20 }, () => counting(store)));
    assert.deepEqual(
      counted,
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    const reopened = await reopen();
    assert.equal(await counting(reopened), 21);
    assert.equal((await reopened.notes.find(keys[0]!))?.text, "21");
    assert.equal(await reopened.position(), 0);
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
      return { result: "", change, notes: [{ kind: "k", id: "b", text: "with it" }] };
    });
    await assert.rejects(failing);
    const reopened = await reopen();
    assert.equal(await reopened.find("b"), undefined);
    assert.equal(await reopened.notes.find({ kind: "k", id: "b" }), undefined);
  });
}

function clocks(proves: Proves): void {
  proves("what lives on a test clock is due by that clock alone", async (store, reopen) => {
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
