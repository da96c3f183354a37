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

/** A delivery that is to be made; what it says is read when it is. */
export type PendingDelivery = {
  readonly id: string;
  readonly tender: string;
  readonly dueAt: Instant;
  /** Of its snapshot; 0 where there is none. */
  readonly bytes: number;
};

/** What the dispatcher knows of one webhook. */
export type SubscriptionState = {
  webhook: Webhook;
  /** Of its note, as it was when this was known of it; `UNSURE`, where it may be another by now. */
  revision: number;
  /** Changes up to here were looked at, */
  readUpTo: Instant;
  /** and this is how far its note says so. */
  savedOffset: Instant;
  /** Where the ledger stood when nothing was left to look at. */
  caughtUpAt: number;
  /** In the order of ids. */
  pending: readonly PendingDelivery[];
  /** The ids of those that are being made; they stay until what came of them is written. */
  readonly inFlight: Set<string>;
  /** Whether the last attempt was a success. */
  isHealthy: boolean;
  /** Where it could not be followed: not before then again, in milliseconds of this process. */
  pausedUntil: number;
};

export const UNKNOWN_REVISION = -1;

const PAGE_SIZE = 500;

/** All of a kind, whatever is added meanwhile. */
export async function listAll(notes: KeyValueStore, kind: string): Promise<readonly KeyValueEntry[]> {
  const all: KeyValueEntry[] = [];
  for (let beyond: string | undefined; ; ) {
    const page = await notes.list({ kind, beyond, limit: PAGE_SIZE });
    all.push(...page);
    if (page.length < PAGE_SIZE) return all;
    beyond = page.at(-1)!.id;
  }
}

export const pendingDeliveryOf = (entry: KeyValueEntry): PendingDelivery => {
  const { id, tender, nextAttempt, snapshot } = parseDelivery(entry);
  return { id, tender, dueAt: nextAttempt ?? 0, bytes: snapshot?.bytes ?? 0 };
};

/** The webhooks there are, by their ids. A line stays the same one, as what is on its way belongs to it. */
export async function loadSubscriptions(
  notes: KeyValueStore,
  previous: ReadonlyMap<string, SubscriptionState>,
): Promise<Map<string, SubscriptionState>> {
  const subscriptions = new Map<string, SubscriptionState>();
  for (const entry of await listAll(notes, WEBHOOK_KIND)) {
    const before = previous.get(entry.id);
    const state = before ?? { inFlight: new Set<string>(), isHealthy: true, pausedUntil: 0 };
    if (before?.revision === entry.revision) subscriptions.set(entry.id, before);
    else subscriptions.set(entry.id, Object.assign(state, await readSubscription(notes, entry)));
  }
  return subscriptions;
}

async function readSubscription(
  notes: KeyValueStore,
  entry: KeyValueEntry,
): Promise<Omit<SubscriptionState, "inFlight" | "isHealthy" | "pausedUntil">> {
  const webhook = parseWebhook(entry);
  const { offset } = webhook;
  const pending = (await listAll(notes, deliveryKind(webhook.id, "pending"))).map(pendingDeliveryOf);
  return { webhook, revision: entry.revision, readUpTo: offset, savedOffset: offset, caughtUpAt: -1, pending };
}

export const loadDeletedWebhooks = async (
  notes: KeyValueStore,
): Promise<readonly { readonly webhook: string; readonly owner: string }[]> =>
  (await listAll(notes, DELETED_WEBHOOK_KIND)).map(({ id, text }) => ({ webhook: id, owner: text }));

/** What may be sent next: of each tender the earliest alone, and of these the one that is due for longest. */
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

/** What is stored for what is yet to be delivered to an account: several of its webhooks share what they are told of. */
export function pendingBytesOf(owner: string, subscriptions: Iterable<SubscriptionState>): number {
  const bytesById = new Map<string, number>();
  for (const { webhook, pending } of subscriptions)
    if (webhook.owner === owner) for (const { id, bytes } of pending) if (bytes > 0) bytesById.set(id, bytes);
  return bytesById.values().reduce((sum, bytes) => sum + bytes, 0);
}
