import type { Answer, Calls, Found, IfAsked, Read } from "./calls.ts";
import type { Asking, Reading, Writing } from "./requests.ts";
import type { Delivery, SecretRotation, SiteOperations, Webhook, WebhookChange, WebhookSent } from "./siteTypes.ts";

export type { Delivery, SecretRotation, Webhook, WebhookChange, WebhookSent } from "./siteTypes.ts";

/** Which deliveries. */
export type DeliveryWishes = Reading & {
  readonly status?: Delivery["status"] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: string | undefined;
};

/** A page of deliveries, newest first. */
export type DeliveryPage = Answer<SiteOperations, "GET /webhooks/{webhook_id}/deliveries">;

/** Webhooks: the registry sends changes to an address of yours. `verifyWebhook` tells there whether they are genuine. */
export type Webhooks = {
  /** Makes a webhook. The secret that its deliveries are signed with is told only here. */
  readonly create: (webhook: WebhookSent, options?: Writing) => Promise<Answer<SiteOperations, "POST /webhooks">>;
  /** Those of this account. */
  readonly list: <Options extends Reading = Asking>(options?: Options) => Promise<Read<readonly Webhook[], Options>>;
  /** One of them. */
  readonly get: <Options extends Reading = Asking>(id: string, options?: Options) => Promise<Read<Webhook, Options>>;
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
  ) => Promise<Answer<SiteOperations, "POST /webhooks/{webhook_id}/secret">>;
  /** Ends one, and shows what it was. */
  readonly delete: (id: string, options?: Writing) => Promise<Found<Webhook>>;
  /** What was sent, or is to be sent, newest first. */
  readonly deliveries: <Wishes extends DeliveryWishes = Omit<DeliveryWishes, "ifNoneMatch">>(
    id: string,
    wishes?: Wishes,
  ) => Promise<DeliveryPage | IfAsked<Wishes>>;
  /** One delivery. */
  readonly delivery: <Options extends Reading = Asking>(
    id: string,
    delivery: string,
    options?: Options,
  ) => Promise<Read<Delivery, Options>>;
  /** Sends a delivery again. */
  readonly resend: (id: string, delivery: string, options?: Writing) => Promise<Found<Delivery>>;
};

const ONE = "/webhooks/{webhook_id}";
const DELIVERIES = `${ONE}/deliveries` as const;
const DELIVERY = `${DELIVERIES}/{delivery_id}` as const;

export const openWebhooks = ({ read, write }: Calls<SiteOperations>): Webhooks => ({
  create: (webhook, options) => write("POST /webhooks", {}, webhook, options),
  list: (options) => read("GET /webhooks", {}, options),
  get: (webhook_id, options) => read(`GET ${ONE}`, { webhook_id }, options),
  patch: (webhook_id, changes, options) => write(`PATCH ${ONE}`, { webhook_id }, changes, options),
  rotateSecret: (webhook_id, rotation = {}, options) => write(`POST ${ONE}/secret`, { webhook_id }, rotation, options),
  delete: (webhook_id, options) => write(`DELETE ${ONE}`, { webhook_id }, undefined, options),
  deliveries: (webhook_id, wishes) => {
    const { status, limit, offset } = wishes ?? {};
    return read(`GET ${DELIVERIES}`, { webhook_id }, wishes, { status, limit, offset });
  },
  delivery: (webhook_id, delivery_id, options) => read(`GET ${DELIVERY}`, { webhook_id, delivery_id }, options),
  resend: (webhook_id, delivery_id, options) =>
    write(`POST ${DELIVERY}/resend`, { webhook_id, delivery_id }, undefined, options),
});
