import type { Instant } from "../domain/values/time.ts";
import type { KeyValueEntry, KeyValueStore } from "../store/store.ts";
import {
  DELETED_WEBHOOK_KIND,
  deliveryKind,
  parseDelivery,
  parseWebhook,
  WEBHOOK_KIND,
  type Webhook,
} from "./model.ts";

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

/** All entries of a kind. Entries that are added meanwhile may be missing. */
export async function listAll(keyValues: KeyValueStore, kind: string): Promise<readonly KeyValueEntry[]> {
  const all: KeyValueEntry[] = [];
  for (let beyond: string | undefined; ; ) {
    const page = await keyValues.list({ kind, beyond, limit: PAGE_SIZE });
    all.push(...page);
    const last = page.at(-1);
    if (page.length < PAGE_SIZE || !last) return all;
    beyond = last.id;
  }
}

export const pendingDeliveryOf = (entry: KeyValueEntry): PendingDelivery => {
  const { id, tender, nextAttempt, snapshot } = parseDelivery(entry);
  return { id, tender, dueAt: nextAttempt ?? 0, bytes: snapshot?.bytes ?? 0 };
};

/** Loads all webhooks, by their ids. The state objects of `previous` are updated in place, because requests in flight refer to them. */
export async function loadSubscriptions(
  keyValues: KeyValueStore,
  previous: ReadonlyMap<string, SubscriptionState>,
): Promise<Map<string, SubscriptionState>> {
  const subscriptions = new Map<string, SubscriptionState>();
  for (const entry of await listAll(keyValues, WEBHOOK_KIND)) {
    const before = previous.get(entry.id);
    const state = before ?? { inFlight: new Set<string>(), isHealthy: true, pausedUntil: 0 };
    if (before?.revision === entry.revision) subscriptions.set(entry.id, before);
    else subscriptions.set(entry.id, Object.assign(state, await readSubscription(keyValues, entry)));
  }
  return subscriptions;
}

async function readSubscription(
  keyValues: KeyValueStore,
  entry: KeyValueEntry,
): Promise<Omit<SubscriptionState, "inFlight" | "isHealthy" | "pausedUntil">> {
  const webhook = parseWebhook(entry);
  const { offset } = webhook;
  const pending = (await listAll(keyValues, deliveryKind(webhook.id, "pending"))).map(pendingDeliveryOf);
  return { webhook, revision: entry.revision, readUpTo: offset, savedOffset: offset, caughtUpAt: -1, pending };
}

export const loadDeletedWebhooks = async (
  keyValues: KeyValueStore,
): Promise<readonly { readonly webhook: string; readonly owner: string }[]> =>
  (await listAll(keyValues, DELETED_WEBHOOK_KIND)).map(({ id, text }) => ({ webhook: id, owner: text }));

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
