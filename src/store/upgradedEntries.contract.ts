import assert from "node:assert/strict";
import type { FixtureRow } from "../../test/support/schemaFixtures.ts";
import { ENTRY_KINDS, ENTRY_TABLES, type EntryKind, type KeyValueEntry, type Store } from "./store.ts";

/** A row of the table `notes`, in which schemas 3 and 4 of SQLite have all key-value entries. */
type Note = {
  readonly kind: string;
  readonly id: string;
  readonly revision: number;
  readonly due_at: number | null;
  readonly text: string;
};

const DELIVERY_KIND = /^delivery (pending|delivered|failed) (\w+)$/;

/** The kinds with the names that older schemas gave them. */
const KINDS: { readonly [kind: string]: EntryKind } = {
  clock: "test clock",
  webhook: "webhook",
  "webhooks of": "owned webhooks",
  "webhook gone": "deleted webhook",
  change: "snapshot",
  "change references": "snapshot references",
  "webhook deliveries of": "delivery usage",
  answer: "idempotency record",
  "answers of": "idempotency usage",
  receiving: "upload lease",
  "pending upload": "pending upload",
  "pending uploads": "pending upload total",
  backup: "last backup",
};
const TEXTS: readonly EntryKind[] = [
  "deleted webhook",
  "webhook marker",
  "snapshot",
  "idempotency record",
  "upload lease",
];

/** The entry that a row becomes; undefined if an index or another entry has its content. */
function upgradedEntry(note: Note, bodies: ReadonlyMap<string, string>): KeyValueEntry | undefined {
  const { id, revision, text } = note;
  const expiresAt = note.due_at ?? undefined;
  const [, status, webhook] = DELIVERY_KIND.exec(note.kind) ?? [];
  if (webhook !== undefined) {
    const body = bodies.get(`${webhook} ${id}`);
    const value = { ...JSON.parse(text), ...(body !== undefined && { body }) };
    const expiry = status === "pending" ? undefined : expiresAt;
    return { kind: "delivery", id: `${webhook}/${id}`, revision, expiresAt: expiry, value };
  }
  const marked = id === "lease" ? "dispatcher lease" : "webhook marker";
  const kind = note.kind === "webhooks" ? marked : KINDS[note.kind];
  return kind && { kind, id, revision, expiresAt, value: TEXTS.includes(kind) ? text : JSON.parse(text) };
}

/** Proves that an upgraded registry has exactly the entries that the rows of its fixture become. */
export async function assertHasEntries(store: Store, rows: readonly FixtureRow[]): Promise<void> {
  if (rows.some(({ table }) => table === "notes")) await assertHasNotes(store, rows);
  else await assertKeepsEntries(store, rows);
}

/** Since schema 5, each kind of entries has a table of its own. */
async function assertKeepsEntries({ keyValues }: Store, rows: readonly FixtureRow[]): Promise<void> {
  let count = 0;
  for (const kind of ENTRY_KINDS) {
    const expected = rows
      .filter(({ table }) => table === ENTRY_TABLES[kind].table)
      .map(({ row }) => `${row.id} ${row.revision}`);
    const entries = await keyValues.list({ kind, limit: 10_000 });
    assert.deepEqual(entries.map(({ id, revision }) => `${id} ${revision}`).sort(), expected.sort());
    count += expected.length;
  }
  assert.ok(count > 0, "the fixture has entries");
}

async function assertHasNotes({ keyValues }: Store, rows: readonly FixtureRow[]): Promise<void> {
  const notes = rows.filter(({ table }) => table === "notes").map(({ row }) => row as unknown as Note);
  const bodies = new Map(
    notes.flatMap(({ kind, id, text }) =>
      kind.startsWith("delivery body ") ? [[`${kind.slice("delivery body ".length)} ${id}`, text] as const] : [],
    ),
  );
  const expected = notes.flatMap((note) => upgradedEntry(note, bodies) ?? []);
  for (const required of ["test clock", "webhook", "delivery", "idempotency record"] as const)
    assert.ok(
      expected.some(({ kind }) => kind === required),
      `the fixture has a ${required}`,
    );
  for (const kind of ENTRY_KINDS) {
    const sorted = expected.filter((entry) => entry.kind === kind).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    assert.deepEqual(await keyValues.list({ kind, limit: 10_000 }), sorted);
  }
  const clocks = await keyValues.list({ kind: "test clock", limit: 100 });
  for (const clock of clocks) {
    const owned = await keyValues.list({ kind: "test clock", where: { owner: clock.value.owner }, limit: 100 });
    assert.ok(owned.some(({ id }) => id === clock.id));
  }
}
