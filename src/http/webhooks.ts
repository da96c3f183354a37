import { mayAct, mayCreate } from "../domain/actors.ts";
import type { Instant } from "../domain/time.ts";
import { type Delivery, type DeliveryStatus, STATUSES, type Webhook } from "../registry/webhooks/model.ts";
import { RETIRING_MAX } from "../registry/webhooks/signing.ts";
import { type Again, type Keeping, type Made, OWNED_MAX, type Webhooks } from "../registry/webhooks/webhooks.ts";
import {
  type Answer,
  BAD_OFFSET,
  BAD_PARAMS,
  FORBIDDEN,
  failure,
  IDEMPOTENCY_QUOTA,
  NOT_FOUND,
  PRECONDITION_FAILED,
  single,
  UNAUTHORIZED,
} from "./answers.ts";
import type { Exchange } from "./exchange.ts";
import { pageLimitOf } from "./pageLimit.ts";
import type { Route } from "./route.ts";
import {
  type FieldSettings,
  readNewWebhook,
  readSecretRotation,
  readWebhookEdit,
  type Wrong,
} from "./webhookFields.ts";
import { readFilterIn } from "./webhookFilters.ts";
import { shownDelivery, shownWebhook, told, toldWithSecret, type WebhookViewPorts } from "./webhookViews.ts";

/** Webhooks over HTTP: an account sees its own alone, and those of others are not there. */

const WEBHOOK_ID = /^[0-9a-f]{32}$/;
const DELIVERY_ID = /^[\w-]{1,200}$/;
const PAGE_DEFAULT = 100;
const PAGE_MAX = 1000;

type WebhookPorts = WebhookViewPorts & { readonly webhooks: Webhooks };
type WebhookExchange = Exchange<WebhookPorts>;
type Asked = { readonly exchange: WebhookExchange; readonly owner: string };

/** Addresses and secrets of one account are not for those in between to keep. */
const NOT_KEPT = { "Cache-Control": "no-store" };

/** Whoever has a key. */
const asOwner =
  (run: (asked: Asked) => Promise<Answer>) =>
  async (exchange: WebhookExchange): Promise<Answer> => {
    const { account } = exchange.actor;
    if (!account) return UNAUTHORIZED;
    if (!mayAct(exchange.actor)) return FORBIDDEN;
    const answer = await run({ exchange, owner: account.name });
    return { ...answer, headers: { ...NOT_KEPT, ...answer.headers } };
  };

/** The same, where the path names a webhook that is there. */
const onWebhook = (run: (asked: Asked, webhook: Webhook) => Promise<Answer>) =>
  asOwner(async (asked) => {
    const { ports, params } = asked.exchange;
    const { webhook_id: id = "", delivery_id: delivery } = params;
    const webhook = WEBHOOK_ID.test(id) ? await ports.webhooks.find(asked.owner, id) : undefined;
    if (!webhook) return NOT_FOUND("webhook_id");
    return delivery === undefined || DELIVERY_ID.test(delivery) ? run(asked, webhook) : NOT_FOUND("delivery_id");
  });

/** What was done, as `show` answers it; recorded with it, where the request has a key of its own. */
async function kept<Value extends object, Refused extends string | undefined>(
  { isDry, once }: WebhookExchange,
  show: (value: Value) => Answer,
  keep: (keeping: Keeping<Value>) => Promise<Value | Refused | Again>,
  refusal: (why: Refused) => Answer,
): Promise<Answer> {
  let recorded: Answer | undefined;
  const record = (value: Value, at: Instant) => {
    recorded = show(value);
    return once!.record(recorded, at);
  };
  const done = await keep({ stores: !isDry, once: once && { ...once, record } });
  if (typeof done !== "object") return refusal(done);
  if ("overQuota" in done) return IDEMPOTENCY_QUOTA;
  if ("again" in done) return once!.again(done.again);
  return recorded ?? show(done);
}

