import { apiKeyOf, ownerTokenOf } from "../http/auth.ts";
import type { BodyLease } from "../http/bodyBudget.ts";
import type { Exchange } from "../http/exchange.ts";
import {
  findRecordedResponse,
  hasRecordedResponse,
  type IdempotentRequest,
  idempotencyKeyIn,
  openIdempotentRequest,
  recordResponse,
} from "../http/idempotency.ts";
import { type HttpResponse, IDEMPOTENCY_QUOTA_EXCEEDED } from "../http/responses.ts";
import type { Operation } from "../http/route.ts";
import { isUsedUp, usageKey } from "../registry/idempotencyRecords.ts";
import { checkBeforeBody } from "./earlyChecks.ts";
import { type BodyResult, NO_BODY, receiveBody, takesForm } from "./requestBody.ts";
import type { RequestContext } from "./requestContext.ts";
import type { ServicePorts } from "./servicePorts.ts";

/** What is known of a request with an `Idempotency-Key` before it is carried out. */
export type IdempotencyCheck = {
  readonly idempotency?: IdempotentRequest;
  readonly received?: BodyResult;
  /** It was carried out before: this is what it came to. */
  readonly replayed?: HttpResponse;
  readonly error?: HttpResponse;
};

/** Looks for a recorded response before all other checks: the resource of the request may be gone by now. */
export async function checkIdempotency(
  context: RequestContext,
  operation: Operation<ServicePorts> | undefined,
  method: string,
  lease: BodyLease | undefined,
): Promise<IdempotencyCheck | undefined> {
  const { exchange, origin } = context;
  const { request, ports: service, actor, dialect, path, query, isDry } = exchange;
  const { headers } = request;
  const key = idempotencyKeyIn(headers["idempotency-key"]);
  const { account } = actor;
  if (!key || !operation || isDry || method === "GET" || method === "DELETE") return undefined;
  if (typeof key !== "string") return { error: key };
  // What is refused before its body is read was never carried out.
  if (!account || checkBeforeBody(context, operation, method)) return undefined;
  // Not by the address: another server is reached by another one.
  const identifyingValues = [ownerTokenOf(query, headers) ?? "", headers["x-test-clock"] ?? ""];
  const requestWithoutBody = [method, dialect.segment, path, query.toString(), ...identifyingValues].join("\n");
  const errorContext = { origin, zone: service.config.zone };
  const keyHashes = service.config.keyHashes.get(account.name) ?? [];
  const quota = { usage: usageKey(account.name), bytesMax: service.config.limits.idempotencyBytesMax };
  const idempotency = openIdempotentRequest({
    account,
    apiKey: apiKeyOf(headers.authorization!)!,
    keyHashes,
    key,
    asked: requestWithoutBody,
    telling: errorContext,
    quota,
  });
  const received = operation.body ? await receiveBody(operation.body, exchange, lease!) : NO_BODY;
  // What a form holds is known once it has come; it is looked for then, before anything is changed.
  if ("refused" in received) return { idempotency, received };
  return takesForm(operation) && !received.body
    ? checkIdempotencyOfForm(exchange, idempotency, received)
    : checkIdempotencyOfBody(exchange, idempotency.withBody(received.body?.text ?? ""), received);
}

async function checkIdempotencyOfForm(
  { ports: service }: Exchange<ServicePorts>,
  idempotency: IdempotentRequest,
  received: BodyResult,
): Promise<IdempotencyCheck> {
  const { keyValues: notes } = service.registry;
  const hasEarlierResponse = await hasRecordedResponse(idempotency, notes, service.clock());
  if (!hasEarlierResponse && (await isQuotaUsedUp(service, idempotency)))
    return { received, error: IDEMPOTENCY_QUOTA_EXCEEDED };
  return { idempotency: { ...idempotency, hasEarlierResponse }, received };
}

async function checkIdempotencyOfBody(
  { ports: service }: Exchange<ServicePorts>,
  idempotency: IdempotentRequest,
  received: BodyResult,
): Promise<IdempotencyCheck> {
  const { keyValues: notes } = service.registry;
  const [replayed, isFull] = await Promise.all([
    findRecordedResponse(idempotency, notes, service.clock()),
    isQuotaUsedUp(service, idempotency),
  ]);
  return !replayed && isFull ? { received, error: IDEMPOTENCY_QUOTA_EXCEEDED } : { idempotency, received, replayed };
}

/** Not everything is carried out in the commit that records it: what could not be recorded must not be begun. */
const isQuotaUsedUp = async ({ registry, clock }: ServicePorts, { quota }: IdempotentRequest): Promise<boolean> =>
  isUsedUp(await registry.keyValues.find(quota.usage), quota, clock());

/** Where a decision did not record its answer with what it changed, nothing was changed, and it is recorded now. */
export async function recordUnlessRecorded(
  { once: idempotency, ports: service }: Exchange<ServicePorts>,
  response: HttpResponse,
): Promise<HttpResponse> {
  if (!idempotency?.isComplete || idempotency.isRecorded() || !isRecordable(response)) return response;
  return recordResponse(idempotency, service.registry, response);
}

/** A 412 or 5xx may succeed on retry, and so may what there was no room to record. */
const isRecordable = (response: HttpResponse): boolean =>
  response.status < 500 && response.status !== 412 && response !== IDEMPOTENCY_QUOTA_EXCEEDED;
