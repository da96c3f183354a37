import { formatInstant, type Instant, unixOf } from "../domain/time.ts";
import type { Delivery, Webhook } from "../registry/webhooks/model.ts";
import { retiredBy } from "../registry/webhooks/signing.ts";
import type { Made } from "../registry/webhooks/webhooks.ts";
import type { Answer } from "./answers.ts";
import type { Exchange } from "./exchange.ts";

/** Webhooks and their deliveries as their owners are shown them. */

export const told = (data: unknown): Answer => ({ status: 200, json: JSON.stringify({ data }) });

/** Only where it was just made: nothing else shows a secret. */
export const toldWithSecret = (exchange: Exchange, { webhook, secret }: Made): Answer => ({
  status: 200,
  json: JSON.stringify({ data: shownWebhook(exchange, webhook), access: { secret } }),
});

export function shownWebhook({ service }: Exchange, webhook: Webhook) {
  const { id, url, version, mode, optFields, filter, status, offset, dateCreated, heldSince } = webhook;
  const { zone } = service.config;
  const retired = retiredBy(webhook, service.clock());
  const isUnix = service.dialects.get(version)?.manners.offsets === "unix";
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

export function shownDelivery({ service }: Exchange, delivery: Delivery) {
  const { id, tender, dateModified, status, attempts, nextAttempt, lastAttempt, response, error, dateCreated } =
    delivery;
  const shown = (at: Instant | undefined) => (at === undefined ? undefined : formatInstant(at, service.config.zone));
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
