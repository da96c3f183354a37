import { DAY, HOUR, type Instant, SECOND } from "../domain/values/time.ts";
import type { EntryKey, EntryWrite, FeedRow, KeyValueEntry } from "../store/store.ts";

/** Who wants to be told of changes, and what is to be told. All of it is kept as notes beside the tenders. */
export type Webhook = {
  readonly id: string;
  /** The account that made it. */
  readonly owner: string;
  readonly url: string;
  /** The version that entries are written in; only the interface knows what it means. */
  readonly version: string;
  readonly mode?: string;
  readonly optFields?: string;
  /** As it was sent: names and values of the feed's filters. */
  readonly filter?: { readonly [name: string]: string };
  /** How its owner reached us, which links in entries begin with. */
  readonly origin: string;
  readonly status: "active" | "paused";
  /** Changes up to this moment have become deliveries, or were none of its affair. */
  readonly offset: Instant;
  readonly dateCreated: Instant;
  /** Since when changes wait in the feed, because what is to be delivered for the account takes up all the room that it has. */
  readonly heldSince?: Instant;
  /** What its secret is made of besides its id, once it has been given another; no secret itself. */
  readonly salt?: string;
  /** The same of secrets of before, that deliveries are signed with as well for a while. */
  readonly retiring?: readonly { readonly salt?: string; readonly until: Instant }[];
};

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One change to be told to one webhook. */
export type WebhookDelivery = {
  /** Sorts by the moment of the change. */
  readonly id: string;
  readonly tender: string;
  readonly dateModified: Instant;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Attempts since it was last begun, which pauses grow with. */
  readonly tries: number;
  /** When it was begun: made, or asked for again. */
  readonly since: Instant;
  readonly nextAttempt?: Instant;
  readonly lastAttempt?: Instant;
  /** The status of the last answer. */
  readonly response?: number;
  readonly error?: string;
  readonly dateCreated: Instant;
  /** Where fields of the tender are asked for: which, and how much is stored of it. */
  readonly snapshot?: { readonly fields: string; readonly bytes: number };
};

/** What came of an attempt: the status of the answer, or why there was none. */
export type AttemptOutcome = { readonly status?: number; readonly error?: string };

export const WEBHOOK_KIND = "webhook";
/** The ids of an account's webhooks, under its name. */
export const OWNED_WEBHOOKS_KIND = "webhooks of";
/** Webhooks whose deliveries are still to be removed. */
export const DELETED_WEBHOOK_KIND = "webhook gone";
/** Written whenever somebody but the dispatcher changes anything: one look tells whether to look closer. */
export const CHANGED_KEY: EntryKey = { kind: "webhooks", id: "changed" };
export const LEASE_KEY: EntryKey = { kind: "webhooks", id: "lease" };

/** A kind for each status, so that each can be listed by itself. */
export const deliveryKind = (webhook: string, status: DeliveryStatus): string => `delivery ${status} ${webhook}`;
/** Bodies of deliveries that an earlier release made; now they are written of the change's snapshot when they are sent. */
export const deliveryBodyKind = (webhook: string): string => `delivery body ${webhook}`;

const INSTANT_DIGITS = 16;
export const deliveryId = (at: Instant, tender: string): string =>
  `${String(at).padStart(INSTANT_DIGITS, "0")}-${tender}`;

export const parseWebhook = ({ text }: KeyValueEntry): Webhook => JSON.parse(text) as Webhook;
export const parseDelivery = ({ text }: KeyValueEntry): WebhookDelivery => JSON.parse(text) as WebhookDelivery;

export const webhookEntry = (webhook: Webhook): EntryWrite => ({
  kind: WEBHOOK_KIND,
  id: webhook.id,
  text: JSON.stringify(webhook),
});

const RETENTION = 7 * DAY;

/** What is done is due to be removed; what is not, to be attempted. */
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

export const restartDelivery = (delivery: WebhookDelivery, now: Instant): WebhookDelivery => ({
  ...delivery,
  ...initialAttempts(now),
});

const PAUSE_MIN = 5 * SECOND;
const PAUSE_MAX = HOUR;
const RETRY_PERIOD = 3 * DAY;

/** Pauses double; the last attempt is made when the time for attempts ends. */
export function recordAttempt(delivery: WebhookDelivery, outcome: AttemptOutcome, now: Instant): WebhookDelivery {
  const { nextAttempt: _due, response: _before, error: _why, ...rest } = delivery;
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

export const isSuccess = ({ status, error }: AttemptOutcome): boolean =>
  error === undefined && status !== undefined && status >= 200 && status < 300;
