import { type Instant, SECOND } from "../domain/values/time.ts";
import type { Lease } from "../registry/lease.ts";
import type { EntryWrite, RequestedEntries, Store } from "../store/store.ts";
import type { WebhookFormatter } from "./changeFollower.ts";
import { deliveryBytes, finishedUsageKey, openFinishedUsage } from "./finishedUsage.ts";
import {
  type AttemptOutcome,
  deliveryEntry,
  deliveryKey,
  isSuccess,
  LEASE_KEY,
  recordAttempt,
  type Webhook,
  type WebhookDelivery,
  webhookKey,
} from "./model.ts";
import type { WebhookSecrets } from "./signing.ts";
import { referencesKey, releaseReferences, snapshotKey } from "./snapshots.ts";
import { nextDelivery, type PendingDelivery, type SubscriptionState } from "./subscriptionState.ts";
import { sendWebhookRequest, type WebhookRequestSettings } from "./webhookRequest.ts";

export type DeliverySenderSettings = {
  readonly store: Store;
  readonly lease: Lease;
  readonly secretsOf: WebhookSecrets["secretsOf"];
  readonly formatter: Pick<WebhookFormatter, "entryOf">;
  /** The limit for an account's finished deliveries, which stay listed for a while. */
  readonly finishedBytesMax: number;
  readonly requestSettings: WebhookRequestSettings;
  readonly isAccount: (name: string) => boolean;
  readonly onAttempt: (outcome: "delivered" | "refused" | "unanswered") => void;
  readonly onFailure: (error: unknown) => void;
};

type SendResult = {
  readonly subscription: SubscriptionState;
  readonly id: string;
  readonly hasSnapshot: boolean;
  readonly outcome: AttemptOutcome;
  readonly at: Instant;
};

/** Every webhook can always send one request. Webhooks with healthy receivers can send more, up to this total. */
const SHARED_SLOTS = 64;
const SLOTS_PER_WEBHOOK = 8;
const RESULTS_PER_WRITE = 100;
const SHUTDOWN_GRACE_MS = 2000;
/** The pause after a failure of the store. */
const PAUSE = 5 * SECOND;

