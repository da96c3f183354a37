import type { EntryKey, EntryWrite, RequestedEntries } from "../store/store.ts";
import type { WebhookDelivery } from "./model.ts";

/** Counts the bytes of each account's finished deliveries, which stay listed for a while. */

/** Approximate bytes of a stored delivery besides its value: keys, row and index entries. */
const ROW_BYTES = 512;

export const finishedUsageKey = (owner: string): EntryKey<"delivery usage"> => ({ kind: "delivery usage", id: owner });

/** The bytes of a delivery, including the snapshot that it refers to. Early releases did not count the body that they stored. */
export const deliveryBytes = ({ body: _body, ...delivery }: WebhookDelivery): number =>
  JSON.stringify(delivery).length + ROW_BYTES + (delivery.snapshot?.bytes ?? 0);

/** The usage of accounts, whose entries the write must have requested; `entries()` are the updates to write. */
export function openFinishedUsage(requested: RequestedEntries) {
  const changed = new Map<string, number>();
  const of = (owner: string): number => changed.get(owner) ?? requested.find(finishedUsageKey(owner))?.value ?? 0;
  return {
    of,
    add: (owner: string, delta: number): void => void changed.set(owner, Math.max(0, of(owner) + delta)),
    entries: (): readonly EntryWrite[] =>
      [...changed].map(([owner, bytes]) => ({ ...finishedUsageKey(owner), value: bytes > 0 ? bytes : undefined })),
  };
}
