import type { Dialect } from "../dialects/dialects.ts";
import { formatInstant, formatUnix, type Instant } from "../domain/values/time.ts";
import type { Exchange, ViewPorts } from "../http/exchange.ts";
import type { HttpResponse } from "../http/responses.ts";
import type { Webhook, WebhookDelivery } from "./model.ts";
import { retirementEnd } from "./signing.ts";
import type { WebhookWithSecret } from "./webhooks.ts";

/** Webhooks and their deliveries as their owners see them. */

export type WebhookViewPorts = ViewPorts & {
  readonly clock: () => Instant;
  readonly dialects: ReadonlyMap<string, Dialect>;
};

/** 200 with this data. */
export const dataResponse = (data: unknown): HttpResponse => ({ status: 200, json: JSON.stringify({ data }) });

/** 200 with a webhook and its new secret. Only the responses that create a secret show it. */
export const responseWithSecret = (
  exchange: Pick<Exchange<WebhookViewPorts>, "ports">,
  { webhook, secret }: WebhookWithSecret,
): HttpResponse => ({
  status: 200,
  json: JSON.stringify({ data: webhookView(exchange, webhook), access: { secret } }),
});

export function webhookView({ ports }: Pick<Exchange<WebhookViewPorts>, "ports">, webhook: Webhook) {
  const { id, url, version, mode, optFields, filter, status, offset, dateCreated, heldSince } = webhook;
  const { zone } = ports.config;
  const oldSecretsUntil = retirementEnd(webhook, ports.clock());
  const isUnix = ports.dialects.get(version)?.behaviour.offsets === "unix";
  return {
    id,
    url,
    version,
    mode,
    opt_fields: optFields,
    filter,
    status,
    offset: isUnix ? formatUnix(offset) : formatInstant(offset, zone),
    dateCreated: formatInstant(dateCreated, zone),
    heldSince: heldSince === undefined ? undefined : formatInstant(heldSince, zone),
    oldSecretsUntil: oldSecretsUntil === undefined ? undefined : formatInstant(oldSecretsUntil, zone),
  };
}

export function deliveryView({ ports }: Pick<Exchange<WebhookViewPorts>, "ports">, delivery: WebhookDelivery) {
  const { id, tender, dateModified, status, attempts, nextAttempt, lastAttempt, response, error, dateCreated } =
    delivery;
  const formatted = (at: Instant | undefined) => (at === undefined ? undefined : formatInstant(at, ports.config.zone));
  return {
    id,
    tender,
    dateModified: formatted(dateModified),
    status,
    attempts,
    nextAttempt: formatted(nextAttempt),
    lastAttempt: formatted(lastAttempt),
    response: response === undefined ? undefined : { status: response },
    error,
    dateCreated: formatted(dateCreated),
  };
}
