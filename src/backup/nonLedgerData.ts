import { parseOwnJson } from "../base/ownJson.ts";
import type { KeyValueEntry, Store } from "../store/store.ts";

/**
 * The data of a registry that is not in its ledger and belongs in a backup: secrets, test clocks and webhook subscriptions. These are
 * the kinds of key-value entries; idempotency records expire within a day and are left out.
 */
const KINDS = ["clock", "clock of", "webhook", "webhooks of"];
/** The prefix that distinguishes key-value entries from secrets; part of the format of backups. */
const ENTRY_PREFIX = "note ";
const PAGE_SIZE = 1000;

/** All secrets and entries, by the names they have in a backup. */
export async function readNonLedgerData(store: Store): Promise<ReadonlyMap<string, string>> {
  const data = new Map(await store.secrets());
  for (const kind of KINDS)
    for await (const { id, text } of entriesOf(store, kind)) data.set(ENTRY_PREFIX + JSON.stringify([kind, id]), text);
  return data;
}

/** Stores what `readNonLedgerData` returned; existing secrets and entries are replaced. */
export async function writeNonLedgerData(store: Store, data: Iterable<readonly [string, string]>): Promise<void> {
  for (const [name, text] of data) {
    if (!name.startsWith(ENTRY_PREFIX)) await store.putSecret(name, text);
    else {
      const [kind, id] = parseOwnJson<[string, string]>(name.slice(ENTRY_PREFIX.length));
      const before = (await store.keyValues.find({ kind, id }))?.revision ?? 0;
      await store.keyValues.put([{ kind, id, text, before }]);
    }
  }
}

async function* entriesOf({ keyValues }: Store, kind: string): AsyncGenerator<KeyValueEntry> {
  for (let beyond: string | undefined; ; ) {
    const page = await keyValues.list({ kind, beyond, limit: PAGE_SIZE });
    yield* page;
    if (page.length < PAGE_SIZE) return;
    beyond = page.at(-1)?.id;
  }
}
