import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tender } from "../domain/tender.ts";
import type { Instant } from "../domain/time.ts";
import { make, type Open, opened, type Proof } from "./store.contract.ts";
import type { NewNote, Store } from "./store.ts";

/** What every adapter does beside keeping tenders: notes, and clocks of the sandbox. */
export function besideContract(name: string, open: Open): void {
  const proves = (sentence: string, proof: Proof) => test(sentence, () => opened(open, proof));
  describe(`${name}, beside keeping tenders`, () => {
    noting(proves);
    deciding(proves);
    clocks(proves);
  });
}

type Proves = (sentence: string, proof: Proof) => void;
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

/** Nothing can be made of a tender whose items are no list. */
const malformed = (tender: Tender): Tender => ({ ...tender, items: 5 as never });

function deciding(proves: Proves): void {
  proves("a change that cannot be written leaves no note of itself, and no gap", async (store) => {
    const { id, ...rest } = await make(store, "a");
    const refused = store.write(undefined, () => ({
      answer: "made",
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