const settingsOf = ({ ports }: WebhookExchange): FieldSettings => ({
  dialects: ports.dialects,
  zone: ports.config.zone,
  readFilter: readFilterIn(ports.config.zone),
  whyNotSendTo: ports.webhooks.whyNotSendTo,
});

const refused = (wrong: readonly Wrong[]): Answer =>
  failure(
    422,
    wrong.map((one) => ({ location: "body", ...one })),
  );

const TOO_MANY_WEBHOOKS = single(
  403,
  "url",
  "webhooks",
  `An account has at most ${OWNED_MAX} webhooks`,
  "too-many-webhooks",
);

const TOO_MANY_SECRETS = single(
  403,
  "url",
  "secret",
  `At most ${RETIRING_MAX} secrets of before count beside the newest`,
  "too-many-secrets",
);

const createWebhook = asOwner(async ({ exchange, owner }) => {
  const { ports, body, root, path, actor } = exchange;
  if (!mayCreate(actor)) return FORBIDDEN;
  const read = await readNewWebhook(body!.data, settingsOf(exchange));
  if ("wrong" in read) return refused(read.wrong);
  const show = (made: Made): Answer => ({
    ...toldWithSecret(exchange, made),
    status: 201,
    headers: { Location: `${root}${path}/${made.webhook.id}`, ...NOT_KEPT },
  });
  const create = (keeping: Keeping<Made>) => ports.webhooks.create({ ...read.fields, owner, origin: root }, keeping);
  return kept(exchange, show, create, () => TOO_MANY_WEBHOOKS);
});

const listWebhooks = asOwner(async ({ exchange, owner }) => {
  const own = await exchange.ports.webhooks.list(owner);
  return told(own.map((webhook) => shownWebhook(exchange, webhook)));
});

const showWebhook = onWebhook(async ({ exchange }, webhook) => told(shownWebhook(exchange, webhook)));

/** What the client has seen of it, compared where nobody can come between. */
const onlyIfOf = (exchange: WebhookExchange): Keeping<Webhook>["onlyIf"] =>
  exchange.matches && ((webhook) => exchange.matches!(told(shownWebhook(exchange, webhook))));

const missed = (why: "moved" | undefined): Answer => (why ? PRECONDITION_FAILED : NOT_FOUND("webhook_id"));

const editWebhook = onWebhook(async ({ exchange, owner }, webhook) => {
  const { ports, body } = exchange;
  const dialect = ports.dialects.get(webhook.version);
  const read = await readWebhookEdit(body!.data, dialect, settingsOf(exchange));
  if ("wrong" in read) return refused(read.wrong);
  const edit = (keeping: Keeping<Webhook>) =>
    ports.webhooks.edit(owner, webhook.id, read.fields, { ...keeping, onlyIf: onlyIfOf(exchange) });
  return kept(exchange, (edited) => told(shownWebhook(exchange, edited)), edit, missed);
});

const removeWebhook = onWebhook(async ({ exchange, owner }, { id }) => {
  const remove = (keeping: Keeping<Webhook>) =>
    exchange.ports.webhooks.remove(owner, id, { ...keeping, onlyIf: onlyIfOf(exchange) });
  return kept(exchange, (removed) => told(shownWebhook(exchange, removed)), remove, missed);
});

const rotateSecret = onWebhook(async ({ exchange, owner }, { id }) => {
  const { ports, body, now } = exchange;
  const read = readSecretRotation(body?.data ?? {}, now, ports.config.zone);
  if ("wrong" in read) return refused(read.wrong);
  const show = (made: Made): Answer => ({ ...toldWithSecret(exchange, made), headers: NOT_KEPT });
  const change = (keeping: Keeping<Made>) => ports.webhooks.rotateSecret(owner, id, read.fields.until, keeping);
  return kept(exchange, show, change, (why) => (why ? TOO_MANY_SECRETS : NOT_FOUND("webhook_id")));
});

