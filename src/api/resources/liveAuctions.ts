import type { AuctionStreams } from "../../auctions/auctionStreams.ts";
import { isOneOf } from "../../base/typeGuards.ts";
import type { Config } from "../../config/config.ts";
import type { AuctionAudience } from "../../domain/auctions/events.ts";
import { auctionedLot } from "../../domain/auctions/liveAuctions.ts";
import { AUCTION_STATUSES, type AuctionStatus } from "../../domain/auctions/model.ts";
import { isRecordPublic, recordOf, recordText } from "../../domain/auctions/record.ts";
import { viewAuction } from "../../domain/auctions/view.ts";
import { formatInstant } from "../../domain/values/time.ts";
import { pageLimitOf } from "../../feed/pageLimit.ts";
import { accountOf } from "../../http/auth.ts";
import type { BidderAccess, RequestedAuction } from "../../http/bidderAccess.ts";
import { okResponse, renderShape } from "../../http/dataResponses.ts";
import {
  BAD_OFFSET,
  BAD_PARAMS,
  RECORD_NOT_PUBLIC,
  TOO_MANY_STREAMS,
  TOO_MANY_STREAMS_PER_CLIENT,
} from "../../http/errorResponses.ts";
import { etagOf } from "../../http/etags.ts";
import { type Exchange, requireAuction } from "../../http/exchange.ts";
import { ignoredParametersHeader } from "../../http/ignoredParameters.ts";
import { rateLimitKeysOf } from "../../http/rateLimit.ts";
import { JSON_CONTENT_TYPE } from "../../http/responseBody.ts";
import type { HttpResponse, ResponseHeaders } from "../../http/responses.ts";
import type { RegistryPort } from "../../http/runCommand.ts";
import type { ListedAuction } from "../../registry/auctionListings.ts";
import { type AuctionListEntry, withSubject } from "../../views/liveAuctionViews.ts";

/** Reading the auctions that the service holds. */

type AuctionPorts = RegistryPort & { readonly config: Config; readonly auctionStreams: AuctionStreams };
type AuctionExchange = Exchange<AuctionPorts>;

/** What the caller sees of the auction. */
const audienceOf = (access: BidderAccess): AuctionAudience =>
  access.kind === "bidder" ? { bid: access.bid } : "everyone";

/** The view of a bidder must not be stored by a proxy or by the browser for whoever comes next. */
const accessHeaders = ({ access }: RequestedAuction): ResponseHeaders =>
  access.kind === "bidder" ? { "Cache-Control": "no-store" } : {};

/** The time of the auction's clock, by which clients can tell that their own clock is off. */
const timeHeader = ({ now, ports }: AuctionExchange): ResponseHeaders => ({
  "X-Server-Time": formatInstant(now, ports.config.zone),
});

/** The auction as the caller may see it. */
export function showLiveAuction(exchange: AuctionExchange): HttpResponse {
  const auction = requireAuction(exchange);
  const { tender, lot, state, access } = auction;
  const view = withSubject(viewAuction(state, audienceOf(access)), tender, lot?.id);
  return {
    ...okResponse(exchange, "LiveAuction", view),
    headers: { ...timeHeader(exchange), ...accessHeaders(auction) },
    ...usedCredentials(access),
  };
}

const usedCredentials = (access: BidderAccess): Pick<HttpResponse, "usesCredentials"> =>
  access.kind === "bidder" ? { usesCredentials: true } : {};

/** The record from which anyone can compute the auction again, byte for byte as the engine wrote it. */
export function showRecord(exchange: AuctionExchange): HttpResponse {
  const { state, access } = requireAuction(exchange);
  if (!isRecordPublic(state)) return RECORD_NOT_PUBLIC;
  const bytes = Buffer.from(recordText(recordOf(state)));
  const headers = { "Content-Type": JSON_CONTENT_TYPE, ETag: etagOf(bytes), ...timeHeader(exchange) };
  return { status: 200, headers, bytes, ...usedCredentials(access) };
}

const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=UTF-8",
  "Cache-Control": "no-store",
  // nginx buffers responses by default.
  "X-Accel-Buffering": "no",
};

/** Streams an auction: a snapshot, or what has happened since `Last-Event-ID`, and then every change as it happens. */
export function showAuctionEvents(exchange: AuctionExchange): HttpResponse {
  const { ports, request, now, actor } = exchange;
  const auction = requireAuction(exchange);
  const { access } = auction;
  const headers = { ...STREAM_HEADERS, ...timeHeader(exchange) };
  if (request.method === "HEAD") return { status: 200, headers };
  const lastEventId = request.headers["last-event-id"];
  const { authorization } = request.headers;
  const accountName = actor.account?.name;
  const stream = ports.auctionStreams.open({
    auction,
    now,
    audience: audienceOf(access),
    lastEventId: typeof lastEventId === "string" && lastEventId !== "" ? lastEventId : undefined,
    clients: rateLimitKeysOf(request, ports.config),
    isAuthorized: () =>
      accountName === undefined || accountOf(authorization, ports.config.accounts)?.name === accountName,
    linkNumber: access.kind === "bidder" && access.by !== "key" ? access.linkNumber : undefined,
  });
  if (stream === "too many") return TOO_MANY_STREAMS;
  if (stream === "too many per client") return TOO_MANY_STREAMS_PER_CLIENT;
  const stallTimeoutMs = ports.config.streams.stallSeconds * 1000;
  return { status: 200, headers, stream, stallTimeoutMs, ...usedCredentials(access) };
}

