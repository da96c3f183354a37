import type { Account } from "../domain/model/actors.ts";
import { apiKeyOf, ownerTokenOf } from "../http/auth.ts";
import { bidderAccount } from "../http/bidderAccess.ts";
import type { BodyLease } from "../http/bodyBudget.ts";
import { IDEMPOTENCY_QUOTA_EXCEEDED } from "../http/errorResponses.ts";
import type { Exchange } from "../http/exchange.ts";
import {
  findRecordedResponse,
  hasRecordedResponse,
  type IdempotentRequest,
  idempotencyKeyIn,
  openIdempotentRequest,
  recordResponse,
} from "../http/idempotency.ts";
import type { HttpResponse } from "../http/responses.ts";
import type { Operation } from "../http/route.ts";
import { isUsedUp, usageKey } from "../registry/idempotencyRecords.ts";
import { checkBeforeBody } from "./earlyChecks.ts";
import { type BodyResult, NO_BODY, receiveBody, takesForm } from "./requestBody.ts";
import type { RequestContext } from "./requestContext.ts";
import type { ServicePorts } from "./servicePorts.ts";

/** The result of the checks of a request with an `Idempotency-Key` before it is carried out. */
export type IdempotencyCheck = {
  readonly idempotency?: IdempotentRequest;
  /** The body, which had to be read for the check. */
  readonly received?: BodyResult;
  /** The recorded response, if the request was carried out before. */
  readonly replayed?: HttpResponse;
  /** Why the request cannot be carried out with this key. */
  readonly error?: HttpResponse;
};

/**
 * Looks for a recorded response. This comes before all other checks, because the resource may no longer exist. Undefined for requests
 * that are not idempotent by key: without a key, dry runs, GET and DELETE, and requests that are refused before their body is read.
 */
export async function checkIdempotency(
  context: RequestContext,
  operation: Operation<ServicePorts> | undefined,
  method: string,
  lease: BodyLease | undefined,
): Promise<IdempotencyCheck | undefined> {
  const { exchange } = context;
  const account = exchange.actor.account ?? bidderAccount(exchange.auction);
  const key = idempotencyKeyIn(exchange.request.headers["idempotency-key"]);
  if (!key || !operation || exchange.isDry || method === "GET" || method === "DELETE") return undefined;
  if (typeof key !== "string") return { error: key };
  // A request that is refused before its body is read has never been carried out.
  if (!account || checkBeforeBody(context, operation, method)) return undefined;
  const idempotency = idempotentRequestOf(context, method, account, key);
  const received = operation.body ? await receiveBody(operation.body, exchange, lease) : NO_BODY;
  // The content of a form is known only after its handler has received it; the handler then looks for the recorded response.
  if ("refused" in received) return { idempotency, received };
  return takesForm(operation) && !received.body
    ? checkIdempotencyOfForm(exchange, idempotency, received)
    : checkIdempotencyOfBody(exchange, idempotency.withBody(received.body?.text ?? ""), received);
}

function idempotentRequestOf(
  { exchange, origin }: RequestContext,
  method: string,
  account: Account,
  key: string,
): IdempotentRequest {
  const { request, ports, dialect, path, query } = exchange;
  const { headers } = request;
  const { config } = ports;
  // The host is not included, because a retry may reach another server under another name.
  const identifyingValues = [ownerTokenOf(query, headers) ?? "", headers["x-test-clock"] ?? ""];
  return openIdempotentRequest({
    account,
    // A bidder without a key has the secret of its link, in a header or in a cookie.
    apiKey: linkSecretOf(exchange) ?? apiKeyOf(headers.authorization ?? "") ?? "",
    keyHashes: config.keyHashes.get(account.name) ?? [],
    key,
    requestWithoutBody: [method, dialect.segment, path, query.toString(), ...identifyingValues].join("\n"),
    errorContext: { origin, zone: config.zone },
    quota: { usage: usageKey(account.name), bytesMax: config.limits.idempotencyBytesMax },
  });
}

const linkSecretOf = ({ auction }: Exchange<ServicePorts>): string | undefined =>
  auction?.access.kind === "bidder" ? auction.access.secret : undefined;

async function checkIdempotencyOfForm(
  { ports: service }: Exchange<ServicePorts>,
  idempotency: IdempotentRequest,
  received: BodyResult,
): Promise<IdempotencyCheck> {
  const { keyValues } = service.registry;
  const hasEarlierResponse = await hasRecordedResponse(idempotency, keyValues, service.clock());
  if (!hasEarlierResponse && (await isQuotaUsedUp(service, idempotency)))
    return { received, error: IDEMPOTENCY_QUOTA_EXCEEDED };
  return { idempotency: { ...idempotency, hasEarlierResponse }, received };
}

async function checkIdempotencyOfBody(
  { ports: service }: Exchange<ServicePorts>,
  idempotency: IdempotentRequest,
  received: BodyResult,
): Promise<IdempotencyCheck> {
  const { keyValues } = service.registry;
  const [replayed, isFull] = await Promise.all([
    findRecordedResponse(idempotency, keyValues, service.clock()),
    isQuotaUsedUp(service, idempotency),
  ]);
  return !replayed && isFull ? { received, error: IDEMPOTENCY_QUOTA_EXCEEDED } : { idempotency, received, replayed };
}

/** Checked before the request runs, because some handlers record the response only after the change. */
const isQuotaUsedUp = async ({ registry, clock }: ServicePorts, { quota }: IdempotentRequest): Promise<boolean> =>
  isUsedUp(await registry.keyValues.find(quota.usage), quota, clock());

/** Records the response unless the write has recorded it. Then nothing was changed, for example by a refusal. */
export async function recordUnlessRecorded(
  { idempotency, ports: service }: Exchange<ServicePorts>,
  response: HttpResponse,
): Promise<HttpResponse> {
  if (!idempotency?.isComplete || idempotency.isRecorded() || !isRecordable(response)) return response;
  return recordResponse(idempotency, service.registry, response);
}

/** A 412 or 5xx may succeed on retry, and so may a request that was refused because the quota of records is used up. */
const isRecordable = (response: HttpResponse): boolean =>
  response.status < 500 && response.status !== 412 && response !== IDEMPOTENCY_QUOTA_EXCEEDED;