const listDeliveries = onWebhook(async ({ exchange }, { id }) => {
  const { query, ports, root, path } = exchange;
  const status = query.get("status") || undefined;
  const { value: limit, wrong } = pageLimitOf(query, PAGE_DEFAULT, PAGE_MAX);
  const isUnknown = status && !(STATUSES as readonly string[]).includes(status);
  const badStatus = { name: "status", description: `It should be one of ${STATUSES.join(", ")}` };
  if (isUnknown || wrong) return BAD_PARAMS([...(isUnknown ? [badStatus] : []), ...(wrong ? [wrong] : [])]);
  const beyond = query.get("offset") || undefined;
  if (beyond !== undefined && !DELIVERY_ID.test(beyond)) return BAD_OFFSET;
  const found = await ports.webhooks.deliveries(id, {
    status: status as DeliveryStatus | undefined,
    beyond,
    limit,
  });
  const offset = found.at(-1)?.id ?? beyond ?? "";
  const next = new URLSearchParams({ ...(status && { status }), limit: String(limit), offset });
  return {
    status: 200,
    json: JSON.stringify({
      data: found.map((delivery) => shownDelivery(exchange, delivery)),
      next_page: { offset, path: `${path}?${next}`, uri: `${root}${path}?${next}` },
    }),
  };
});

const showDelivery = onWebhook(async ({ exchange }, { id }) => {
  const delivery = await exchange.ports.webhooks.delivery(id, exchange.params.delivery_id!);
  return delivery ? told(shownDelivery(exchange, delivery)) : NOT_FOUND("delivery_id");
});

const resendDelivery = onWebhook(async ({ exchange }, webhook) => {
  const { ports, params } = exchange;
  const resend = (keeping: Keeping<Delivery>) => ports.webhooks.resend(webhook, params.delivery_id!, keeping);
  return kept(
    exchange,
    (delivery) => told(shownDelivery(exchange, delivery)),
    resend,
    () => NOT_FOUND("delivery_id"),
  );
});

export const WEBHOOK_ROUTES: readonly Route<WebhookPorts>[] = [
  {
    path: "/webhooks",
    methods: {
      GET: { summary: "One's own webhooks", answers: { status: 200, data: "Webhook", many: true }, run: listWebhooks },
      POST: {
        summary: "Makes a webhook",
        body: { data: "WebhookSent" },
        answers: { status: 201, data: "Webhook", secret: true },
        run: createWebhook,
      },
    },
  },
  {
    path: "/webhooks/{webhook_id}",
    methods: {
      GET: { summary: "A webhook", answers: { status: 200, data: "Webhook" }, run: showWebhook },
      PATCH: {
        summary: "Changes a webhook",
        body: { data: "WebhookChange" },
        answers: { status: 200, data: "Webhook" },
        run: editWebhook,
      },
      DELETE: { summary: "Removes a webhook", answers: { status: 200, data: "Webhook" }, run: removeWebhook },
    },
  },
  {
    path: "/webhooks/{webhook_id}/secret",
    methods: {
      POST: {
        summary: "Gives a webhook another secret, while those of before still count for a while",
        body: { data: "SecretRotation", mayBeAbsent: true },
        answers: { status: 200, data: "Webhook", secret: true },
        run: rotateSecret,
      },
    },
  },
  {
    path: "/webhooks/{webhook_id}/deliveries",
    methods: {
      GET: {
        summary: "The deliveries of a webhook",
        answers: { status: 200, data: "Delivery", many: true, pages: true },
        run: listDeliveries,
      },
    },
  },
  {
    path: "/webhooks/{webhook_id}/deliveries/{delivery_id}",
    methods: { GET: { summary: "A delivery", answers: { status: 200, data: "Delivery" }, run: showDelivery } },
  },
  {
    path: "/webhooks/{webhook_id}/deliveries/{delivery_id}/resend",
    methods: {
      POST: { summary: "Delivers once more", answers: { status: 200, data: "Delivery" }, run: resendDelivery },
    },
  },
];
