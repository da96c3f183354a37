import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { openSqlite } from "../store/sqlite/sqlite.ts";
import type { ConditionalEntryWrite, EntryKind, WebhookDelivery } from "../store/store.ts";
import { sweepExpiredEntries } from "./entrySweep.ts";

const NOW = 1_000_000;
const dataDir = mkdtempSync(join(tmpdir(), "tenderhall-sweep-"));
const store = openSqlite({ dataDir, clock: () => NOW, recentBytesMax: 0 });
after(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** More than one batch of records. */
const RECORDS = 1200;

const DELIVERY: WebhookDelivery = {
  ...{ id: "d", tender: "t", dateModified: 1, status: "delivered", attempts: 1, tries: 1, since: 1, dateCreated: 1 },
};

const entriesThatExpire = (id: string, expiresAt: number): readonly ConditionalEntryWrite[] => [
  { kind: "idempotency record", id, value: "", expiresAt, before: 0 },
  { kind: "idempotency usage", id, value: [], expiresAt, before: 0 },
  { kind: "upload lease", id, value: "", expiresAt, before: 0 },
  { kind: "pending upload", id: `o/${id}`, value: 1, expiresAt, before: 0 },
  { kind: "delivery", id: `w/${id}`, value: DELIVERY, expiresAt, before: 0 },
];

const idsOf = async (kind: EntryKind) => (await store.keyValues.list({ kind, limit: 5000 })).map(({ id }) => id);

describe("the sweep", () => {
  it("removes all entries that have expired, and only of kinds that nobody else has to remove", async () => {
    const records = Array.from({ length: RECORDS }, (_, i) => i);
    await store.keyValues.put([
      ...[...entriesThatExpire("expired", NOW), ...entriesThatExpire("live", NOW + 1)],
      ...records.map((i) => ({ kind: "idempotency record", id: `r${i}`, value: "", expiresAt: i, before: 0 }) as const),
      { kind: "test clock", id: "c", value: { owner: "o", now: 1 }, before: 0 },
    ]);
    assert.equal(await sweepExpiredEntries(store.keyValues, NOW), RECORDS + 4);
    for (const kind of ["idempotency record", "idempotency usage", "upload lease"] as const)
      assert.deepEqual(await idsOf(kind), ["live"], kind);
    assert.deepEqual(await idsOf("pending upload"), ["o/live"]);
    assert.deepEqual(await idsOf("delivery"), ["w/expired", "w/live"]);
    assert.deepEqual(await idsOf("test clock"), ["c"]);
    assert.equal(await sweepExpiredEntries(store.keyValues, NOW), 0);
  });
});
