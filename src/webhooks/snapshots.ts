import type { EntryKey, EntryWrite, FeedRow, RequestedEntries } from "../store/store.ts";
import type { WebhookDelivery } from "./model.ts";

/**
 * Snapshots of changed tenders for webhooks with `opt_fields`. A change is stored once, however many webhooks receive it and
 * whatever versions and fields they ask for. Deliveries are reference-counted; removing the last one removes the snapshot.
 */

/** A snapshot has the id of the deliveries of its change. */
export const snapshotKey = (id: string): EntryKey<"snapshot"> => ({ kind: "snapshot", id });
export const referencesKey = (id: string): EntryKey<"snapshot references"> => ({ kind: "snapshot references", id });

/** A change to deliver: its row in the feed and, for webhooks with `opt_fields`, the JSON of the tender. */
export type FollowedChange = { readonly row: FeedRow; readonly snapshot?: string };

/** Adds a reference to the snapshot; the first one also stores it. */
export function withReference(id: string, snapshot: string, entries: RequestedEntries): readonly EntryWrite[] {
  const count = entries.find(referencesKey(id))?.value ?? 0;
  return [
    { ...referencesKey(id), value: count + 1 },
    ...(count === 0 ? [{ ...snapshotKey(id), value: snapshot }] : []),
  ];
}

/** Removes references to the snapshot; without references left it is removed as well. */
function withoutReferences(id: string, removedCount: number, entries: RequestedEntries): readonly EntryWrite[] {
  const count = (entries.find(referencesKey(id))?.value ?? 0) - removedCount;
  if (count > 0) return [{ ...referencesKey(id), value: count }];
  return [
    { ...referencesKey(id), value: undefined },
    { ...snapshotKey(id), value: undefined },
  ];
}

/** The keys of the reference counts of these deliveries, without duplicates. */
export const referenceKeysOf = (deliveries: readonly WebhookDelivery[]): readonly EntryKey<"snapshot references">[] => [
  ...new Map(
    deliveries.flatMap((delivery) => (delivery.snapshot ? [[delivery.id, referencesKey(delivery.id)] as const] : [])),
  ).values(),
];

/** Releases the snapshots of removed deliveries. The write must have requested their reference counts. */
export function releaseReferences(
  removed: readonly WebhookDelivery[],
  entries: RequestedEntries,
): readonly EntryWrite[] {
  const referring = removed.filter(({ snapshot }) => snapshot !== undefined);
  return [...Map.groupBy(referring, ({ id }) => id)].flatMap(([id, group]) =>
    withoutReferences(id, group.length, entries),
  );
}
