import { isOneOf } from "../base/typeGuards.ts";
import { mayAct, mayCreate } from "../domain/model/actors.ts";
import type { Instant } from "../domain/values/time.ts";
import { pageLimitOf } from "../feed/pageLimit.ts";
import {
  BAD_OFFSET,
  BAD_PARAMS,
  FORBIDDEN,
  IDEMPOTENCY_QUOTA_EXCEEDED,
  NOT_FOUND,
  PRECONDITION_FAILED,
  UNAUTHORIZED,
} from "../http/errorResponses.ts";
import { type Exchange, requireData, requireParam } from "../http/exchange.ts";
import { errorResponse, type HttpResponse, singleErrorResponse } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { DELIVERY_STATUSES, type DeliveryStatus, type Webhook, type WebhookDelivery } from "./model.ts";
import { RETIRING_MAX } from "./signing.ts";
import {
  readNewWebhook,
  readSecretRotation,
  readWebhookEdit,
  type WebhookFieldProblem,
  type WebhookFieldSettings,
} from "./webhookFields.ts";
import { webhookFilterReaderIn } from "./webhookFormatter.ts";
import {
  type IdempotencyOutcome,
  WEBHOOKS_PER_OWNER_MAX,
  type Webhooks,
  type WebhookWithSecret,
  type WebhookWriteOptions,
} from "./webhooks.ts";
import { dataResponse, deliveryView, responseWithSecret, type WebhookViewPorts, webhookView } from "./webhookViews.ts";

/** The HTTP interface of webhooks. An account sees only its own; those of others are answered with 404. */

const WEBHOOK_ID = /^[0-9a-f]{32}$/;
const DELIVERY_ID = /^[\w-]{1,200}$/;
const PAGE_DEFAULT = 100;
const PAGE_MAX = 1000;

type WebhookPorts = WebhookViewPorts & { readonly webhooks: Webhooks };
type WebhookExchange = Exchange<WebhookPorts>;
type OwnedRequest = { readonly exchange: WebhookExchange; readonly owner: string };

/** Proxies must not cache the URLs and secrets of an account. */
const NO_STORE = { "Cache-Control": "no-store" };

/** A handler that requires an account. */
const withOwner =
  (run: (owned: OwnedRequest) => Promise<HttpResponse>) =>
  async (exchange: WebhookExchange): Promise<HttpResponse> => {
    const { account } = exchange.actor;
    if (!account) return UNAUTHORIZED;
    if (!mayAct(exchange.actor)) return FORBIDDEN;
    const response = await run({ exchange, owner: account.name });
    return { ...response, headers: { ...NO_STORE, ...response.headers } };
  };

/** A handler that requires an account and the webhook of the path. */
const withWebhook = (run: (owned: OwnedRequest, webhook: Webhook) => Promise<HttpResponse>) =>
  withOwner(async (owned) => {
    const { ports, params } = owned.exchange;
    const { webhook_id: id = "", delivery_id: delivery } = params;
    const webhook = WEBHOOK_ID.test(id) ? await ports.webhooks.find(owned.owner, id) : undefined;
    if (!webhook) return NOT_FOUND("webhook_id");
    return delivery === undefined || DELIVERY_ID.test(delivery) ? run(owned, webhook) : NOT_FOUND("delivery_id");
  });

/**
 * Runs a write with the request's idempotency record. The response is what `show` returns for the saved value, what `respondToRefusal`
 * returns for a refusal, or the recorded response to a retry.
 */
async function respondIdempotently<Value extends object, Refused extends string | undefined>(
  { isDry, idempotency }: WebhookExchange,
  show: (value: Value) => HttpResponse,
  save: (options: WebhookWriteOptions<Value>) => Promise<Value | Refused | IdempotencyOutcome>,
  respondToRefusal: (reason: Refused) => HttpResponse,
): Promise<HttpResponse> {
  let recorded: HttpResponse | undefined;
  const record = idempotency && {
    ...idempotency,
    record: (value: Value, at: Instant) => {
      recorded = show(value);
      return idempotency.record(recorded, at);
    },
  };
  const saved = await save({ persists: !isDry, idempotency: record });
  if (typeof saved !== "object") return respondToRefusal(saved);
  if ("overQuota" in saved) return IDEMPOTENCY_QUOTA_EXCEEDED;
  // Only a write with an idempotency record is replayed.
  if ("storedResponse" in saved) return idempotency!.replay(saved.storedResponse);
  return recorded ?? show(saved);
}

