import type { Instant } from "../domain/values/time.ts";
import type { EntryQuery, KeyValueEntry, KeyValueStore, Webhook, WebhookDelivery } from "../store/store.ts";

/** A delivery that waits to be sent. Its content is read from the store when it is sent. */
export type PendingDelivery = {
  readonly id: string;
  readonly tender: string;
  readonly dueAt: Instant;
  /** The size of its snapshot; 0 if there is none. */
  readonly bytes: number;
};

/** What the dispatcher knows of a webhook. */
export type SubscriptionState = {
  webhook: Webhook;
  /** The revision of its entry when it was read; UNKNOWN_REVISION if it may have changed since. */
  revision: number;
  /** All changes up to this time have been read. */
  readUpTo: Instant;
  /** The offset in the store, which may be behind `readUpTo`. */
  savedOffset: Instant;
  /** The position of the ledger when the last change was read. */
  caughtUpAt: number;
  /** In the order of their ids. */
  pending: readonly PendingDelivery[];
  /** The ids of the deliveries that are being sent, until their results are written. */
  readonly inFlight: Set<string>;
  /** Whether the last attempt succeeded. */
  isHealthy: boolean;
  /** After a failure its changes are not read before this time of `performance.now()`. */
  pausedUntil: number;
};

/** The state must be read again before it is used for a write. */
export const UNKNOWN_REVISION = -1;

const PAGE_SIZE = 500;

type ListedKind = "webhook" | "deleted webhook" | "delivery";

/** All entries of a query. Entries that are added meanwhile may be missing. */
async function listAll<Kind extends ListedKind>(
  keyValues: KeyValueStore,
  query: Pick<EntryQuery<Kind>, "kind" | "where">,
): Promise<readonly KeyValueEntry<Kind>[]> {
  const all: KeyValueEntry<Kind>[] = [];
  for (let beyond: string | undefined; ; ) {
    const page = await keyValues.list({ ...query, beyond, limit: PAGE_SIZE });
    all.push(...page);
    const last = page.at(-1);
    if (page.length < PAGE_SIZE || !last) return all;
    beyond = last.id;
  }
}

const pendingDeliveryOf = ({ id, tender, nextAttempt, snapshot }: WebhookDelivery): PendingDelivery => ({
  id,
  tender,
  dueAt: nextAttempt ?? 0,
  bytes: snapshot?.bytes ?? 0,
});

/** Loads all webhooks, by their ids. The state objects of `previous` are updated in place, because requests in flight refer to them. */
export async function loadSubscriptions(
  keyValues: KeyValueStore,
  previous: ReadonlyMap<string, SubscriptionState>,
): Promise<Map<string, SubscriptionState>> {
  const subscriptions = new Map<string, SubscriptionState>();
  for (const entry of await listAll(keyValues, { kind: "webhook" })) {
    const before = previous.get(entry.id);
    const state = before ?? { inFlight: new Set<string>(), isHealthy: true, pausedUntil: 0 };
    if (before?.revision === entry.revision) subscriptions.set(entry.id, before);
    else subscriptions.set(entry.id, Object.assign(state, await readSubscription(keyValues, entry)));
  }
  return subscriptions;
}

async function readSubscription(
  keyValues: KeyValueStore,
  { value: webhook, revision }: KeyValueEntry<"webhook">,
): Promise<Omit<SubscriptionState, "inFlight" | "isHealthy" | "pausedUntil">> {
  const { id, offset } = webhook;
  const deliveries = await listAll(keyValues, { kind: "delivery", where: { webhook: id, status: "pending" } });
  const pending = deliveries.map(({ value }) => pendingDeliveryOf(value));
  return { webhook, revision, readUpTo: offset, savedOffset: offset, caughtUpAt: -1, pending };
}

export const loadDeletedWebhooks = async (
  keyValues: KeyValueStore,
): Promise<readonly { readonly webhook: string; readonly owner: string }[]> =>
  (await listAll(keyValues, { kind: "deleted webhook" })).map(({ id, value }) => ({ webhook: id, owner: value }));

/**
 * The delivery to send next: the one that is due the longest. Only the earliest delivery of each tender is considered, so that the
 * changes of a tender arrive in order.
 */
export function nextDelivery({ pending, inFlight }: SubscriptionState, now: Instant): PendingDelivery | undefined {
  const tenders = new Set<string>();
  let next: PendingDelivery | undefined;
  for (const delivery of pending) {
    if (tenders.has(delivery.tender)) continue;
    tenders.add(delivery.tender);
    if (!inFlight.has(delivery.id) && delivery.dueAt <= now && (!next || delivery.dueAt < next.dueAt)) next = delivery;
  }
  return next;
}

/** The size of the snapshots of an account's pending deliveries. A snapshot that several of its webhooks share counts once. */
export function pendingBytesOf(owner: string, subscriptions: Iterable<SubscriptionState>): number {
  const bytesById = new Map<string, number>();
  for (const { webhook, pending } of subscriptions)
    if (webhook.owner === owner) for (const { id, bytes } of pending) if (bytes > 0) bytesById.set(id, bytes);
  return bytesById.values().reduce((sum, bytes) => sum + bytes, 0);
}