const MODES = ["test", "_all_"] as const;
const POSITION = /^\d{17}\/[0-9a-f_]{32,65}$/;
const KNOWN_PARAMS = new Set([
  ...["status", "tender", "mode", "limit", "offset", "descending"],
  ...["opt_pretty", "opt_jsonp", "acc_token"],
]);

type ListParameters = {
  readonly status: AuctionStatus | undefined;
  readonly tender: string | undefined;
  readonly mode: (typeof MODES)[number] | undefined;
  readonly limit: number;
  readonly beyond: string | undefined;
  readonly descending: boolean;
};

/**
 * A page of the auctions by planned start. Those on test clocks are listed only with `tender`, as their times have nothing to do with
 * the present.
 */
export async function listLiveAuctions(exchange: AuctionExchange): Promise<HttpResponse> {
  const parameters = parseListParameters(exchange);
  if ("status" in parameters && typeof parameters.status === "number") return parameters;
  const { registry } = exchange.ports;
  // Applies the deadlines that are due, so that no listed status is out of date.
  await registry.catchUp();
  const listed =
    parameters.tender === undefined ? await readPage(exchange, parameters) : await ofTender(exchange, parameters);
  const data = listed.map((entry) => renderShape(exchange, "ListedAuction", listEntry(entry))).join(",");
  const links = JSON.stringify({ next_page: nextPage(exchange, parameters, listed) });
  return {
    status: 200,
    headers: { ...timeHeader(exchange), ...ignoredParametersHeader(exchange.query, KNOWN_PARAMS, []) },
    json: `{"data":[${data}],${links.slice(1)}`,
  };
}

const listEntry = ({ auction, tender, lot, start, status, mode }: ListedAuction): AuctionListEntry => ({
  id: auction,
  tender,
  ...(lot !== undefined && { lot }),
  ...(mode && { mode }),
  status,
  plannedStart: start,
});

function parseListParameters({ query, ports }: AuctionExchange): ListParameters | HttpResponse {
  const { pageDefault, pageMax } = ports.config.limits;
  const [status, tender, mode, beyond] = ["status", "tender", "mode", "offset"].map(
    (name) => query.get(name) || undefined,
  );
  const limit = pageLimitOf(query, pageDefault, pageMax);
  const isStatus = status === undefined || isOneOf(AUCTION_STATUSES, status);
  const isMode = mode === undefined || isOneOf(MODES, mode);
  if (!isStatus || !isMode || limit.problem)
    return BAD_PARAMS([
      ...(isStatus ? [] : [{ name: "status", description: `Value must be one of ${AUCTION_STATUSES.join(", ")}.` }]),
      ...(isMode ? [] : [{ name: "mode", description: `Value must be one of ${MODES.join(", ")}.` }]),
      ...(limit.problem ? [limit.problem] : []),
    ]);
  if (beyond !== undefined && !POSITION.test(beyond)) return BAD_OFFSET;
  return { status, tender, mode, beyond, limit: limit.value, descending: Boolean(query.get("descending")) };
}

const isListed = ({ mode }: Pick<ListedAuction, "mode">, wanted: ListParameters["mode"]): boolean =>
  wanted === "_all_" || mode === wanted;

/** Reads on until the page is full, since neither the mode nor the clock is an index. */
async function readPage({ ports }: AuctionExchange, parameters: ListParameters): Promise<readonly ListedAuction[]> {
  const { status, mode, limit, descending } = parameters;
  const found: ListedAuction[] = [];
  for (let { beyond } = parameters; ; ) {
    const page = await ports.registry.auctions.list({ ...(status && { status }), beyond, descending, limit });
    found.push(...page.filter((entry) => !entry.isOnTestClock && isListed(entry, mode)));
    if (found.length >= limit || page.length < limit) return found.slice(0, limit);
    beyond = page.at(-1)?.position;
  }
}

/** The auctions of one tender, in the order of its lots: there are few of them. */
async function ofTender(
  { ports }: AuctionExchange,
  { tender: id = "", status, mode, beyond }: ListParameters,
): Promise<readonly ListedAuction[]> {
  const tender = beyond === undefined ? await ports.registry.tender(id, "none") : undefined;
  if (!tender) return [];
  return (tender.auctions ?? [])
    .map((state) => {
      const lot = auctionedLot(tender, state.id)?.id;
      return {
        auction: state.id,
        tender: id,
        ...(lot !== undefined && { lot }),
        start: state.plannedStart,
        status: state.status,
        ...(tender.mode && { mode: tender.mode }),
        position: `${"9".repeat(17)}/${state.id}`,
      };
    })
    .filter(
      (entry) => (status === undefined || entry.status === status) && (mode === undefined || isListed(entry, mode)),
    );
}

function nextPage({ root, path }: AuctionExchange, parameters: ListParameters, listed: readonly ListedAuction[]) {
  const { status, tender, mode, limit, beyond, descending } = parameters;
  const offset = listed.at(-1)?.position ?? beyond ?? "";
  const next = new URLSearchParams({
    ...(offset && { offset }),
    limit: String(limit),
    ...(status && { status }),
    ...(tender && { tender }),
    ...(mode && { mode }),
    ...(descending && { descending: "1" }),
  });
  const uri = `${root}${path}?${next}`;
  return { offset, path: uri.replace(/^\w+:\/\/[^/]+/, ""), uri };
}
