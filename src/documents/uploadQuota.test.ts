import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { ConditionalEntryWrite, EntryKind, KeyValueEntry, KeyValueStore } from "../store/store.ts";
import { openUploadQuota, type UploadQuotaLimits } from "./uploadQuota.ts";

const DAY = 24 * 60 * 60 * 1_000_000;
const keyOf = (n: number): string => n.toString(16).padStart(32, "0");

const isOf = <Kind extends EntryKind>(kind: Kind, entry: KeyValueEntry | undefined): entry is KeyValueEntry<Kind> =>
  entry?.kind === kind;

/** An in-memory store whose operations interleave like those of a database. */
function openInterleavedStore(): KeyValueStore {
  const all = new Map<string, KeyValueEntry>();
  const nameOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;
  const isCurrent = (put: ConditionalEntryWrite) => (all.get(nameOf(put))?.revision ?? 0) === put.before;
  return {
    find: async (name) => {
      await setImmediate();
      const entry = all.get(nameOf(name));
      return isOf(name.kind, entry) ? entry : undefined;
    },
    list: async ({ kind, where = {}, beyond = "", limit }) => {
      await setImmediate();
      const [owner] = Object.values(where);
      const found = [...all.values()]
        .filter((entry) => isOf(kind, entry))
        .filter(({ id }) => id.startsWith(`${owner}/`) && id > beyond);
      return found.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
    },
    count: async () => 0,
    expired: async () => [],
    put: async (puts) => {
      await setImmediate();
      if (!puts.every(isCurrent)) return false;
      for (const { kind, id, value, before, expiresAt } of puts) {
        if (value === undefined) all.delete(nameOf({ kind, id }));
        else all.set(nameOf({ kind, id }), { kind, id, value, expiresAt, revision: before + 1 });
      }
      return true;
    },
  };
}

function openProcesses(limits: UploadQuotaLimits) {
  const keyValues = openInterleavedStore();
  const attached = new Set<string>();
  const clock = { now: 0 };
  const knownFiles = async (keys: readonly string[]) => new Set(keys.filter((key) => attached.has(key)));
  const open = () => openUploadQuota({ keyValues, knownFiles, clock: () => clock.now, expiresAfter: DAY, limits });
  return { processes: [open(), open()] as const, open, attached, clock };
}

describe("the quota of uploads", () => {
  it("is never exceeded by two processes that reserve concurrently", async () => {
    const { processes } = openProcesses({ files: 10, bytes: 0 });
    const attempts = Array.from({ length: 40 }, (_, i) => processes[i % 2 === 0 ? 0 : 1].reserve("a", keyOf(i), 1));
    const reserved = (await Promise.all(attempts)).filter(Boolean);
    assert.equal(reserved.length, 10);
  });

  it("counts bytes, and counts each account separately", async () => {
    const { processes, open } = openProcesses({ files: 0, bytes: 100 });
    const [first] = processes;
    assert.equal(await first.reserve("a", keyOf(1), 60), true);
    assert.equal(await first.reserve("a", keyOf(2), 41), false);
    assert.equal(await open().reserve("b", keyOf(3), 100), true);
    assert.equal(await first.reserve("a", keyOf(2), 40), true);
    await first.settle("a", keyOf(1), 10);
    assert.equal(await open().reserve("a", keyOf(4), 50), true);
    assert.equal(await open().reserve("a", keyOf(5), 1), false);
  });

  it("counts an upload once if it is received again under the same key", async () => {
    const { processes, open } = openProcesses({ files: 1, bytes: 0 });
    assert.equal(await processes[0].reserve("a", keyOf(1), 5), true);
    assert.equal(await processes[1].reserve("a", keyOf(1), 5), true);
    await processes[0].release("a", keyOf(1));
    await processes[0].release("a", keyOf(1));
    assert.equal(await open().reserve("a", keyOf(2), 5), true);
    assert.equal(await open().reserve("a", keyOf(3), 5), false);
  });

  it("is available again after uploads were attached or have expired", async () => {
    const { processes, attached, clock, open } = openProcesses({ files: 1200, bytes: 0 });
    const [quota] = processes;
    for (let i = 0; i < 1200; i++) assert.ok(await quota.reserve("a", keyOf(i), 1));
    assert.equal(await quota.reserve("a", keyOf(2000), 1), false);
    for (let i = 0; i < 700; i++) attached.add(keyOf(i));
    quota.allowRecount();
    for (let i = 2000; i < 2700; i++) assert.ok(await quota.reserve("a", keyOf(i), 1));
    assert.equal(await open().reserve("a", keyOf(3000), 1), false);
    clock.now = DAY;
    assert.equal(await open().reserve("a", keyOf(3000), 1), true);
  });

  it("allows everything if it is unlimited", async () => {
    const { processes } = openProcesses({ files: 0, bytes: 0 });
    for (let i = 0; i < 10; i++) assert.equal(await processes[0].reserve("a", keyOf(i), 1e12), true);
    await processes[0].release("a", keyOf(1));
  });
});
