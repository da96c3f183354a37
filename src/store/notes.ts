import type { Engine, NoteRow } from "./engine.ts";
import type { NewNote, Note, NotePut, Notes } from "./store.ts";

/** Notes are written in turns as everything is, so that what was looked at first is still so when they are. */
export function openNotes(engine: Engine): Notes {
  async function put(puts: readonly NotePut[]): Promise<boolean> {
    if (puts.length === 0) return true;
    const turn = await engine.begin();
    let found: readonly (Note | undefined)[];
    try {
      found = await Promise.all(puts.map((one) => engine.notes.find(one)));
    } catch (error) {
      await turn.leave().catch(() => {});
      throw error;
    }
    if (puts.some(({ before }, i) => before !== (found[i]?.revision ?? 0))) {
      await turn.leave();
      return false;
    }
    await turn.commit(
      [],
      puts.map((one, i) => noteRow(one, found[i])),
    );
    return true;
  }
  return { ...engine.notes, put };
}

export const noteRow = ({ kind, id, text, dueAt }: NewNote, before: Note | undefined): NoteRow => ({
  kind,
  id,
  text,
  dueAt,
  revision: (before?.revision ?? 0) + 1,
});

export const nameOf = ({ kind, id }: { readonly kind: string; readonly id: string }): string => `${kind} ${id}`;
