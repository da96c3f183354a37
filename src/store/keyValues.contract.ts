import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import { make, type OpenTestStore, type Proof, withOpenStore } from "./store.contract.ts";
import type { DeliveryStatus, EntryKind, EntryWrite, Store, WebhookDelivery } from "./store.ts";

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

const keyOf = (id: string) => ({ kind: "idempotency record", id }) as const;
const entry = (id: string, value: string, before = 0, expiresAt?: Instant) => ({
  ...keyOf(id),
  value,
  before,
  expiresAt,
});

const DELIVERY: WebhookDelivery = {
  ...{ id: "d", tender: "t", dateModified: 1, status: "pending", attempts: 0, tries: 0, since: 1, dateCreated: 1 },
};
const deliveryIn = (webhook: string, id: string, status: DeliveryStatus, expiresAt?: Instant) =>
  ({ kind: "delivery", id: `${webhook}/${id}`, value: { ...DELIVERY, id, status }, expiresAt }) as const;

/** A write of each kind, which together prove that each has its table. */
const ONE_OF_EACH: { readonly [Kind in EntryKind]: EntryWrite<Kind> } = {
  "test clock": { kind: "test clock", id: "a", value: { owner: "broker", now: 1, movedBy: [{ key: "k", at: 1 }] } },
  webhook: {
    kind: "webhook",
    id: "a",
    value: {
      ...{ id: "a", owner: "broker", url: 'https://a.example/Ä"', version: "2.5", origin: "https://b.example" },
      ...{ status: "active", offset: 1, dateCreated: 1_794_811_941_789_175 },
    },
  },
  "owned webhooks": { kind: "owned webhooks", id: "broker", value: ["b", "a"] },
  "deleted webhook": { kind: "deleted webhook", id: "a", value: "" },
  "webhook marker": { kind: "webhook marker", id: "a", value: "" },
  "dispatcher lease": { kind: "dispatcher lease", id: "a", value: { holder: "h", until: 1 } },
  delivery: deliveryIn("w", "d", "failed", 5),
  snapshot: { kind: "snapshot", id: "a", value: '{"title":"T"}' },
  "snapshot references": { kind: "snapshot references", id: "a", value: 2 },
  "delivery usage": { kind: "delivery usage", id: "broker", value: 1234 },
  "idempotency record": { ...keyOf("a"), value: "fingerprint content", expiresAt: 5 },
  "idempotency usage": {
    ...{ kind: "idempotency usage", id: "broker", value: [{ hour: 1, bytes: 2, refusals: 0 }], expiresAt: 5 },
  },
  "upload lease": { kind: "upload lease", id: "a", value: "", expiresAt: 5 },
  "pending upload": { kind: "pending upload", id: "o/a", value: 192, expiresAt: 5 },
  "pending upload total": { kind: "pending upload total", id: "o", value: { files: 1, bytes: 192 } },
  "auction listing": {
    kind: "auction listing",
    id: "auction listing",
    value: { auction: "a", tender: "t", start: 1, status: "planned" },
  },
  "auction slots": { kind: "auction slots", id: "auction slots", value: { "5": 1 } },
  heartbeat: { kind: "heartbeat", id: "heartbeat", value: { at: 1, isWatching: true } },
  "last backup": { kind: "last backup", id: "last", value: { made: 1 } },
  release: { kind: "release", id: `${"1".padStart(16, "0")}/t`, value: '{"ocid":"\u0002-t","url":"\u0001/ocds"}' },
  "release position": { kind: "release position", id: "position", value: { sequence: 1, at: 2 } },
};

