import type { ApiResponse, Calls, MaybeNotModified, OperationResponse, ReadResponse } from "./calls.ts";
import type { ReadOptions, RequestOptions, WriteOptions } from "./requests.ts";
import type { Delivery, SecretRotation, SiteOperations, Webhook, WebhookChange, WebhookSent } from "./siteTypes.ts";

export type { Delivery, SecretRotation, Webhook, WebhookChange, WebhookSent } from "./siteTypes.ts";

/** The parameters of `webhooks.deliveries`. */
export type ListDeliveriesParams = ReadOptions & {
  /** Only deliveries with this status. */
  readonly status?: Delivery["status"] | undefined;
  /** The number of deliveries on a page. */
  readonly limit?: number | undefined;
  /** Where to continue: the `next_page.offset` of the page before. */
  readonly offset?: string | undefined;
};

/** A page of deliveries, newest first. */
export type DeliveryPage = OperationResponse<SiteOperations, "GET /webhooks/{webhook_id}/deliveries">;

/**
 * Webhooks: the registry posts changes to a URL of yours. Check each request there with `verifyWebhook`.
 *
 * @example
 * const { data: webhook, secret } = await client.webhooks.create({
 *   url: "https://example.com/changes",
 *   filter: { status: "active.tendering" },
 * });
 */
export type Webhooks = {
  /** Creates a webhook. The response has the `secret` that signs its deliveries; it cannot be read later. */
  readonly create: (
    webhook: WebhookSent,
    options?: WriteOptions,
  ) => Promise<OperationResponse<SiteOperations, "POST /webhooks">>;
  /** Lists the webhooks of this account. */
  readonly list: <Options extends ReadOptions = RequestOptions>(
    options?: Options,
  ) => Promise<ReadResponse<readonly Webhook[], Options>>;
  /** Returns a webhook. */
  readonly get: <Options extends ReadOptions = RequestOptions>(
    id: string,
    options?: Options,
  ) => Promise<ReadResponse<Webhook, Options>>;
  /** Changes a webhook. `status: "paused"` pauses its deliveries. */
  readonly patch: (id: string, changes: WebhookChange, options?: WriteOptions) => Promise<ApiResponse<Webhook>>;
  /**
   * Replaces the secret of a webhook. The response has the new `secret`; it cannot be read later. For a day, or for
   * `overlap`, deliveries are signed with both secrets: configure the receiver with the new one within that time.
   */
  readonly rotateSecret: (
    id: string,
    rotation?: SecretRotation,
    options?: WriteOptions,
  ) => Promise<OperationResponse<SiteOperations, "POST /webhooks/{webhook_id}/secret">>;
  /** Deletes a webhook and returns it. */
  readonly delete: (id: string, options?: WriteOptions) => Promise<ApiResponse<Webhook>>;
  /** Lists sent and pending deliveries, newest first. */
  readonly deliveries: <Params extends ListDeliveriesParams = Omit<ListDeliveriesParams, "ifNoneMatch">>(
    id: string,
    params?: Params,
  ) => Promise<DeliveryPage | MaybeNotModified<Params>>;
  /** Returns a delivery. */
  readonly delivery: <Options extends ReadOptions = RequestOptions>(
    id: string,
    delivery: string,
    options?: Options,
  ) => Promise<ReadResponse<Delivery, Options>>;
  /** Queues a delivery to be sent again. */
  readonly resend: (id: string, delivery: string, options?: WriteOptions) => Promise<ApiResponse<Delivery>>;
};

const WEBHOOK = "/webhooks/{webhook_id}";
const DELIVERIES = `${WEBHOOK}/deliveries` as const;
const DELIVERY = `${DELIVERIES}/{delivery_id}` as const;

/** The methods on `client.webhooks`. */
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
