import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";
import type { Account } from "../domain/actors.ts";
import { areBidsSealed } from "../domain/sealing.ts";
import type { Tender } from "../domain/tender.ts";
import type { JsonBody } from "./body.ts";
import type { RequestFacts } from "./log.ts";
import { clientAddressOf } from "./rateLimit.ts";
import { newRequestId } from "./requestIds.ts";
import type { Operation } from "./route.ts";

/** What logs and the audit trail need to know about a request. It is filled in step by step, so a request that failed has a part of it. */
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
const BIDS = /^(.*?\/tenders\/(?:\/*[^/]+)?\/+bid[^/]*)(\/.*)?$/is;
/** A cheap check that runs for every request. */
const MAY_BE_BIDS = /\/bid/i;
const DOCUMENT_SERVICE = /^(\/(?:upload|register|get))(\/.*)?$/;

/**
 * Whether a log line with the account would reveal who bids. Bids count as sealed unless the tender was read and its bids are
 * open. Files of bids go through the document service in both directions, so a broker's requests there count as well.
 */
export function mayConcernSealedBids(path: string, { tender, account }: RequestTrace): boolean {
  if (DOCUMENT_SERVICE.test(path)) return account === undefined || account.group === "brokers";
  return MAY_BE_BIDS.test(path) && BIDS.test(path) && !(tender && !areBidsSealed(tender));
}

/** The path for the log: without the id of a sealed bid, or of a file that may belong to one. */
export function pathForLog(path: string, trace: RequestTrace): string {
  if (!mayConcernSealedBids(path, trace)) return path;
  const [, start = path, rest] = BIDS.exec(path) ?? DOCUMENT_SERVICE.exec(path) ?? [];
  return rest === undefined || rest === "/" ? start : `${start}/…`;
}

/** The path, account and address for a log line; without account and address where they would reveal who bids. */
export function whoAsked(
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
  const given = headers["x-request-id"];
  if (typeof given !== "string" || !/^[\w.:@/+=-]{1,128}$/.test(given)) return newRequestId();
  return mayConcernSealedBids(path, trace) ? newRequestId() : given;
}
