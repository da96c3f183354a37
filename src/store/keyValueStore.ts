import type { Engine, EntryRow } from "./engine.ts";
import type { ConditionalEntryWrite, EntryKey, EntryWrite, KeyValueEntry, KeyValueStore } from "./store.ts";

/** Opens the key-value store of an engine. `put` holds the write lock, so revisions cannot change between check and write. */
export function openKeyValueStore(engine: Engine): KeyValueStore {
  async function put(writes: readonly ConditionalEntryWrite[]): Promise<boolean> {
    if (writes.length === 0) return true;
    const transaction = await engine.begin();
    let found: readonly (KeyValueEntry | undefined)[];
    try {
      found = await Promise.all(writes.map((write) => engine.keyValues.find(write)));
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
  return { ...engine.keyValues, put };
}

/** The row of an entry that follows `before`. */
export const entryRow = ({ kind, id, text, dueAt }: EntryWrite, before: KeyValueEntry | undefined): EntryRow => ({
  kind,
  id,
  text,
  dueAt,
  revision: (before?.revision ?? 0) + 1,
});

/** A key as one text, for maps. */
export const entryKeyText = ({ kind, id }: EntryKey): string => `${kind} ${id}`;