const settingsOf = ({ ports }: WebhookExchange): WebhookFieldSettings => ({
  dialects: ports.dialects,
  zone: ports.config.zone,
  readFilter: webhookFilterReaderIn(ports.config.zone),
  unreachableReason: ports.webhooks.unreachableReason,
});

const invalidFields = (problems: readonly WebhookFieldProblem[]): HttpResponse =>
  errorResponse(
    422,
    problems.map((problem) => ({ location: "body", ...problem })),
  );

const TOO_MANY_WEBHOOKS = singleErrorResponse(
  403,
  "url",
  "webhooks",
  `An account can have at most ${WEBHOOKS_PER_OWNER_MAX} webhooks`,
  "too-many-webhooks",
);

const TOO_MANY_SECRETS = singleErrorResponse(
  403,
  "url",
  "secret",
  `At most ${RETIRING_MAX} earlier secrets can be valid besides the newest one`,
  "too-many-secrets",
);

const createWebhook = withOwner(async ({ exchange, owner }) => {
  const { ports, root, path, actor } = exchange;
  if (!mayCreate(actor)) return FORBIDDEN;
  const read = await readNewWebhook(requireData(exchange), settingsOf(exchange));
  if ("problems" in read) return invalidFields(read.problems);
  const show = (created: WebhookWithSecret): HttpResponse => ({
    ...responseWithSecret(exchange, created),
    status: 201,
    headers: { Location: `${root}${path}/${created.webhook.id}`, ...NO_STORE },
  });
  const create = (options: WebhookWriteOptions<WebhookWithSecret>) =>
    ports.webhooks.create({ ...read.fields, owner, origin: root }, options);
  return respondIdempotently(exchange, show, create, () => TOO_MANY_WEBHOOKS);
});

const listWebhooks = withOwner(async ({ exchange, owner }) => {
  const own = await exchange.ports.webhooks.list(owner);
  return dataResponse(own.map((webhook) => webhookView(exchange, webhook)));
});

const showWebhook = withWebhook(async ({ exchange }, webhook) => dataResponse(webhookView(exchange, webhook)));

/** The `If-Match` of the request, which is checked inside the write. */
function preconditionOf(exchange: WebhookExchange): WebhookWriteOptions<Webhook>["precondition"] {
  const { matchesIfMatch } = exchange;
  return matchesIfMatch && ((webhook) => matchesIfMatch(dataResponse(webhookView(exchange, webhook))));
}

const missingOrMoved = (reason: "moved" | undefined): HttpResponse =>
  reason ? PRECONDITION_FAILED : NOT_FOUND("webhook_id");

const editWebhook = withWebhook(async ({ exchange, owner }, webhook) => {
  const { ports } = exchange;
  const dialect = ports.dialects.get(webhook.version);
  const read = await readWebhookEdit(requireData(exchange), dialect, settingsOf(exchange));
  if ("problems" in read) return invalidFields(read.problems);
  const edit = (options: WebhookWriteOptions<Webhook>) =>
    ports.webhooks.edit(owner, webhook.id, read.fields, { ...options, precondition: preconditionOf(exchange) });
  return respondIdempotently(exchange, (edited) => dataResponse(webhookView(exchange, edited)), edit, missingOrMoved);
});

const removeWebhook = withWebhook(async ({ exchange, owner }, { id }) => {
  const remove = (options: WebhookWriteOptions<Webhook>) =>
    exchange.ports.webhooks.remove(owner, id, { ...options, precondition: preconditionOf(exchange) });
  return respondIdempotently(
    exchange,
    (removed) => dataResponse(webhookView(exchange, removed)),
    remove,
    missingOrMoved,
  );
});

const rotateSecret = withWebhook(async ({ exchange, owner }, { id }) => {
  const { ports, body, now } = exchange;
  const read = readSecretRotation(body?.data ?? {}, now, ports.config.zone);
  if ("problems" in read) return invalidFields(read.problems);
  const show = (rotated: WebhookWithSecret): HttpResponse => ({
    ...responseWithSecret(exchange, rotated),
    headers: NO_STORE,
  });
  const rotate = (options: WebhookWriteOptions<WebhookWithSecret>) =>
    ports.webhooks.rotateSecret(owner, id, read.fields.until, options);
  return respondIdempotently(exchange, show, rotate, (reason) => (reason ? TOO_MANY_SECRETS : NOT_FOUND("webhook_id")));
});

