import type { EntryKey, EntryWrite, KeyValueEntry } from "../store/store.ts";
import type { WebhookDelivery } from "./model.ts";

/** What an account's finished deliveries take up while they are listed. */

const USAGE_KIND = "webhook deliveries of";
/** What a delivery takes up besides its text: its names, its row, and its place in the indexes. */
const ROW_BYTES = 512;

export const finishedUsageKey = (owner: string): EntryKey => ({ kind: USAGE_KIND, id: owner });

/** Its own text, and what it keeps from being removed. */
export const deliveryBytes = (delivery: WebhookDelivery): number =>
  JSON.stringify(delivery).length + ROW_BYTES + (delivery.snapshot?.bytes ?? 0);

/** The use of each account as decisions see and change it. */
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
    notes: (): readonly EntryWrite[] =>
      [...changed].map((owner) => ({
        ...finishedUsageKey(owner),
        text: bytes.get(owner) ? String(bytes.get(owner)) : undefined,
      })),
  };
}
