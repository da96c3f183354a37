import { DAY, HOUR, type Instant, SECOND } from "../domain/values/time.ts";
import type { EntryKey, EntryWrite, FeedRow, Webhook, WebhookDelivery } from "../store/store.ts";

export { DELIVERY_STATUSES, type DeliveryStatus, type Webhook, type WebhookDelivery } from "../store/store.ts";

/** The HTTP status of the response, or the reason why there was none or why it does not count. */
export type AttemptOutcome = { readonly status?: number; readonly error?: string };

export const webhookKey = (id: string): EntryKey<"webhook"> => ({ kind: "webhook", id });
/** The key of the list of an account's webhooks. */
export const ownedWebhooksKey = (owner: string): EntryKey<"owned webhooks"> => ({ kind: "owned webhooks", id: owner });
/** A marker that is written with every change by an owner, so that the dispatcher sees with one read whether to reload. */
export const CHANGED_KEY: EntryKey<"webhook marker"> = { kind: "webhook marker", id: "changed" };
export const LEASE_KEY: EntryKey<"dispatcher lease"> = { kind: "dispatcher lease", id: "lease" };
export const deliveryKey = (webhook: string, id: string): EntryKey<"delivery"> => ({
  kind: "delivery",
  id: `${webhook}/${id}`,
});
/** The webhook of a delivery, by the id of its entry. */
export const webhookOfDelivery = (entryId: string): string => entryId.slice(0, entryId.indexOf("/"));

const INSTANT_DIGITS = 16;
/** The id of the delivery of a change, which is the same for all webhooks. */
export const deliveryId = (at: Instant, tender: string): string =>
  `${String(at).padStart(INSTANT_DIGITS, "0")}-${tender}`;

export const webhookEntry = (webhook: Webhook): EntryWrite => ({ ...webhookKey(webhook.id), value: webhook });

const RETENTION = 7 * DAY;

/** The entry of a delivery. It expires some time after it is finished. */
export const deliveryEntry = (webhook: string, delivery: WebhookDelivery, now: Instant): EntryWrite => ({
  ...deliveryKey(webhook, delivery.id),
  value: delivery,
  expiresAt: delivery.status === "pending" ? undefined : now + RETENTION,
});

export const newDelivery = (
  { id: tender, dateModified }: FeedRow,
  snapshot: WebhookDelivery["snapshot"],
  now: Instant,
): WebhookDelivery => ({
  id: deliveryId(dateModified, tender),
  tender,
  dateModified,
  ...initialAttempts(now),
  attempts: 0,
  dateCreated: now,
  ...(snapshot && { snapshot }),
});

const initialAttempts = (now: Instant) => ({ status: "pending", tries: 0, since: now, nextAttempt: now }) as const;

/** The delivery as pending again, with all its attempts still to come. */
export const restartDelivery = (delivery: WebhookDelivery, now: Instant): WebhookDelivery => ({
  ...delivery,
  ...initialAttempts(now),
});

const PAUSE_MIN = 5 * SECOND;
const PAUSE_MAX = HOUR;
const RETRY_PERIOD = 3 * DAY;

/** The delivery after an attempt. Pauses between attempts double up to an hour; the last attempt is after three days. */
export function recordAttempt(delivery: WebhookDelivery, outcome: AttemptOutcome, now: Instant): WebhookDelivery {
  const { nextAttempt: _nextAttempt, response: _response, error: _error, ...rest } = delivery;
  const tries = delivery.tries + 1;
  const updated = {
    ...rest,
    tries,
    attempts: delivery.attempts + 1,
    lastAttempt: now,
    ...(outcome.status !== undefined && { response: outcome.status }),
    ...(outcome.error !== undefined && { error: outcome.error }),
  };
  if (isSuccess(outcome)) return { ...updated, status: "delivered" };
  const end = delivery.since + RETRY_PERIOD;
  if (now >= end) return { ...updated, status: "failed" };
  const pause = Math.min(PAUSE_MIN * 2 ** Math.min(tries - 1, 20), PAUSE_MAX);
  return { ...updated, status: "pending", nextAttempt: Math.min(now + pause, end) };
}

/** A 2xx response. */
export const isSuccess = ({ status, error }: AttemptOutcome): boolean =>
  error === undefined && status !== undefined && status >= 200 && status < 300;