const isDeliveryStatus = (status: string): status is DeliveryStatus => isOneOf(DELIVERY_STATUSES, status);

const listDeliveries = withWebhook(async ({ exchange }, { id }) => {
  const { query, ports, root, path } = exchange;
  const status = query.get("status") || undefined;
  const { value: limit, problem: limitProblem } = pageLimitOf(query, PAGE_DEFAULT, PAGE_MAX);
  const isKnown = status === undefined || isDeliveryStatus(status);
  const badStatus = { name: "status", description: `Value must be one of ${DELIVERY_STATUSES.join(", ")}` };
  if (!isKnown || limitProblem)
    return BAD_PARAMS([...(isKnown ? [] : [badStatus]), ...(limitProblem ? [limitProblem] : [])]);
  const beyond = query.get("offset") || undefined;
  if (beyond !== undefined && !DELIVERY_ID.test(beyond)) return BAD_OFFSET;
  const deliveries = await ports.webhooks.deliveries(id, { status, beyond, limit });
  const offset = deliveries.at(-1)?.id ?? beyond ?? "";
  const next = new URLSearchParams({ ...(status && { status }), limit: String(limit), offset });
  return {
    status: 200,
    json: JSON.stringify({
      data: deliveries.map((delivery) => deliveryView(exchange, delivery)),
      next_page: { offset, path: `${path}?${next}`, uri: `${root}${path}?${next}` },
    }),
  };
});

const showDelivery = withWebhook(async ({ exchange }, { id }) => {
  const delivery = await exchange.ports.webhooks.delivery(id, requireParam(exchange, "delivery_id"));
  return delivery ? dataResponse(deliveryView(exchange, delivery)) : NOT_FOUND("delivery_id");
});

const resendDelivery = withWebhook(async ({ exchange }, webhook) => {
  const id = requireParam(exchange, "delivery_id");
  const resend = (options: WebhookWriteOptions<WebhookDelivery>) =>
    exchange.ports.webhooks.resend(webhook, id, options);
  return respondIdempotently(
    exchange,
    (delivery) => dataResponse(deliveryView(exchange, delivery)),
    resend,
    () => NOT_FOUND("delivery_id"),
  );
});

/** The routes of webhooks, which are the same in all API versions. */
export const WEBHOOK_ROUTES: readonly Route<WebhookPorts>[] = [
  {
    path: "/webhooks",
    methods: {
      GET: { summary: "List your webhooks", response: { status: 200, data: "Webhook", many: true }, run: listWebhooks },
      POST: {
        summary: "Create a webhook",
        body: { data: "WebhookSent" },
        response: { status: 201, data: "Webhook", secret: true },
        run: createWebhook,
      },
    },
  },
  {
    path: "/webhooks/{webhook_id}",
    methods: {
      GET: { summary: "Get a webhook", response: { status: 200, data: "Webhook" }, run: showWebhook },
      PATCH: {
        summary: "Change a webhook, or pause it",
        body: { data: "WebhookChange" },
        response: { status: 200, data: "Webhook" },
        run: editWebhook,
      },
      DELETE: { summary: "Remove a webhook", response: { status: 200, data: "Webhook" }, run: removeWebhook },
    },
  },
  {
    path: "/webhooks/{webhook_id}/secret",
    methods: {
      POST: {
        summary: "Rotate the secret of a webhook",
        body: { data: "SecretRotation", mayBeAbsent: true },
        response: { status: 200, data: "Webhook", secret: true },
        run: rotateSecret,
      },
    },
  },
  {
    path: "/webhooks/{webhook_id}/deliveries",
    methods: {
      GET: {
        summary: "List the deliveries of a webhook",
        response: { status: 200, data: "Delivery", many: true, pages: true },
        run: listDeliveries,
      },
    },
  },
  {
    path: "/webhooks/{webhook_id}/deliveries/{delivery_id}",
    methods: { GET: { summary: "Get a delivery", response: { status: 200, data: "Delivery" }, run: showDelivery } },
  },
  {
    path: "/webhooks/{webhook_id}/deliveries/{delivery_id}/resend",
    methods: {
      POST: { summary: "Send a delivery again", response: { status: 200, data: "Delivery" }, run: resendDelivery },
    },
  },
];
