import type { KeyValueEntry, Store } from "../store/store.ts";

/**
 * What a registry keeps that its ledger does not tell and that it needs elsewhere: its secrets, the clocks of its
 * sandbox, and who wants to be told of changes. Answers to be given again are for a day only, and stay behind.
 */
const KINDS = ["clock", "clock of", "webhook", "webhooks of"];
const NOTE = "note ";
const AT_ONCE = 1000;

export async function readNonLedgerData(store: Store): Promise<ReadonlyMap<string, string>> {
  const entries = new Map(await store.secrets());
  for (const kind of KINDS)
    for await (const { id, text } of notesOf(store, kind)) entries.set(NOTE + JSON.stringify([kind, id]), text);
  return entries;
}

export async function writeNonLedgerData(store: Store, entries: Iterable<readonly [string, string]>): Promise<void> {
  for (const [name, text] of entries) {
    if (!name.startsWith(NOTE)) await store.putSecret(name, text);
    else {
      const [kind, id] = JSON.parse(name.slice(NOTE.length)) as [string, string];
      const before = (await store.notes.find({ kind, id }))?.revision ?? 0;
      await store.notes.put([{ kind, id, text, before }]);
    }
  }
}

async function* notesOf({ notes }: Store, kind: string): AsyncGenerator<KeyValueEntry> {
  for (let beyond: string | undefined; ; ) {
    const page = await notes.list({ kind, beyond, limit: AT_ONCE });
    yield* page;
    if (page.length < AT_ONCE) return;
    beyond = page.at(-1)!.id;
  }
}
