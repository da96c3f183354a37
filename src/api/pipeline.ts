import type { IncomingMessage } from "node:http";
import { hasOwnKey } from "../base/typeGuards.ts";
import { OLDEST } from "../dialects/dialects.ts";
import { type Account, ANONYMOUS, mayAct } from "../domain/model/actors.ts";
import { procedureOf } from "../domain/procedures/index.ts";
import { accountOf, actorOf, ownerTokenInBody, ownerTokenOf } from "../http/auth.ts";
import { type AccessRequest, accessOf, bidderAccount, type RequestedAuction } from "../http/bidderAccess.ts";
import type { BodyLease } from "../http/bodyBudget.ts";
import { FORBIDDEN, METHOD_NOT_ALLOWED, NOT_FOUND } from "../http/errorResponses.ts";
import { bidOnPath, type Exchange, isDryRun } from "../http/exchange.ts";
import { runIfMatch } from "../http/ifMatch.ts";
import type { JsonBody } from "../http/jsonBody.ts";
import type { RequestTrace } from "../http/requestTrace.ts";
import { type BodyStyle, callbackOf, wantsPretty } from "../http/responseBody.ts";
import { type HttpResponse, OPTIONS_RESPONSE, withDryRunHeader } from "../http/responses.ts";
import type { Operation, OperationsByMethod } from "../http/route.ts";
import { isReadMethod } from "../http/securityHeaders.ts";
import { checkBeforeBody } from "./earlyChecks.ts";
import { checkIdempotency, recordUnlessRecorded } from "./idempotencyCheck.ts";
import { isVisible, missingOnPath } from "./pathLookup.ts";
import { isRouted } from "./procedureRoutes.ts";
import { type BodyResult, bodyOf, NO_BODY, receiveBody } from "./requestBody.ts";
import type { RequestContext } from "./requestContext.ts";
import { matchRoute, type RouteTable } from "./router.ts";
import type { ServicePorts } from "./servicePorts.ts";

/** The response to a request; `account` is the caller's, for the audit trail. */
export type RequestResult = { readonly response: HttpResponse; readonly style?: BodyStyle; readonly account?: Account };

/** What a request is for. */
export type RouteTarget = {
  /** The path segment of the API version; of the newest version for unversioned routes. */
  readonly segment: string;
  /** The path below the version; for unversioned routes the whole path. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** `api` if absent. */
  readonly table?: RouteTable;
};

/** Handles a request of the API: finds its route, runs all checks in order, and calls the handler. */
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
  // Any page can load a JSONP script with the key that the browser has stored, so JSONP requests are anonymous.
  const isJsonp = isReadMethod(request.method) && callbackOf(query) !== undefined;
  const account = isJsonp ? undefined : accountOf(request.headers.authorization, service.config.accounts);
  const token = ownerTokenOf(query, request.headers);
  const actor = account || token ? actorOf(account, token) : ANONYMOUS;
  const auction =
    params.auction_id === undefined
      ? undefined
      : await findAuction(service, params.auction_id, { request, query, actor, isJsonp });
  const tender =
    params.tender_id === undefined
      ? auction?.tender
      : await service.registry.tender(params.tender_id, bidOnPath(params));
  trace.tender = tender;
  if (tender && !isRouted(route.route, procedureOf(tender))) return { response: NOT_FOUND("path"), account };
  const exchange: Exchange<ServicePorts> = {
    ports: service,
    request,
    dialect: (route.oldestBids ? service.dialects.get(OLDEST) : undefined) ?? dialect,
    root: table === "unversioned" ? origin : `${origin}/api/${segment}`,
    path,
    params,
    query,
    actor,
    tender,
    auction,
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

/** The auction on the path, and who takes part in it with the request. */
async function findAuction(
  { registry, participationLinks: links }: ServicePorts,
  id: string,
  access: AccessRequest,
): Promise<RequestedAuction | undefined> {
  const found = await registry.auctions.find(id);
  return found && { ...found, access: await accessOf({ registry, links }, found, access) };
}

/** Bytes of the body count against the budget until the request is answered. */
async function checkWithLease(context: RequestContext): Promise<RequestResult> {
  const { ports: service, actor, auction } = context.exchange;
  const lease = service.bodyBudget.open((actor.account ?? bidderAccount(auction))?.name ?? "");
  try {
    return await checkAndRun(context, lease);
  } finally {
    lease.release();
  }
}

/** Runs the checks in the order that the protocol prescribes, and then the operation. The first failing check gives the response. */
async function checkAndRun(context: RequestContext, lease?: BodyLease): Promise<RequestResult> {
  const { exchange, operations, trace } = context;
  const { query, actor } = exchange;
  const { account } = actor;
  const method = methodOf(exchange.request);
  const requested = operationOf(operations, method);
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
    idempotencyCheck?.received ?? (operation.body ? await receiveBody(operation.body, exchange, lease) : NO_BODY);
  if ("refused" in received) return { response: received.refused, account };
  const { body } = received;
  trace.body = body;
  if (method !== "GET" && account && !mayAct(actor)) return { response: FORBIDDEN, account };
  if (idempotencyCheck?.error) return { response: idempotencyCheck.error, account };
  const completeExchange = {
    ...(body ? withBody(exchange, body) : exchange),
    idempotency: idempotencyCheck?.idempotency,
  };
  const handlerResponse = await runIfMatch(completeExchange, operation, operations, isVisible);
  return {
    response: await recordUnlessRecorded(completeExchange, handlerResponse),
    style: styleOf(query, received),
    account,
  };
}

const styleOf = (query: URLSearchParams, received: BodyResult | undefined): BodyStyle => ({
  pretty: wantsPretty(query, bodyOf(received)),
  callback: callbackOf(query),
});

/** HEAD is handled as GET; the server sends no body. */
const methodOf = ({ method = "GET" }: IncomingMessage): string => (method === "HEAD" ? "GET" : method);

const operationOf = (
  operations: OperationsByMethod<ServicePorts>,
  method: string,
): Operation<ServicePorts> | undefined => (hasOwnKey(operations, method) ? operations[method] : undefined);

/** The operation, or the response if an object of the path does not exist or has no such method. */
function operationFor(
  exchange: Exchange<ServicePorts>,
  operations: OperationsByMethod<ServicePorts>,
  method: string,
): Operation<ServicePorts> | HttpResponse {
  const missing = missingOnPath(exchange, exchange.tender, method === "GET" || method === "OPTIONS");
  if (missing) return typeof missing === "string" ? NOT_FOUND(missing) : missing;
  if (method === "OPTIONS") return OPTIONS_RESPONSE(allowHeader(operations));
  return operationOf(operations, method) ?? METHOD_NOT_ALLOWED(allowHeader(operations));
}

const allowHeader = (methods: object): string =>
  Object.keys(methods)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");

/** Adds the body, and the owner token in it unless the query or a header has one. */
function withBody(exchange: Exchange<ServicePorts>, body: JsonBody): Exchange<ServicePorts> {
  const { actor } = exchange;
  const bodyToken = actor.tokenHash ? undefined : ownerTokenInBody(body.envelope);
  return { ...exchange, body, actor: bodyToken ? actorOf(actor.account, bodyToken) : actor };
}