function testEntries(proves: Proves): void {
  proves("an entry has the value that was last written, also after the store is reopened", async (store, reopen) => {
    assert.equal(await store.keyValues.put([entry("a", "first"), entry("b", "other", 0, 5)]), true);
    assert.equal(await store.keyValues.put([entry("a", "second", 1)]), true);
    const { keyValues } = await reopen();
    assert.deepEqual(await keyValues.find(keyOf("a")), {
      ...{ ...keyOf("a"), revision: 2, expiresAt: undefined, value: "second" },
    });
    assert.equal(await keyValues.find({ kind: "upload lease", id: "a" }), undefined);
    assert.equal(await keyValues.put([{ ...keyOf("a"), value: undefined, before: 2 }]), true);
    assert.equal(await keyValues.find(keyOf("a")), undefined);
  });

  proves("every kind has a table of its own, which returns the value that was written", async (store, reopen) => {
    const writes = Object.values(ONE_OF_EACH);
    assert.equal(await store.keyValues.put(writes.map((write) => ({ ...write, before: 0 }))), true);
    const { keyValues } = await reopen();
    for (const { kind, id, value, expiresAt } of writes) {
      const expected = { kind, id, value, expiresAt, revision: 1 };
      assert.deepEqual(await keyValues.find({ kind, id }), expected);
      assert.deepEqual(await keyValues.list({ kind, limit: 2 }), [expected]);
      assert.deepEqual(await keyValues.list({ kind, descending: true, limit: 2 }), [expected]);
      assert.equal(await keyValues.count({ kind, limit: 2 }), 1);
    }
    for (const { kind, id } of writes)
      assert.equal(await keyValues.put([{ kind, id, value: undefined, before: 1 }]), true);
    for (const { kind } of writes) assert.deepEqual(await keyValues.list({ kind, limit: 2 }), []);
  });

  proves("entries are written all or none, and only if they have the expected revision", async ({ keyValues }) => {
    await keyValues.put([entry("a", "first")]);
    assert.equal(await keyValues.put([entry("b", "new"), entry("a", "again")]), false);
    assert.equal(await keyValues.put([entry("b", "new"), entry("a", "again", 2)]), false);
    assert.equal(await keyValues.find(keyOf("b")), undefined);
    const raced = await Promise.all([1, 2, 3, 4].map((i) => keyValues.put([entry("a", `by ${i}`, 1)])));
    assert.equal(raced.filter(Boolean).length, 1);
  });

  proves("entries are listed by id in both directions, and by the time at which they expire", async ({ keyValues }) => {
    const expiresAt: { [id: string]: Instant | undefined } = { a: 30, b: undefined, c: 10, d: 20 };
    await keyValues.put(Object.keys(expiresAt).map((id) => entry(id, id, 0, expiresAt[id])));
    const ids = async (query: object) =>
      (await keyValues.list({ kind: "idempotency record", limit: 2, ...query })).map(({ id }) => id).join("");
    assert.equal(await ids({}), "ab");
    assert.equal(await ids({ beyond: "b" }), "cd");
    assert.equal(await ids({ descending: true }), "dc");
    assert.equal(await ids({ descending: true, beyond: "c" }), "ba");
    assert.deepEqual(
      (await keyValues.expired("idempotency record", 29, 5)).map(({ id }) => id),
      ["c", "d"],
    );
    assert.equal((await keyValues.expired("idempotency record", 29, 1)).length, 1);
  });

  proves("entries are listed and counted by their columns, which change with the value", async ({ keyValues }) => {
    const deliveries = [
      ...[deliveryIn("w", "a", "pending"), deliveryIn("w", "b", "delivered", 5), deliveryIn("w", "c", "pending")],
      ...[deliveryIn("v", "a", "pending"), deliveryIn("w", "d", "pending")],
    ];
    await keyValues.put(deliveries.map((delivery) => ({ ...delivery, before: 0 })));
    const pending = { kind: "delivery", where: { webhook: "w", status: "pending" }, limit: 2 } as const;
    const ids = async (query: object) => (await keyValues.list({ ...pending, ...query })).map(({ id }) => id).join(" ");
    assert.equal(await ids({}), "w/a w/c");
    assert.equal(await ids({ beyond: "w/c" }), "w/d");
    assert.equal(await ids({ descending: true }), "w/d w/c");
    assert.equal(await ids({ descending: true, beyond: "w/c" }), "w/a");
    assert.equal(await keyValues.count({ ...pending, limit: 9 }), 3);
    assert.equal(await keyValues.count(pending), 2);
    await keyValues.put([{ ...deliveryIn("w", "c", "delivered", 9), before: 1 }]);
    assert.equal(await ids({}), "w/a w/d");
    assert.deepEqual(
      (await keyValues.expired("delivery", 9, 5)).map(({ id }) => id),
      ["w/b", "w/c"],
    );
  });
}

/** A tender that cannot be written, since its items are not a list. */
const malformed = (tender: Tender): Tender => ({ ...tender, items: 5 as never });

function testDecisionsWithEntries(proves: Proves): void {
  proves("a change that cannot be written leaves neither an entry nor a gap", async (store) => {
    const { id, ...rest } = await make(store, "a");
    const rejected = store.write(undefined, () => ({
      result: "created",
      entries: [{ ...keyOf("b"), value: "created", expiresAt: undefined }],
      change: {
        tender: malformed({ ...rest, id: "b" }),
        ...{ document: "{}", wakeAt: undefined, actor: "broker", act: "publish", patch: "[]", files: [] },
      },
    }));
    const others = [make(store, "c"), make(store, "d")];
    await assert.rejects(rejected, TypeError);
    await Promise.all(others);
    assert.equal(await store.keyValues.find(keyOf("b")), undefined);
    assert.deepEqual(
      (await store.ledger(0, 10)).map(({ sequence, tender }) => `${sequence}${tender}`),
      ["1a", "2c", "3d"],
    );
    assert.equal(await store.position(), 3);
  });

  const usage = { kind: "delivery usage", id: "a" } as const;
  const counting = (store: Store) =>
    store.write(
      undefined,
      (_none, { entries }) => {
        const count = (entries.find(usage)?.value ?? 0) + 1;
        return { result: count, entries: [{ ...usage, value: count }] };
      },
      [usage],
    );

  proves("a decision sees the requested entries as earlier decisions left them", async (store, reopen) => {
    const counted = await Promise.all(Array.from({ length: 20 }, () => counting(store)));
    assert.deepEqual(
      counted,
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    const reopened = await reopen();
    assert.equal(await counting(reopened), 21);
    const { value, revision } = (await reopened.keyValues.find(usage)) ?? {};
    assert.deepEqual({ value, revision }, { value: 21, revision: 21 });
    assert.equal(await reopened.position(), 0);
  });

  proves("a decision cannot find entries that it has not requested", async (store) => {
    const asking = store.write(undefined, (_none, { entries }) => ({ result: entries.find(keyOf("a")) }), [usage]);
    await assert.rejects(asking, /the decision has not requested idempotency record a/);
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
      return { result: "", change, entries: [{ ...keyOf("b"), value: "with it", expiresAt: undefined }] };
    });
    await assert.rejects(failing);
    const reopened = await reopen();
    assert.equal(await reopened.find("b"), undefined);
    assert.equal(await reopened.keyValues.find(keyOf("b")), undefined);
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
