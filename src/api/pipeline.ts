import type { IncomingMessage } from "node:http";
import { OLDEST } from "../dialects/dialects.ts";
import { type Account, ANONYMOUS, mayAct } from "../domain/model/actors.ts";
import { accountOf, actorOf, ownerTokenInBody, ownerTokenOf } from "../http/auth.ts";
import type { BodyLease } from "../http/bodyBudget.ts";
import { type Exchange, isDryRun } from "../http/exchange.ts";
import { runIfMatch } from "../http/ifMatch.ts";
import type { JsonBody } from "../http/jsonBody.ts";
import type { RequestTrace } from "../http/requestTrace.ts";
import { type BodyStyle, callbackOf, wantsPretty } from "../http/responseBody.ts";
import {
  FORBIDDEN,
  type HttpResponse,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  OPTIONS_RESPONSE,
  withDryRunHeader,
} from "../http/responses.ts";
import type { Method, Operation, OperationsByMethod } from "../http/route.ts";
import { isReadMethod } from "../http/securityHeaders.ts";
import { checkBeforeBody } from "./earlyChecks.ts";
import { checkIdempotency, recordUnlessRecorded } from "./idempotencyCheck.ts";
import { isVisible, missingOnPath } from "./pathLookup.ts";
import { type BodyResult, bodyOf, NO_BODY, receiveBody } from "./requestBody.ts";
import type { RequestContext } from "./requestContext.ts";
import { matchRoute, type RouteTable } from "./router.ts";
import type { ServicePorts } from "./servicePorts.ts";

export type RequestResult = { readonly response: HttpResponse; readonly style?: BodyStyle; readonly account?: Account };

/** What a request asks for: the version's segment, the path below it or beside all versions, and the query. */
export type RouteTarget = {
  readonly segment: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly table?: RouteTable;
};

/** What a request comes to, where its path leads anywhere. */
export async function handleRequest(
  service: ServicePorts,
  request: IncomingMessage,
  target: RouteTarget,
  origin: string,
  trace: RequestTrace,
): Promise<RequestResult> {
  const { segment, path, query, table = "api" } = target;
  const dialect = service.dialects.get(segment);
  if (!dialect) return { response: NOT_FOUND("version") };
  const route = matchRoute(path, dialect, table);
  if (!route) return { response: NOT_FOUND("path") };
  const { operations, params } = route;
  // A page of any site can read a script with the key that a browser remembers: JSONP shows what everybody sees.
  const isJsonp = isReadMethod(request.method) && callbackOf(query) !== undefined;
  const account = isJsonp ? undefined : accountOf(request.headers.authorization, service.config.accounts);
  const token = ownerTokenOf(query, request.headers);
  const tender = params.tender_id === undefined ? undefined : await service.registry.tender(params.tender_id);
  trace.tender = tender;
  const exchange: Exchange<ServicePorts> = {
    ports: service,
    request,
    dialect: route.oldestBids ? service.dialects.get(OLDEST)! : dialect,
    root: table === "unversioned" ? origin : `${origin}/api/${segment}`,
    path,
    params,
    query,
    actor: account || token ? actorOf(account, token) : ANONYMOUS,
    tender,
    now: tender?.testClock ? await service.registry.nowFor(tender) : service.clock(),
    isDry: isDryRun(query),
  };
  const context: RequestContext = { exchange, operations, origin, table, trace };
  const checkResult = isReadMethod(request.method) ? await checkAndRun(context) : await checkWithLease(context);
  const result = route.ascii
    ? { ...checkResult, style: { pretty: false, ...checkResult.style, ascii: true } as const }
    : checkResult;
  return exchange.isDry ? { ...result, response: withDryRunHeader(result.response) } : result;
}

/** Whatever a request holds of its body counts until it is answered. */
async function checkWithLease(context: RequestContext): Promise<RequestResult> {
  const { ports: service, actor } = context.exchange;
  const lease = service.bodyBudget.open(actor.account?.name ?? "");
  try {
    return await checkAndRun(context, lease);
  } finally {
    lease.release();
  }
}

/** The checks of a request, in their order; the first that fails answers. What comes after them is the domain's. */
async function checkAndRun(context: RequestContext, lease?: BodyLease): Promise<RequestResult> {
  const { exchange, operations, trace } = context;
  const { query, actor } = exchange;
  const { account } = actor;
  const method = exchange.request.method === "HEAD" ? "GET" : exchange.request.method!;
  const requested = operations[method as Method];
  trace.operation = requested;
  const idempotencyCheck = await checkIdempotency(context, requested, method, lease);
  trace.body = bodyOf(idempotencyCheck?.received);
  if (idempotencyCheck?.replayed)
    return { response: idempotencyCheck.replayed, style: styleOf(query, idempotencyCheck.received), account };
  const operation = operationFor(exchange, operations, method);
  if ("status" in operation) return { response: operation, account };
  const earlyError = checkBeforeBody(context, operation, method);
  if (earlyError) return { response: earlyError, account };
  const received =
    idempotencyCheck?.received ?? (operation.body ? await receiveBody(operation.body, exchange, lease!) : NO_BODY);
  if ("refused" in received) return { response: received.refused, account };
  const { body } = received;
  trace.body = body;
  if (method !== "GET" && account && !mayAct(actor)) return { response: FORBIDDEN, account };
  if (idempotencyCheck?.error) return { response: idempotencyCheck.error, account };
  const completeExchange = {
    ...(body ? withBody(exchange, body) : exchange),
    idempotency: idempotencyCheck?.idempotency,
  };
  const runResponse = await runIfMatch(completeExchange, operation, operations, isVisible);
  return {
    response: await recordUnlessRecorded(completeExchange, runResponse),
    style: styleOf(query, received),
    account,
  };
}

const styleOf = (query: URLSearchParams, received: BodyResult | undefined): BodyStyle => ({
  pretty: wantsPretty(query, bodyOf(received)),
  callback: callbackOf(query),
});

/** What is to be done, or why there is nothing to do it to, or no such thing. */
function operationFor(
  exchange: Exchange<ServicePorts>,
  operations: OperationsByMethod<ServicePorts>,
  method: string,
): Operation<ServicePorts> | HttpResponse {
  const missing = missingOnPath(exchange, exchange.tender, method === "GET" || method === "OPTIONS");
  if (missing) return typeof missing === "string" ? NOT_FOUND(missing) : missing;
  if (method === "OPTIONS") return OPTIONS_RESPONSE(allowHeader(operations));
  return operations[method as Method] ?? METHOD_NOT_ALLOWED(allowHeader(operations));
}

const allowHeader = (methods: object): string =>
  Object.keys(methods)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");

/** The body may bring the owner token, where neither the query nor a header did. */
function withBody(exchange: Exchange<ServicePorts>, body: JsonBody): Exchange<ServicePorts> {
  const { actor } = exchange;
  const bodyToken = actor.tokenHash ? undefined : ownerTokenInBody(body.envelope);
  return { ...exchange, body, actor: bodyToken ? actorOf(actor.account, bodyToken) : actor };
}
