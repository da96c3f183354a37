import type { Instant } from "../domain/values/time.ts";
import type { Engine } from "./engine.ts";
import { ENTRY_TABLES, type EntryKind, type EntryValues, textOf } from "./entryKinds.ts";
import type { EntryRow, StoredEntry } from "./entryRows.ts";
import type {
  ConditionalEntryWrite,
  EntryKey,
  EntryQuery,
  KeyValueEntry,
  KeyValueStore,
  RequestedEntries,
} from "./keyValues.ts";

/** Opens the key-value store of an engine. `put` holds the write lock, so revisions cannot change between check and write. */
export function openKeyValueStore(engine: Engine): KeyValueStore {
  const { entries } = engine;

  async function put(writes: readonly ConditionalEntryWrite[]): Promise<boolean> {
    if (writes.length === 0) return true;
    const transaction = await engine.begin();
    let found: readonly (StoredEntry | undefined)[];
    try {
      found = await Promise.all(writes.map(({ kind, id }) => entries.find(kind, id)));
    } catch (error) {
      await transaction.rollback().catch(() => {});
      throw error;
    }
    if (writes.some(({ before }, i) => before !== (found[i]?.revision ?? 0))) {
      await transaction.rollback();
      return false;
    }
    await transaction.commit(
      [],
      writes.map((write, i) => entryRow(write, found[i])),
    );
    return true;
  }

  return {
    find: (key) => findEntry(engine, key),
    list: async (query) =>
      (await entries.list(rowQueryOf(query), query.beyond, query.descending ?? false)).map((row) =>
        entryOf(query.kind, row),
      ),
    count: (query) => entries.count(rowQueryOf(query)),
    expired: async (kind, by, limit) => (await entries.expired(kind, by, limit)).map((row) => entryOf(kind, row)),
    put,
  };
}

/** An entry as the database has it. */
export async function findEntry<Kind extends EntryKind>(
  { entries }: Pick<Engine, "entries">,
  { kind, id }: EntryKey<Kind>,
): Promise<KeyValueEntry<Kind> | undefined> {
  const row = await entries.find(kind, id);
  return row && entryOf(kind, row);
}

/** The entry of a row. This is the only place where values are parsed. */
export const entryOf = <Kind extends EntryKind>(kind: Kind, row: StoredEntry): KeyValueEntry<Kind> => ({
  kind,
  id: row.id,
  revision: row.revision,
  expiresAt: row.expiresAt ?? undefined,
  value: ENTRY_TABLES[kind].parse(row.text),
});

function rowQueryOf({ kind, where, limit }: EntryQuery) {
  const filter: { readonly [name: string]: string } = where ?? {};
  const columns = where ? ENTRY_TABLES[kind].columns.map(({ name }) => filter[name] ?? "") : [];
  return { kind, columns, limit };
}

/** The row of an entry that follows `before`. */
export const entryRow = <Kind extends EntryKind>(
  {
    kind,
    id,
    value,
    expiresAt,
  }: EntryKey<Kind> & {
    readonly value: EntryValues[Kind] | undefined;
    readonly expiresAt?: Instant | undefined;
  },
  before: { readonly revision: number } | undefined,
): EntryRow => ({
  kind,
  id,
  text: value === undefined ? undefined : textOf(value),
  expiresAt: expiresAt ?? null,
  columns: value === undefined ? [] : ENTRY_TABLES[kind].columns.map((column) => column.of(id, value)),
  revision: (before?.revision ?? 0) + 1,
});

/** A key as one text, for maps. */
export const entryKeyText = ({ kind, id }: EntryKey): string => `${kind} ${id}`;

const hasKind = <Kind extends EntryKind>(entry: KeyValueEntry, kind: Kind): entry is KeyValueEntry<Kind> =>
  entry.kind === kind;

/** The entries that were found for the keys of a write, in their order. */
export function requestedEntries(
  keys: readonly EntryKey[],
  found: readonly (KeyValueEntry | undefined)[],
): RequestedEntries {
  const entries = new Map(keys.map((key, i) => [entryKeyText(key), found[i]]));
  return {
    find: (key) => {
      const text = entryKeyText(key);
      if (!entries.has(text)) throw new Error(`the decision has not requested ${text}`);
      const entry = entries.get(text);
      return entry && hasKind(entry, key.kind) ? entry : undefined;
    },
  };
}
