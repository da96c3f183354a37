import type { EntryKey, EntryWrite, FeedRow, KeyValueEntry } from "../store/store.ts";
import type { WebhookDelivery } from "./model.ts";

/**
 * Snapshots of changed tenders for webhooks with `opt_fields`. A change is stored once, however many webhooks receive it and
 * whatever versions and fields they ask for. Deliveries are reference-counted; removing the last one removes the snapshot.
 */

const SNAPSHOT = "change";
const REFERENCES = "change references";

/** A snapshot has the id of the deliveries of its change. */
export const snapshotKey = (id: string): EntryKey => ({ kind: SNAPSHOT, id });
export const referencesKey = (id: string): EntryKey => ({ kind: REFERENCES, id });

/** A change to deliver: its row in the feed and, for webhooks with `opt_fields`, the JSON of the tender. */
export type FollowedChange = { readonly row: FeedRow; readonly snapshot?: string };

const parseCount = (entry: KeyValueEntry | undefined): number => (entry ? Number(entry.text) : 0);

/** Adds a reference to the snapshot; the first one also stores it. */
export function withReference(
  id: string,
  snapshot: string,
  references: KeyValueEntry | undefined,
): readonly EntryWrite[] {
  const count = parseCount(references);
  return [
    { ...referencesKey(id), text: String(count + 1) },
    ...(count === 0 ? [{ ...snapshotKey(id), text: snapshot }] : []),
  ];
}

/** Removes references to the snapshot; without references left it is removed as well. */
export function withoutReferences(
  id: string,
  removedCount: number,
  references: KeyValueEntry | undefined,
): readonly EntryWrite[] {
  const count = parseCount(references) - removedCount;
  if (count > 0) return [{ ...referencesKey(id), text: String(count) }];
  return [
    { ...referencesKey(id), text: undefined },
    { ...snapshotKey(id), text: undefined },
  ];
}

/** The keys of the reference counts of these deliveries, without duplicates. */
export const referenceKeysOf = (deliveries: readonly WebhookDelivery[]): readonly EntryKey[] => [
  ...new Map(
    deliveries.flatMap((delivery) => (delivery.snapshot ? [[delivery.id, referencesKey(delivery.id)] as const] : [])),
  ).values(),
];

/** Releases the snapshots of removed deliveries. `entries` are those that the write has read; they include the reference counts. */
export function releaseReferences(
  removed: readonly WebhookDelivery[],
  entries: readonly (KeyValueEntry | undefined)[],
): readonly EntryWrite[] {
  const referring = removed.filter(({ snapshot }) => snapshot !== undefined);
  const counts = new Map(entries.flatMap((entry) => (entry?.kind === REFERENCES ? [[entry.id, entry] as const] : [])));
  return [...Map.groupBy(referring, ({ id }) => id)].flatMap(([id, group]) =>
    withoutReferences(id, group.length, counts.get(id)),
  );
}