/** Sends the deliveries that are due and writes their results, in batches. */
export function openDeliverySender(settings: DeliverySenderSettings) {
  const { store, lease, secretsOf, requestSettings, formatter, finishedBytesMax, isAccount, onAttempt, onFailure } =
    settings;
  const shutdown = new AbortController();
  const activeSends = new Set<Promise<void>>();
  let results: SendResult[] = [];
  let currentWrite: Promise<void> | undefined;
  let stopped = false;

  /** A receiver that does not respond gets one request at a time, so that it takes no slots from others. */
  const hasFreeSlot = ({ inFlight, isHealthy }: SubscriptionState): boolean =>
    inFlight.size === 0 || (isHealthy && inFlight.size < SLOTS_PER_WEBHOOK && activeSends.size < SHARED_SLOTS);

  const isDeliverable = ({ webhook }: SubscriptionState): boolean =>
    webhook.status === "active" && isAccount(webhook.owner);

  /** Starts to send as many deliveries of a subscription as are due and have a slot. */
  function start(subscription: SubscriptionState): void {
    while (!stopped && isDeliverable(subscription) && lease.isHeld() && hasFreeSlot(subscription)) {
      const next = nextDelivery(subscription, store.clock());
      if (!next) return;
      subscription.inFlight.add(next.id);
      const sendTask = send(subscription, next)
        .catch((error) => {
          setDue(subscription, next.id, store.clock() + PAUSE);
          onFailure(error);
        })
        .finally(() => activeSends.delete(sendTask));
      activeSends.add(sendTask);
    }
  }

  async function send(subscription: SubscriptionState, { id, bytes }: PendingDelivery): Promise<void> {
    const webhook = subscription.webhook.id;
    const { keyValues } = store;
    const [storedWebhook, entry, snapshot] = await Promise.all([
      keyValues.find(webhookKey(webhook)),
      keyValues.find(deliveryKey(webhook, id)),
      bytes > 0 ? keyValues.find(snapshotKey(id)) : undefined,
    ]);
    const currentWebhook = storedWebhook?.value;
    const delivery = entry?.value;
    // A finished delivery has no next attempt.
    const dueAt = delivery?.nextAttempt;
    const isIncomplete = bytes > 0 && !snapshot;
    // The delivery has been changed or removed since it was loaded. The subscription is reloaded soon.
    if (isIncomplete || !delivery || dueAt === undefined || dueAt > store.clock())
      return setDue(subscription, id, dueAt);
    if (currentWebhook?.status !== "active") return setDue(subscription, id, store.clock() + PAUSE);
    const now = store.clock();
    const body = delivery.body ?? bodyOf(currentWebhook, delivery, snapshot?.value);
    const request = {
      url: currentWebhook.url,
      webhook,
      delivery: id,
      secrets: await secretsOf(currentWebhook, now),
      body,
    };
    const outcome = await sendWebhookRequest(request, now, requestSettings, shutdown.signal);
    // A request that the shutdown has aborted does not count as an attempt.
    if (shutdown.signal.aborted && outcome.status === undefined) return;
    subscription.isHealthy = isSuccess(outcome);
    onAttempt(subscription.isHealthy ? "delivered" : outcome.status === undefined ? "unanswered" : "refused");
    results.push({ subscription, id, hasSnapshot: bytes > 0, outcome, at: store.clock() });
    await write();
    start(subscription);
  }

  /** Rendered for each attempt from the same snapshot and fields, so all attempts send the same bytes. */
  function bodyOf(
    webhook: Webhook,
    { tender, dateModified, snapshot }: WebhookDelivery,
    snapshotText: string | undefined,
  ): string {
    const row = { id: tender, dateModified };
    return `{"data":${formatter.entryOf(webhook, row, snapshot?.fields ?? "", snapshotText)}}`;
  }

  /** Writes the results so far. Those that arrive during a write are written together in the next one. */
  async function write(): Promise<void> {
    while (currentWrite) await currentWrite.catch(() => {});
    if (results.length === 0) return;
    const batch = results.slice(0, RESULTS_PER_WRITE);
    results = results.slice(RESULTS_PER_WRITE);
    currentWrite = record(batch).finally(() => {
      currentWrite = undefined;
    });
    await currentWrite;
  }

  async function record(batch: readonly SendResult[]): Promise<void> {
    const keys = batch.map(({ subscription, id }) => deliveryKey(subscription.webhook.id, id));
    const owners = new Set(batch.map(({ subscription }) => subscription.webhook.owner));
    const snapshotIds = new Set(batch.filter(({ hasSnapshot }) => hasSnapshot).map(({ id }) => id));
    try {
      const recorded = await store.write<readonly (WebhookDelivery | undefined)[]>(
        undefined,
        (_none, { entries }) => {
          if (!lease.isOwnEntry(entries.find(LEASE_KEY))) return { result: [] };
          const after = batch.map(({ subscription, id, outcome, at }) => {
            const before = entries.find(deliveryKey(subscription.webhook.id, id))?.value;
            return before?.status === "pending" ? recordAttempt(before, outcome, at) : undefined;
          });
          return { result: after, entries: entriesAfter(batch, after, entries, finishedBytesMax) };
        },
        [LEASE_KEY, ...keys, ...[...snapshotIds].map(referencesKey), ...[...owners].map(finishedUsageKey)],
      );
      batch.forEach(({ subscription, id }, i) => {
        setDue(subscription, id, recorded[i]?.nextAttempt);
      });
    } catch (error) {
      // The deliveries are sent again, but only after a pause: a full disk may fail every write at once.
      for (const { subscription, id } of batch) setDue(subscription, id, store.clock() + PAUSE);
      throw error;
    }
  }

  return {
    start,
    count: () => activeSends.size,
    /** Aborts requests that are still in flight after a short time. */
    stop: async () => {
      stopped = true;
      const timer = setTimeout(() => shutdown.abort(), SHUTDOWN_GRACE_MS);
      while (activeSends.size > 0) await Promise.allSettled(activeSends);
      clearTimeout(timer);
    },
  };
}

/**
 * The entries to write after a batch of attempts. Finished deliveries stay listed. But if the account is over its limit, successful ones
 * are removed; failed ones are always listed, because they are bounded by the limit of pending deliveries.
 */
function entriesAfter(
  batch: readonly SendResult[],
  after: readonly (WebhookDelivery | undefined)[],
  entries: RequestedEntries,
  finishedBytesMax: number,
): readonly EntryWrite[] {
  const usage = openFinishedUsage(entries);
  const unlisted: WebhookDelivery[] = [];
  const outcomes = batch.flatMap(({ subscription, at }, i): readonly EntryWrite[] => {
    const delivery = after[i];
    if (!delivery) return [];
    const { id: webhook, owner } = subscription.webhook;
    if (delivery.status === "pending") return [deliveryEntry(webhook, delivery, at)];
    const bytes = deliveryBytes(delivery);
    if (delivery.status === "delivered" && usage.of(owner) + bytes > finishedBytesMax) {
      unlisted.push(delivery);
      return [{ ...deliveryKey(webhook, delivery.id), value: undefined }];
    }
    usage.add(owner, bytes);
    return [deliveryEntry(webhook, delivery, at)];
  });
  return [...outcomes, ...releaseReferences(unlisted, entries), ...usage.entries()];
}

/** Ends the sending of a delivery: it is due again at `dueAt`, or no longer pending if that is undefined. */
function setDue(subscription: SubscriptionState, id: string, dueAt: Instant | undefined): void {
  subscription.inFlight.delete(id);
  subscription.pending =
    dueAt === undefined
      ? subscription.pending.filter((delivery) => delivery.id !== id)
      : subscription.pending.map((delivery) => (delivery.id === id ? { ...delivery, dueAt } : delivery));
}
