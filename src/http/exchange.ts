import type { IncomingMessage } from "node:http";
import type { Dialect } from "../dialects/dialects.ts";
import type { Account, Actor } from "../domain/model/actors.ts";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant, Zone } from "../domain/values/time.ts";
import type { ViewContext } from "../views/visibility.ts";
import type { RequestedAuction } from "./bidderAccess.ts";
import type { IdempotentRequest } from "./idempotency.ts";
import type { JsonBody } from "./jsonBody.ts";
import type { HttpResponse } from "./responses.ts";

/** A parsed request, as handlers get it. `Ports` are the parts of the service that a handler uses; each handler declares its own. */
export type Exchange<Ports = unknown> = {
  readonly ports: Ports;
  readonly request: IncomingMessage;
  readonly dialect: Dialect;
  /** The absolute URL of the API in this version, without a slash at the end. */
  readonly root: string;
  /** The path below `root`, as the client sent it. */
  readonly path: string;
  readonly params: { readonly [name: string]: string };
  readonly query: URLSearchParams;
  readonly actor: Actor;
  /** The JSON body, where the operation takes one. */
  readonly body?: JsonBody;
  /** The tender of the path, with all deadlines up to `now` applied. */
  readonly tender?: Tender;
  /** The auction of the path, and who takes part in it with this request. Its tender is `tender`. */
  readonly auction?: RequestedAuction;
  /** The current time; for a tender on a test clock, the time of that clock. */
  readonly now: Instant;
  /** A dry run: nothing may be stored. */
  readonly isDry: boolean;
  /** Whether the client's `If-Match` still holds for this state of the tender; absent if there is nothing to check. */
  readonly preconditionHolds?: (tender: Tender | undefined) => Promise<boolean>;
  /** Whether the client's `If-Match` names this response; absent if there is nothing to check. */
  readonly matchesIfMatch?: (response: HttpResponse) => boolean;
  /** For a request with an `Idempotency-Key`. */
  readonly idempotency?: IdempotentRequest;
};

const missing = (part: string): Error => new Error(`the route of this handler does not provide a ${part}`);

/** The tender of the path. Throws on a route without `{tender_id}`; if the tender does not exist, the handler is not called. */
export function requireTender({ tender }: Pick<Exchange, "tender">): Tender {
  if (!tender) throw missing("tender");
  return tender;
}

/** The auction of the path. Throws on a route without `{auction_id}`; if there is no such auction, the handler is not called. */
export function requireAuction({ auction }: Pick<Exchange, "auction">): RequestedAuction {
  if (!auction) throw missing("auction");
  return auction;
}

/** A parameter of the path. Throws if the route has no such parameter. */
export function requireParam({ params }: Pick<Exchange, "params">, name: string): string {
  const value = params[name];
  if (value === undefined) throw missing(name);
  return value;
}

/** A parameter of the path that may be percent-encoded; undefined if it is encoded wrongly. */
export function decodedParam(exchange: Pick<Exchange, "params">, name: string): string | undefined {
  try {
    return decodeURIComponent(requireParam(exchange, name));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The bid that a request is about, by its path. */
export const bidOnPath = (params: Exchange["params"]): { readonly bid: string } | undefined =>
  params.bid_id === undefined ? undefined : { bid: params.bid_id };

/** `data` of the JSON body. Throws if the operation takes no JSON body. */
export function requireData({ body }: Pick<Exchange, "body">): JsonBody["data"] {
  if (!body) throw missing("JSON body");
  return body.data;
}

/** The caller's account. Throws if the operation may be called without a key. */
export function requireAccount({ actor }: Pick<Exchange, "actor">): Account {
  if (!actor.account) throw missing("account");
  return actor.account;
}

/** The settings that views depend on. */
export type ViewPorts = { readonly config: { readonly zone: Zone; readonly sandbox: boolean } };

/** The context of views at this time. */
export const viewContextAt = ({ config }: ViewPorts, now: Instant): ViewContext => ({
  now,
  zone: config.zone,
  sandbox: config.sandbox,
});

/** The context of views for this request. */
export const viewContextOf = ({ ports, now }: Pick<Exchange<ViewPorts>, "ports" | "now">): ViewContext =>
  viewContextAt(ports, now);

/** Whether the query has `dry_run` with any value but an empty one and 0. */
export function isDryRun(query: URLSearchParams): boolean {
  const value = query.get("dry_run");
  return value !== null && value !== "" && value !== "0";
}
