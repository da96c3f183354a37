import type { ApiResponse, Calls, MaybeNotModified, OperationResponse, ReadResponse } from "./calls.ts";
import type { ReadOptions, RequestOptions, WriteOptions } from "./requests.ts";
import type { Delivery, SecretRotation, SiteOperations, Webhook, WebhookChange, WebhookSent } from "./siteTypes.ts";

export type { Delivery, SecretRotation, Webhook, WebhookChange, WebhookSent } from "./siteTypes.ts";

/** Which deliveries. */
export type ListDeliveriesParams = ReadOptions & {
  readonly status?: Delivery["status"] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: string | undefined;
};

/** A page of deliveries, newest first. */
export type DeliveryPage = OperationResponse<SiteOperations, "GET /webhooks/{webhook_id}/deliveries">;

/** Webhooks: the registry sends changes to an address of yours. `verifyWebhook` tells there whether they are genuine. */
export type Webhooks = {
  /** Makes a webhook. The secret that its deliveries are signed with is told only here. */
  readonly create: (
    webhook: WebhookSent,
    options?: WriteOptions,
  ) => Promise<OperationResponse<SiteOperations, "POST /webhooks">>;
  /** Those of this account. */
  readonly list: <Options extends ReadOptions = RequestOptions>(
    options?: Options,
  ) => Promise<ReadResponse<readonly Webhook[], Options>>;
  /** One of them. */
  readonly get: <Options extends ReadOptions = RequestOptions>(
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Webhook, Options>>;
  /** Changes one; `status: "paused"` stops its deliveries for a while. */
  readonly patch: (id: string, changes: WebhookChange, options?: WriteOptions) => Promise<ApiResponse<Webhook>>;
  /**
   * Gives one another secret, which is told only here. For a day, or for `overlap`, deliveries are signed with the one of before as well:
   * let the receiver know the new one within that time.
   */
  readonly rotateSecret: (
    id: string,
    rotation?: SecretRotation,
    options?: WriteOptions,
  ) => Promise<OperationResponse<SiteOperations, "POST /webhooks/{webhook_id}/secret">>;
  /** Ends one, and shows what it was. */
  readonly delete: (id: string, options?: WriteOptions) => Promise<ApiResponse<Webhook>>;
  /** What was sent, or is to be sent, newest first. */
  readonly deliveries: <Wishes extends ListDeliveriesParams = Omit<ListDeliveriesParams, "ifNoneMatch">>(
    id: string,
    params?: Wishes,
  ) => Promise<DeliveryPage | MaybeNotModified<Wishes>>;
  /** One delivery. */
  readonly delivery: <Options extends ReadOptions = RequestOptions>(
    id: string,
    delivery: string,
    options?: Options,
  ) => Promise<ReadResponse<Delivery, Options>>;
  /** Sends a delivery again. */
  readonly resend: (id: string, delivery: string, options?: WriteOptions) => Promise<ApiResponse<Delivery>>;
};

const WEBHOOK = "/webhooks/{webhook_id}";
const DELIVERIES = `${WEBHOOK}/deliveries` as const;
const DELIVERY = `${DELIVERIES}/{delivery_id}` as const;

export const openWebhooks = ({ read, write }: Calls<SiteOperations>): Webhooks => ({
  create: (webhook, options) => write("POST /webhooks", {}, webhook, options),
  list: (options) => read("GET /webhooks", {}, options),
  get: (webhook_id, options) => read(`GET ${WEBHOOK}`, { webhook_id }, options),
  patch: (webhook_id, changes, options) => write(`PATCH ${WEBHOOK}`, { webhook_id }, changes, options),
  rotateSecret: (webhook_id, rotation = {}, options) =>
    write(`POST ${WEBHOOK}/secret`, { webhook_id }, rotation, options),
  delete: (webhook_id, options) => write(`DELETE ${WEBHOOK}`, { webhook_id }, undefined, options),
  deliveries: (webhook_id, params) => {
    const { status, limit, offset } = params ?? {};
    return read(`GET ${DELIVERIES}`, { webhook_id }, params, { status, limit, offset });
  },
  delivery: (webhook_id, delivery_id, options) => read(`GET ${DELIVERY}`, { webhook_id, delivery_id }, options),
  resend: (webhook_id, delivery_id, options) =>
    write(`POST ${DELIVERY}/resend`, { webhook_id, delivery_id }, undefined, options),
});
