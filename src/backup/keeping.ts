import type { Note, Store } from "../store/store.ts";

/**
 * What a registry keeps that its ledger does not tell and that it needs elsewhere: its secrets, the clocks of its
 * sandbox, and who wants to be told of changes. Answers to be given again are for a day only, and stay behind.
 */
const KINDS = ["clock", "clock of", "webhook", "webhooks of"];
const NOTE = "note ";
const AT_ONCE = 1000;

export async function keptBeside(store: Store): Promise<ReadonlyMap<string, string>> {
  const kept = new Map(await store.secrets());
  for (const kind of KINDS)
    for await (const { id, text } of notesOf(store, kind)) kept.set(NOTE + JSON.stringify([kind, id]), text);
  return kept;
}

export async function keepBeside(store: Store, kept: Iterable<readonly [string, string]>): Promise<void> {
  for (const [name, text] of kept) {
    if (!name.startsWith(NOTE)) await store.putSecret(name, text);
    else {
      const [kind, id] = JSON.parse(name.slice(NOTE.length)) as [string, string];
      const before = (await store.notes.find({ kind, id }))?.revision ?? 0;
      await store.notes.put([{ kind, id, text, before }]);
    }
  }
}

async function* notesOf({ notes }: Store, kind: string): AsyncGenerator<Note> {
  for (let beyond: string | undefined; ; ) {
    const page = await notes.list({ kind, beyond, limit: AT_ONCE });
    yield* page;
    if (page.length < AT_ONCE) return;
    beyond = page.at(-1)!.id;
  }
}
