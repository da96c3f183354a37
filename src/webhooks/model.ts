import { parseOwnJson } from "../base/ownJson.ts";
import { DAY, HOUR, type Instant, SECOND } from "../domain/values/time.ts";
import type { EntryKey, EntryWrite, FeedRow, KeyValueEntry } from "../store/store.ts";

/** A subscription to changes. Webhooks and deliveries are stored as JSON in the key-value store. */
export type Webhook = {
  readonly id: string;
  /** The name of the account that created it. */
  readonly owner: string;
  readonly url: string;
  /** The API version of the entries. */
  readonly version: string;
  readonly mode?: string;
  readonly optFields?: string;
  /** The names and values of feed filters, as they were sent. */
  readonly filter?: { readonly [name: string]: string };
  /** The origin under which its owner reached the service, for links in entries. */
  readonly origin: string;
  readonly status: "active" | "paused";
  /** All changes up to this time have become deliveries or do not match. */
  readonly offset: Instant;
  readonly dateCreated: Instant;
  /** Since when changes wait in the feed because the pending deliveries of the account have reached their limit. */
  readonly heldSince?: Instant;
  /** Derives the secret, together with the id, once the secret was rotated. It is not secret itself. */
  readonly salt?: string;
  /** The salts of earlier secrets, which also sign deliveries until they expire. */
  readonly retiring?: readonly { readonly salt?: string; readonly until: Instant }[];
};

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A change that is sent to a webhook. */
export type WebhookDelivery = {
  /** Sorts by the time of the change. */
  readonly id: string;
  readonly tender: string;
  readonly dateModified: Instant;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Attempts since `since`; the pauses between attempts grow with it. */
  readonly tries: number;
  /** When it was created, or last resent by its owner. */
  readonly since: Instant;
  readonly nextAttempt?: Instant;
  readonly lastAttempt?: Instant;
  /** The HTTP status of the last response. */
  readonly response?: number;
  readonly error?: string;
  readonly dateCreated: Instant;
  /** For a webhook with `opt_fields`: the fields, and the size of the stored snapshot. */
  readonly snapshot?: { readonly fields: string; readonly bytes: number };
};

/** The HTTP status of the response, or the reason why there was none or why it does not count. */
export type AttemptOutcome = { readonly status?: number; readonly error?: string };

export const WEBHOOK_KIND = "webhook";
/** The kind of the lists of webhook ids, by the name of the account. */
export const OWNED_WEBHOOKS_KIND = "webhooks of";
/** The kind of deleted webhooks whose deliveries have not been removed yet. */
export const DELETED_WEBHOOK_KIND = "webhook gone";
/** A marker that is written with every change by an owner, so that the dispatcher sees with one read whether to reload. */
export const CHANGED_KEY: EntryKey = { kind: "webhooks", id: "changed" };
export const LEASE_KEY: EntryKey = { kind: "webhooks", id: "lease" };

/** The kind of a webhook's deliveries; one for each status, so that each can be listed separately. */
export const deliveryKind = (webhook: string, status: DeliveryStatus): string => `delivery ${status} ${webhook}`;
/** The kind of delivery bodies, which earlier releases stored. Today they are rendered from the snapshot when they are sent. */
export const deliveryBodyKind = (webhook: string): string => `delivery body ${webhook}`;

const INSTANT_DIGITS = 16;
/** The id of the delivery of a change, which is the same for all webhooks. */
export const deliveryId = (at: Instant, tender: string): string =>
  `${String(at).padStart(INSTANT_DIGITS, "0")}-${tender}`;

export const parseWebhook = ({ text }: KeyValueEntry): Webhook => parseOwnJson<Webhook>(text);
export const parseDelivery = ({ text }: KeyValueEntry): WebhookDelivery => parseOwnJson<WebhookDelivery>(text);

export const webhookEntry = (webhook: Webhook): EntryWrite => ({
  kind: WEBHOOK_KIND,
  id: webhook.id,
  text: JSON.stringify(webhook),
});

const RETENTION = 7 * DAY;

/** The entry of a delivery. A pending one is due for its next attempt, a finished one for removal. */
export const deliveryEntry = (webhook: string, delivery: WebhookDelivery, now: Instant): EntryWrite => ({
  kind: deliveryKind(webhook, delivery.status),
  id: delivery.id,
  text: JSON.stringify(delivery),
  dueAt: delivery.nextAttempt ?? now + RETENTION,
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
