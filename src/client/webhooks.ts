import { type Found, segmentOf, toldBy } from "./calls.ts";
import { type Asking, ask, type Request, type Settings, type Writing } from "./requests.ts";
import type { Delivery, SecretRotation, Webhook, WebhookChange, WebhookSent } from "./siteTypes.ts";

export type { Delivery, SecretRotation, Webhook, WebhookChange, WebhookSent } from "./siteTypes.ts";

/** Which deliveries. */
export type DeliveryWishes = Asking & {
  readonly status?: Delivery["status"] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: string | undefined;
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
  readonly patch: (id: string, changes: WebhookChange, options?: Writing) => Promise<Found<Webhook>>;
  /**
   * Gives one another secret, which is told only here. For a day, or for `overlap`, deliveries are signed with the one of before as well:
   * let the receiver know the new one within that time.
   */
  readonly rotateSecret: (
    id: string,
    rotation?: SecretRotation,
    options?: Writing,
  ) => Promise<Found<Webhook> & { readonly secret: string }>;
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
    rotateSecret: (id, data = {}, options) =>
      send({ method: "POST", path: `${pathOf(id)}/secret`, json: { data }, options }),
    delete: (id, options) => send({ method: "DELETE", path: pathOf(id), options }),
    deliveries: (id, { status, limit, offset, ...options } = {}) =>
      send({ method: "GET", path: `${pathOf(id)}/deliveries`, query: { status, limit, offset }, options }),
    delivery: (id, delivery, options) => send({ method: "GET", path: deliveryOf(id, delivery), options }),
    resend: (id, delivery, options) => send({ method: "POST", path: `${deliveryOf(id, delivery)}/resend`, options }),
  };
}
