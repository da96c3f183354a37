import { type Found, segmentOf, toldBy } from "./calls.ts";
import { type Asking, ask, type Request, type Settings, type Writing } from "./requests.ts";
import type { Timestamp } from "./types.ts";

/** Where changes are sent. */
export type Webhook = {
  readonly id: string;
  readonly url: string;
  readonly version: string;
  readonly mode?: string;
  readonly opt_fields?: string;
  readonly filter?: { readonly [name: string]: string };
  readonly status: "active" | "paused";
  /** How far it has come. */
  readonly offset: string;
  readonly dateCreated: Timestamp;
};

/** A webhook to be made: without `offset` it hears of what changes from now on. */
export type WebhookSent = {
  readonly url: string;
  readonly version?: string;
  readonly mode?: string;
  readonly opt_fields?: string;
  /** The filters of the feed by their names. */
  readonly filter?: { readonly [name: string]: string };
  readonly offset?: string;
};

/** What can be changed of a webhook; `null` clears. */
export type WebhookPatch = {
  readonly url?: string;
  readonly opt_fields?: string | null;
  readonly filter?: { readonly [name: string]: string | null } | null;
  readonly status?: "active" | "paused";
};

/** One change on its way to a webhook. */
export type Delivery = {
  readonly id: string;
  readonly tender: string;
  readonly dateModified: Timestamp;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  readonly nextAttempt?: Timestamp;
  readonly lastAttempt?: Timestamp;
  readonly response?: { readonly status: number };
  readonly error?: string;
  readonly dateCreated: Timestamp;
};

/** Which deliveries. */
export type DeliveryWishes = Asking & {
  readonly status?: Delivery["status"];
  readonly limit?: number;
  readonly offset?: string;
};

/** A page of deliveries, newest first. */
export type DeliveryPage = Found<readonly Delivery[]> & { readonly next_page: { readonly offset: string } };

/** Webhooks: the registry sends changes to an address of yours. `verifyWebhook` tells there whether they are genuine. */
export type Webhooks = {
  /** Makes a webhook. The secret that its deliveries are signed with is told only here. */
  readonly create: (webhook: WebhookSent, options?: Writing) => Promise<Found<Webhook> & { readonly secret: string }>;
  /** Those of this account. */
  readonly list: (options?: Asking) => Promise<Found<readonly Webhook[]>>;
  /** One of them. */
  readonly get: (id: string, options?: Asking) => Promise<Found<Webhook>>;
  /** Changes one; `status: "paused"` stops its deliveries for a while. */
  readonly patch: (id: string, changes: WebhookPatch, options?: Writing) => Promise<Found<Webhook>>;
  /** Ends one. */
  readonly delete: (id: string, options?: Writing) => Promise<void>;
  /** What was sent, or is to be sent, newest first. */
  readonly deliveries: (id: string, wishes?: DeliveryWishes) => Promise<DeliveryPage>;
  /** One delivery. */
  readonly delivery: (id: string, delivery: string, options?: Asking) => Promise<Found<Delivery>>;
  /** Sends a delivery again. */
  readonly resend: (id: string, delivery: string, options?: Writing) => Promise<Found<Delivery>>;
};

export function openWebhooks(settings: Settings): Webhooks {
  const send = async (request: Request) => toldBy(await ask(settings, request)) as never;
  const pathOf = (id: string) => `/webhooks/${segmentOf(id, "webhook")}`;
  const deliveryOf = (id: string, delivery: string) => `${pathOf(id)}/deliveries/${segmentOf(delivery, "delivery")}`;
  return {
    create: (data, options) => send({ method: "POST", path: "/webhooks", json: { data }, options }),
    list: (options) => send({ method: "GET", path: "/webhooks", options }),
    get: (id, options) => send({ method: "GET", path: pathOf(id), options }),
    patch: (id, data, options) => send({ method: "PATCH", path: pathOf(id), json: { data }, options }),
    delete: (id, options) => send({ method: "DELETE", path: pathOf(id), options }),
    deliveries: (id, { status, limit, offset, ...options } = {}) =>
      send({ method: "GET", path: `${pathOf(id)}/deliveries`, query: { status, limit, offset }, options }),
    delivery: (id, delivery, options) => send({ method: "GET", path: deliveryOf(id, delivery), options }),
    resend: (id, delivery, options) => send({ method: "POST", path: `${deliveryOf(id, delivery)}/resend`, options }),
  };
}
