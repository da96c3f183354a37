import { parseOwnJson } from "../base/ownJson.ts";
import {
  DURABLE_KINDS,
  type DurableKind,
  durableWriteOf,
  type KeyValueEntry,
  type Store,
  textOf,
} from "../store/store.ts";

/**
 * The data of a registry that is not in its ledger and belongs in a backup: secrets, and the key-value entries of durable kinds, such as
 * test clocks and webhook subscriptions.
 */

/** The prefixes that distinguish key-value entries from secrets; part of the format of backups. */
const ENTRY_PREFIX = "entry ";
const OLDER_PREFIX = "note ";
/** The kinds in backups of older releases. Their "clock of" listed the clocks of an account, which an index does today. */
const OLDER_KINDS: ReadonlyMap<string, DurableKind> = new Map([
  ["clock", "test clock"],
  ["webhook", "webhook"],
  ["webhooks of", "owned webhooks"],
]);
const PAGE_SIZE = 1000;

/** All secrets and entries, by the names they have in a backup. */
export async function readNonLedgerData(store: Store): Promise<ReadonlyMap<string, string>> {
  const data = new Map(await store.secrets());
  for (const kind of DURABLE_KINDS)
    for await (const { id, value } of entriesOf(store, kind))
      data.set(ENTRY_PREFIX + JSON.stringify([kind, id]), textOf(value));
  return data;
}

/** Stores what `readNonLedgerData` returned, now or in an older release; existing secrets and entries are replaced. */
export async function writeNonLedgerData(store: Store, data: Iterable<readonly [string, string]>): Promise<void> {
  for (const [name, text] of data)
    if (name.startsWith(ENTRY_PREFIX)) {
      const [kindName, id] = parseOwnJson<[string, string]>(name.slice(ENTRY_PREFIX.length));
      const kind = DURABLE_KINDS.find((durable) => durable === kindName);
      if (!kind) throw new Error(`the backup has data of the unknown kind "${kindName}": update the program`);
      await putEntry(store, kind, id, text);
    } else if (name.startsWith(OLDER_PREFIX)) {
      const [kindName, id] = parseOwnJson<[string, string]>(name.slice(OLDER_PREFIX.length));
      const kind = OLDER_KINDS.get(kindName);
      if (kind) await putEntry(store, kind, id, text);
    } else await store.putSecret(name, text);
}

async function putEntry({ keyValues }: Store, kind: DurableKind, id: string, text: string): Promise<void> {
  const before = (await keyValues.find({ kind, id }))?.revision ?? 0;
  await keyValues.put([{ ...durableWriteOf(kind, id, text), before }]);
}

async function* entriesOf({ keyValues }: Store, kind: DurableKind): AsyncGenerator<KeyValueEntry> {
  for (let beyond: string | undefined; ; ) {
    const page = await keyValues.list({ kind, beyond, limit: PAGE_SIZE });
    yield* page;
    if (page.length < PAGE_SIZE) return;
    beyond = page.at(-1)?.id;
  }
}
