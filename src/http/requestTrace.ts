import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";
import type { Account } from "../domain/actors.ts";
import { areBidsSealed } from "../domain/sealing.ts";
import type { Tender } from "../domain/tender.ts";
import type { JsonBody } from "./body.ts";
import type { Operation } from "./exchange.ts";
import type { RequestFacts } from "./log.ts";
import { clientAddressOf } from "./rateLimit.ts";
import { newRequestId } from "./requestIds.ts";

/** What logs and the audit trail need to know of a request. Filled in as far as it was understood, and so there where it failed, too. */
export type RequestTrace = {
  account?: Account;
  tender?: Tender;
  operation?: Operation;
  body?: JsonBody;
  /** What its client is told and its log lines have; chosen once it is known what the request is about. */
  requestId?: string;
};

/**
 * Below a tender, whatever begins as bids do: also paths that were mistyped, or that older versions have. A row of slashes can be
 * read in one way only, as anybody may send a long one and each way would be tried.
 */
const BIDS = /^(.*?\/tenders\/(?:\/*[^/]+)?\/+bid[^/]*)(\/.*)?$/is;
/** Asked of every request, so it is quick. */
const MAY_BE_BIDS = /\/bid/i;
const DOCUMENT_SERVICE = /^(\/(?:upload|register|get))(\/.*)?$/;

/**
 * Whether a log line that says who asked would tell who bids. Where it is not known that a tender's bids are open, they count as
 * sealed. Files of bids come first to the document service and are read from there, so a broker there is as good as a bidder.
 */
export function mayConcernSealedBids(path: string, { tender, account }: RequestTrace): boolean {
  if (DOCUMENT_SERVICE.test(path)) return account === undefined || account.group === "brokers";
  return MAY_BE_BIDS.test(path) && BIDS.test(path) && !(tender && !areBidsSealed(tender));
}

/** The path as a log may show it: without what names one sealed bid, or one file that may belong to it. */
export function pathForLog(path: string, trace: RequestTrace): string {
  if (!mayConcernSealedBids(path, trace)) return path;
  const [, start = path, rest] = BIDS.exec(path) ?? DOCUMENT_SERVICE.exec(path) ?? [];
  return rest === undefined || rest === "/" ? start : `${start}/…`;
}

/** What a request's log line says of who asked for what. Nothing of who, where that would tell who bids. */
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

/** As the client names it, unless that could tell whose sealed bid it is about. */
export function requestIdOf({ headers }: IncomingMessage, path: string, trace: RequestTrace): string {
  const given = headers["x-request-id"];
  if (typeof given !== "string" || !/^[\w.:@/+=-]{1,128}$/.test(given)) return newRequestId();
  return mayConcernSealedBids(path, trace) ? newRequestId() : given;
}
