import type { Engine, EntryRow } from "./engine.ts";
import type { ConditionalEntryWrite, EntryWrite, KeyValueEntry, KeyValueStore } from "./store.ts";

/** Notes are written in turns as everything is, so that what was looked at first is still so when they are. */
export function openKeyValueStore(engine: Engine): KeyValueStore {
  async function put(puts: readonly ConditionalEntryWrite[]): Promise<boolean> {
    if (puts.length === 0) return true;
    const transaction = await engine.begin();
    let found: readonly (KeyValueEntry | undefined)[];
    try {
      found = await Promise.all(puts.map((write) => engine.notes.find(write)));
    } catch (error) {
      await transaction.rollback().catch(() => {});
      throw error;
    }
    if (puts.some(({ before }, i) => before !== (found[i]?.revision ?? 0))) {
      await transaction.rollback();
      return false;
    }
    await transaction.commit(
      [],
      puts.map((write, i) => entryRow(write, found[i])),
    );
    return true;
  }
  return { ...engine.notes, put };
}

export const entryRow = ({ kind, id, text, dueAt }: EntryWrite, before: KeyValueEntry | undefined): EntryRow => ({
  kind,
  id,
  text,
  dueAt,
  revision: (before?.revision ?? 0) + 1,
});

export const entryKeyText = ({ kind, id }: { readonly kind: string; readonly id: string }): string => `${kind} ${id}`;
