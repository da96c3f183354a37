import type { IncomingMessage } from "node:http";
import type { Config } from "../config/config.ts";
import { areBidsSealed } from "../domain/bids/sealing.ts";
import type { Account } from "../domain/model/actors.ts";
import type { Tender } from "../domain/model/tender.ts";
import type { RequestFacts } from "../ops/log.ts";
import type { JsonBody } from "./jsonBody.ts";
import { clientAddressOf } from "./rateLimit.ts";
import { newRequestId } from "./requestIds.ts";
import type { Operation } from "./route.ts";

/** What the log and the audit trail record about a request. It is filled in step by step; after a failure some of it is missing. */
export type RequestTrace = {
  account?: Account;
  tender?: Tender;
  operation?: Operation;
  body?: JsonBody;
  /** Sent to the client and written to the log; chosen once it is known whether the request concerns a sealed bid. */
  requestId?: string;
};

/**
 * Paths below a tender that start with `bid`: also mistyped ones, and those of older versions. The pattern matches a run of slashes
 * in only one way: anybody may send a long one, and backtracking over it would be quadratic.
 */
const BID_PATH = /^(.*?\/tenders\/(?:\/*[^/]+)?\/+bid[^/]*)(\/.*)?$/is;
/** A cheap check that runs for every request. */
const MAY_BE_BID_PATH = /\/bid/i;
/** Who takes part in an auction stays secret until names are published, and when somebody places a price until the turn ends. */
const AUCTION_PATH = /\/auctions\/[^/]/;
const DOCUMENT_SERVICE_PATH = /^(\/(?:upload|register|get))(\/.*)?$/;

/**
 * Whether a log line with the account would reveal who bids. Bids count as sealed unless the tender was read and its bids are
 * open. Files of bids go through the document service in both directions, so a broker's requests there count as well.
 */
export function mayConcernSealedBids(path: string, { tender, account }: RequestTrace): boolean {
  if (DOCUMENT_SERVICE_PATH.test(path)) return account === undefined || account.group === "brokers";
  if (AUCTION_PATH.test(path)) return true;
  return MAY_BE_BID_PATH.test(path) && BID_PATH.test(path) && !(tender && !areBidsSealed(tender));
}

/** The path for the log: without the id of a sealed bid, or of a file that may belong to one. */
export function pathForLog(path: string, trace: RequestTrace): string {
  if (!mayConcernSealedBids(path, trace)) return path;
  const [, start = path, rest] = BID_PATH.exec(path) ?? DOCUMENT_SERVICE_PATH.exec(path) ?? [];
  return rest === undefined || rest === "/" ? start : `${start}/…`;
}

/** The path, account and address for a log line; without account and address where they would reveal who bids. */
export function callerForLog(
  request: IncomingMessage,
  path: string,
  trace: RequestTrace,
  { logs, trustedProxies }: Pick<Config, "logs" | "trustedProxies">,
): Pick<RequestFacts, "path" | "user" | "address"> {
  if (mayConcernSealedBids(path, trace)) return { path: pathForLog(path, trace), user: undefined, address: undefined };
  const address = logs.addresses ? clientAddressOf(request, trustedProxies) : undefined;
  return { path, user: trace.account?.name, address };
}

/** The client's X-Request-ID, unless it could reveal whose sealed bid the request is about. */
export function requestIdOf({ headers }: IncomingMessage, path: string, trace: RequestTrace): string {
  const clientId = headers["x-request-id"];
  if (typeof clientId !== "string" || !/^[\w.:@/+=-]{1,128}$/.test(clientId)) return newRequestId();
  return mayConcernSealedBids(path, trace) ? newRequestId() : clientId;
}
