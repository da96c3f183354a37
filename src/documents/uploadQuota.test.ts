import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { ConditionalEntryWrite, KeyValueEntry, KeyValueStore } from "../store/store.ts";
import { openUploadQuota, type UploadQuotaLimits } from "./uploadQuota.ts";

/** How much an account may have waiting, counted by several processes over one database. */

const DAY = 24 * 60 * 60 * 1_000_000;
const keyOf = (n: number): string => n.toString(16).padStart(32, "0");

/** Notes as a database keeps them: others come between any two steps. */
function openNotes(): KeyValueStore {
  const all = new Map<string, KeyValueEntry>();
  const nameOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;
  const isCurrent = (put: ConditionalEntryWrite) => (all.get(nameOf(put))?.revision ?? 0) === put.before;
  return {
    find: async (name) => {
      await setImmediate();
      return all.get(nameOf(name));
    },
    list: async ({ kind, beyond = "", limit }) => {
      await setImmediate();
      const found = [...all.values()].filter((one) => one.kind === kind && one.id > beyond);
      return found.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
    },
    due: async () => [],
    put: async (puts) => {
      await setImmediate();
      if (!puts.every(isCurrent)) return false;
      for (const { text, before, dueAt, ...name } of puts) {
        if (text === undefined) all.delete(nameOf(name));
        else all.set(nameOf(name), { ...name, text, dueAt, revision: before + 1 });
      }
      return true;
    },
  };
}

function openProcesses(limits: UploadQuotaLimits) {
  const notes = openNotes();
  const named = new Set<string>();
  const clock = { now: 0 };
  const knownFiles = async (keys: readonly string[]) => new Set(keys.filter((key) => named.has(key)));
  const open = () => openUploadQuota({ notes, knownFiles, clock: () => clock.now, expiresAfter: DAY, limits });
  return { processes: [open(), open()] as const, open, named, clock };
}

describe("the quota of uploads", () => {
  it("is never exceeded by two processes that reserve at once", async () => {
    const { processes } = openProcesses({ files: 10, bytes: 0 });
    const asked = Array.from({ length: 40 }, (_, i) => processes[i % 2 === 0 ? 0 : 1].reserve("a", keyOf(i), 1));
    const reserved = (await Promise.all(asked)).filter(Boolean);
    assert.equal(reserved.length, 10);
  });

  it("counts bytes, and each account apart", async () => {
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

  it("counts an upload that is received again under its key once", async () => {
    const { processes, open } = openProcesses({ files: 1, bytes: 0 });
    assert.equal(await processes[0].reserve("a", keyOf(1), 5), true);
    assert.equal(await processes[1].reserve("a", keyOf(1), 5), true);
    await processes[0].release("a", keyOf(1));
    await processes[0].release("a", keyOf(1));
    assert.equal(await open().reserve("a", keyOf(2), 5), true);
    assert.equal(await open().reserve("a", keyOf(3), 5), false);
  });

  it("is free again once uploads are documents, have expired or are gone", async () => {
    const { processes, named, clock, open } = openProcesses({ files: 1200, bytes: 0 });
    const [quota] = processes;
    for (let i = 0; i < 1200; i++) assert.ok(await quota.reserve("a", keyOf(i), 1));
    assert.equal(await quota.reserve("a", keyOf(2000), 1), false);
    for (let i = 0; i < 700; i++) named.add(keyOf(i));
    quota.allowRecount();
    for (let i = 2000; i < 2700; i++) assert.ok(await quota.reserve("a", keyOf(i), 1));
    assert.equal(await open().reserve("a", keyOf(3000), 1), false);
    clock.now = DAY;
    assert.equal(await open().reserve("a", keyOf(3000), 1), true);
  });

  it("may be unlimited, and then nothing is counted", async () => {
    const { processes } = openProcesses({ files: 0, bytes: 0 });
    for (let i = 0; i < 10; i++) assert.equal(await processes[0].reserve("a", keyOf(i), 1e12), true);
    await processes[0].release("a", keyOf(1));
  });
});
