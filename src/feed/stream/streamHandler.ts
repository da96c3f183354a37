import type { Config } from "../../config/config.ts";
import type { Instant } from "../../domain/values/time.ts";
import { accountOf } from "../../http/auth.ts";
import type { Exchange } from "../../http/exchange.ts";
import { ignoredParametersHeader } from "../../http/ignoredParameters.ts";
import { rateLimitKeysOf } from "../../http/rateLimit.ts";
import {
  BAD_OFFSET,
  BAD_PARAMS,
  type HttpResponse,
  TOO_MANY_STREAM_QUERIES,
  TOO_MANY_STREAMS,
  TOO_MANY_STREAMS_PER_CLIENT,
} from "../../http/responses.ts";
import {
  type EntryPorts,
  entryRenderer,
  FEED_START,
  type FeedSelection,
  formatOffset,
  parseFeedSelection,
  parseOffset,
} from "../feedEntries.ts";
import { FILTER_NAMES } from "../filters.ts";
import type { Streams, Subscription } from "./streams.ts";

type StreamExchange = Exchange<EntryPorts & { readonly config: Config; readonly streams: Streams }>;

/** Tenders with more fields are read one by one, and may be long. */
const PAGE_ROWS = 500;
const PAGE_ROWS_WITH_FIELDS = 50;

const HEADERS = {
  "Content-Type": "text/event-stream; charset=UTF-8",
  "Cache-Control": "no-store",
  // Some proxies gather answers before they pass them on.
  "X-Accel-Buffering": "no",
};

/** The feed as it grows: what has changed since, and then every change as it comes, each once and in its order. */
export async function showStream(exchange: StreamExchange): Promise<HttpResponse> {
  const { ports, query, request } = exchange;
  const position = startPositionOf(exchange);
  if (position === undefined) return BAD_OFFSET;
  const feedQuery = parseFeedSelection(exchange);
  const orderProblems = query.get("descending") ? [{ name: "descending", description: FORWARD_ONLY }] : [];
  if ("wrong" in feedQuery) return BAD_PARAMS([...feedQuery.wrong, ...orderProblems]);
  if (orderProblems.length > 0) return BAD_PARAMS(orderProblems);
  const headers = { ...HEADERS, ...ignoredParametersHeader(query, KNOWN_PARAMETERS, feedQuery.ignoredParams) };
  if (request.method === "HEAD") return { status: 200, headers };
  // Whoever cannot be served now is better told so than kept waiting.
  await ports.registry.catchUp();
  const stream = ports.streams.open(subscriptionOf(exchange, feedQuery, position));
  if (stream === "too many") return TOO_MANY_STREAMS;
  if (stream === "too many by one") return TOO_MANY_STREAMS_PER_CLIENT;
  if (stream === "too many queries") return TOO_MANY_STREAM_QUERIES;
  return { status: 200, headers, stream, stallTimeoutMs: ports.config.streams.stallSeconds * 1000 };
}

/** `descending` is understood, and refused. */
const KNOWN_PARAMETERS = new Set(["offset", "descending", "mode", "feed", "opt_fields", "acc_token", ...FILTER_NAMES]);

const FORWARD_ONLY = "A stream only goes forwards.";

/** What the reader has heard last is more than what it once asked for. */
function startPositionOf({ request, query, ports }: StreamExchange): Instant | undefined {
  const offset = request.headers["last-event-id"] || query.get("offset");
  return offset ? parseOffset(String(offset), ports.config.zone) : FEED_START;
}

function subscriptionOf(
  exchange: StreamExchange,
  { modes, filter, fields }: FeedSelection,
  position: Instant,
): Subscription {
  const { ports, request, dialect, root } = exchange;
  // Names that are no fields change nothing, and must not make channels of their own.
  const knownFields = dialect.shapes.Tender!;
  const selectedFields = [...new Set(fields)].filter((field) => Object.hasOwn(knownFields, field)).sort();
  // Only the whole tender says anything about its address.
  const name = JSON.stringify([dialect.segment, selectedFields.length > 0 && root, modes, filter, selectedFields]);
  return {
    name,
    isPlain: filter === undefined && selectedFields.length === 0,
    isAuthorized: authorizationOf(exchange),
    clients: rateLimitKeysOf(request, ports.config),
    position,
    channel: {
      feed: (beyond, limit, descending = false) => ports.registry.feed({ modes, filter, beyond, limit, descending }),
      entryOf: entryRenderer({ ports, dialect, root }, selectedFields),
      offsetOf: (at) => formatOffset(at, exchange),
      pageRows: selectedFields.length > 0 ? PAGE_ROWS_WITH_FIELDS : PAGE_ROWS,
    },
  };
}

/** Whether whoever opened the stream with a key would be known by it now; without a key, everybody may listen. */
function authorizationOf({ request, actor, ports }: StreamExchange): () => boolean {
  const { account } = actor;
  if (!account) return () => true;
  const { authorization } = request.headers;
  return () => accountOf(authorization, ports.config.accounts)?.name === account.name;
}
