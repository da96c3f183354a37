import type { EntryKey, EntryWrite, KeyValueEntry } from "../store/store.ts";
import type { WebhookDelivery } from "./model.ts";

/** Counts the bytes of each account's finished deliveries, which stay listed for a while. */

const USAGE_KIND = "webhook deliveries of";
/** Approximate bytes of a stored delivery besides its text: keys, row and index entries. */
const ROW_BYTES = 512;

export const finishedUsageKey = (owner: string): EntryKey => ({ kind: USAGE_KIND, id: owner });

/** The bytes of a delivery, including the snapshot that it refers to. */
export const deliveryBytes = (delivery: WebhookDelivery): number =>
  JSON.stringify(delivery).length + ROW_BYTES + (delivery.snapshot?.bytes ?? 0);

/** The usage of the accounts among the entries that a write has read; `entries()` are the updates to write. */
export function openFinishedUsage(entries: readonly (KeyValueEntry | undefined)[]) {
  const bytes = new Map(
    entries.flatMap((entry) => (entry?.kind === USAGE_KIND ? [[entry.id, Number(entry.text)] as const] : [])),
  );
  const changed = new Set<string>();
  const add = (owner: string, delta: number): void => {
    bytes.set(owner, Math.max(0, (bytes.get(owner) ?? 0) + delta));
    changed.add(owner);
  };
  return {
    of: (owner: string): number => bytes.get(owner) ?? 0,
    add,
    entries: (): readonly EntryWrite[] =>
      [...changed].map((owner) => ({
        ...finishedUsageKey(owner),
        text: bytes.get(owner) ? String(bytes.get(owner)) : undefined,
      })),
  };
}
