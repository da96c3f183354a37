import { type BidderAccess, bidderRefusal } from "../http/bidderAccess.ts";
import { rejectCrossSite } from "../http/crossSite.ts";
import { BAD_CALLBACK, NO_JSONP, UNAUTHORIZED } from "../http/errorResponses.ts";
import { callbackOf, isCallback } from "../http/responseBody.ts";
import type { HttpResponse } from "../http/responses.ts";
import type { Operation } from "../http/route.ts";
import { checkContentType } from "./requestBody.ts";
import type { RequestContext } from "./requestContext.ts";
import type { ServicePorts } from "./servicePorts.ts";

/** Why a read with the credentials of a bidder is refused, if it is. */
const accessRefusal = (access: BidderAccess): HttpResponse | undefined =>
  access.kind === "refused" && !access.maySee ? access.response : undefined;

/** The checks before the body is read, so that a caller without a key cannot make the service read or parse anything. */
export function checkBeforeBody(
  { exchange, origin, table }: RequestContext,
  operation: Operation<ServicePorts>,
  method: string,
): HttpResponse | undefined {
  const { query, actor, request, ports } = exchange;
  const callback = callbackOf(query);
  if (callback && table === "unversioned") return NO_JSONP;
  if (callback && !isCallback(callback)) return BAD_CALLBACK;
  const typeError = operation.body && checkContentType(operation.body, exchange);
  if (typeError) return typeError;
  if (exchange.auction && operation.byBidder) {
    const refusal = bidderRefusal(exchange.auction.access, request.headers, origin);
    return refusal ?? (actor.account && rejectCrossSite(request, origin, ports.config));
  }
  if (method === "GET" && exchange.auction) return accessRefusal(exchange.auction.access);
  if (method === "GET") return operation.needsKey && !actor.account ? UNAUTHORIZED : undefined;
  if (!actor.account) return operation.needsNoKey ? undefined : UNAUTHORIZED;
  return rejectCrossSite(request, origin, ports.config);
}
