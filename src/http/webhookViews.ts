import type { Dialect } from "../dialects/dialects.ts";
import { formatInstant, type Instant, unixOf } from "../domain/time.ts";
import type { Delivery, Webhook } from "../registry/webhooks/model.ts";
import { retiredBy } from "../registry/webhooks/signing.ts";
import type { Made } from "../registry/webhooks/webhooks.ts";
import type { Answer } from "./answers.ts";
import type { Exchange, ViewPorts } from "./exchange.ts";

/** What these views depend on. */
export type WebhookViewPorts = ViewPorts & {
  readonly clock: () => Instant;
  readonly dialects: ReadonlyMap<string, Dialect>;
};

/** Webhooks and their deliveries as their owners are shown them. */

export const told = (data: unknown): Answer => ({ status: 200, json: JSON.stringify({ data }) });

/** Only where it was just made: nothing else shows a secret. */
export const toldWithSecret = (
  exchange: Pick<Exchange<WebhookViewPorts>, "ports">,
  { webhook, secret }: Made,
): Answer => ({
  status: 200,
  json: JSON.stringify({ data: shownWebhook(exchange, webhook), access: { secret } }),
});

export function shownWebhook({ ports }: Pick<Exchange<WebhookViewPorts>, "ports">, webhook: Webhook) {
  const { id, url, version, mode, optFields, filter, status, offset, dateCreated, heldSince } = webhook;
  const { zone } = ports.config;
  const retired = retiredBy(webhook, ports.clock());
  const isUnix = ports.dialects.get(version)?.manners.offsets === "unix";
  return {
    id,
    url,
    version,
    mode,
    opt_fields: optFields,
    filter,
    status,
    offset: isUnix ? unixOf(offset) : formatInstant(offset, zone),
    dateCreated: formatInstant(dateCreated, zone),
    heldSince: heldSince === undefined ? undefined : formatInstant(heldSince, zone),
    oldSecretsUntil: retired === undefined ? undefined : formatInstant(retired, zone),
  };
}

export function shownDelivery({ ports }: Pick<Exchange<WebhookViewPorts>, "ports">, delivery: Delivery) {
  const { id, tender, dateModified, status, attempts, nextAttempt, lastAttempt, response, error, dateCreated } =
    delivery;
  const shown = (at: Instant | undefined) => (at === undefined ? undefined : formatInstant(at, ports.config.zone));
  return {
    id,
    tender,
    dateModified: shown(dateModified),
    status,
    attempts,
    nextAttempt: shown(nextAttempt),
    lastAttempt: shown(lastAttempt),
    response: response === undefined ? undefined : { status: response },
    error,
    dateCreated: shown(dateCreated),
  };
}
