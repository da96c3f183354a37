import type { Config } from "../../config/config.ts";
import type { Instant } from "../../domain/values/time.ts";
import { accountOf } from "../../http/auth.ts";
import {
  BAD_OFFSET,
  BAD_PARAMS,
  TOO_MANY_STREAM_QUERIES,
  TOO_MANY_STREAMS,
  TOO_MANY_STREAMS_PER_CLIENT,
} from "../../http/errorResponses.ts";
import type { Exchange } from "../../http/exchange.ts";
import { ignoredParametersHeader } from "../../http/ignoredParameters.ts";
import { rateLimitKeysOf } from "../../http/rateLimit.ts";
import type { HttpResponse } from "../../http/responses.ts";
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

/** Fewer rows with additional fields, because each tender has to be read and may be large. */
const PAGE_ROWS = 500;
const PAGE_ROWS_WITH_FIELDS = 50;

const HEADERS = {
  "Content-Type": "text/event-stream; charset=UTF-8",
  "Cache-Control": "no-store",
  // nginx buffers responses by default.
  "X-Accel-Buffering": "no",
};

/** Streams the feed as Server-Sent Events: first the changes since the offset, then new ones, each once and in order. */
export async function showStream(exchange: StreamExchange): Promise<HttpResponse> {
  const { ports, query, request } = exchange;
  const position = startPositionOf(exchange);
  if (position === undefined) return BAD_OFFSET;
  const selection = parseFeedSelection(exchange);
  const orderProblems = query.get("descending") ? [{ name: "descending", description: FORWARD_ONLY }] : [];
  if ("problems" in selection) return BAD_PARAMS([...selection.problems, ...orderProblems]);
  if (orderProblems.length > 0) return BAD_PARAMS(orderProblems);
  const headers = { ...HEADERS, ...ignoredParametersHeader(query, KNOWN_PARAMETERS, selection.ignoredParams) };
  if (request.method === "HEAD") return { status: 200, headers };
  // Fails if the store is unavailable, so that the client gets a 503 instead of a silent stream.
  await ports.registry.catchUp();
  const stream = ports.streams.open(subscriptionOf(exchange, selection, position));
  if (stream === "too many") return TOO_MANY_STREAMS;
  if (stream === "too many per client") return TOO_MANY_STREAMS_PER_CLIENT;
  if (stream === "too many queries") return TOO_MANY_STREAM_QUERIES;
  return { status: 200, headers, stream, stallTimeoutMs: ports.config.streams.stallSeconds * 1000 };
}

/** `descending` is known because it is refused instead of ignored. */
const KNOWN_PARAMETERS = new Set(["offset", "descending", "mode", "feed", "opt_fields", "acc_token", ...FILTER_NAMES]);

const FORWARD_ONLY = "A stream cannot be descending.";

/** Last-Event-ID takes precedence: a client that reconnects sends it together with the offset of its first request. */
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
  // Unknown fields do not affect the events, so they must not lead to separate channels.
  const knownFields = dialect.shapes.Tender ?? {};
  const selectedFields = [...new Set(fields)].filter((field) => Object.hasOwn(knownFields, field)).sort();
  // Entries contain URLs only if they have additional fields, so only those channels depend on `root`.
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

/** Whether the API key of the stream is still valid for the same account; a stream without a key is always allowed. */
function authorizationOf({ request, actor, ports }: StreamExchange): () => boolean {
  const { account } = actor;
  if (!account) return () => true;
  const { authorization } = request.headers;
  return () => accountOf(authorization, ports.config.accounts)?.name === account.name;
}
