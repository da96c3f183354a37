import type { Config } from "../../config.ts";
import type { Instant } from "../../domain/time.ts";
import {
  type Answer,
  BAD_OFFSET,
  BAD_PARAMS,
  TOO_MANY_STREAM_QUERIES,
  TOO_MANY_STREAMS,
  TOO_MANY_STREAMS_EACH,
} from "../answers.ts";
import { accountOf } from "../auth.ts";
import {
  BEGINNING,
  type EntryPorts,
  entriesFor,
  offsetOf,
  parseOffset,
  type Question,
  questionOf,
} from "../entries.ts";
import type { Exchange } from "../exchange.ts";
import { FILTER_NAMES } from "../filters.ts";
import { ignoredParametersHeader } from "../ignoredParameters.ts";
import { callersOf } from "../rateLimit.ts";
import type { Asked, Streams } from "./streams.ts";

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
export async function showStream(exchange: StreamExchange): Promise<Answer> {
  const { ports, query, request } = exchange;
  const place = placeOf(exchange);
  if (place === undefined) return BAD_OFFSET;
  const question = questionOf(exchange);
  const backwards = query.get("descending") ? [{ name: "descending", description: ONLY_FORWARDS }] : [];
  if ("wrong" in question) return BAD_PARAMS([...question.wrong, ...backwards]);
  if (backwards.length > 0) return BAD_PARAMS(backwards);
  const headers = { ...HEADERS, ...ignoredParametersHeader(query, UNDERSTOOD, question.ignored) };
  if (request.method === "HEAD") return { status: 200, headers };
  // Whoever cannot be served now is better told so than kept waiting.
  await ports.registry.catchUp();
  const stream = ports.streams.open(askedBy(exchange, question, place));
  if (stream === "too many") return TOO_MANY_STREAMS;
  if (stream === "too many by one") return TOO_MANY_STREAMS_EACH;
  if (stream === "too many queries") return TOO_MANY_STREAM_QUERIES;
  return { status: 200, headers, stream, stallMs: ports.config.streams.stallSeconds * 1000 };
}

/** `descending` is understood, and refused. */
const UNDERSTOOD = new Set(["offset", "descending", "mode", "feed", "opt_fields", "acc_token", ...FILTER_NAMES]);

const ONLY_FORWARDS = "A stream only goes forwards.";

/** What the reader has heard last is more than what it once asked for. */
function placeOf({ request, query, ports }: StreamExchange): Instant | undefined {
  const asked = request.headers["last-event-id"] || query.get("offset");
  return asked ? parseOffset(String(asked), ports.config.zone) : BEGINNING;
}

function askedBy(exchange: StreamExchange, { modes, filter, fields }: Question, place: Instant): Asked {
  const { ports, request, dialect, root } = exchange;
  // Names that are no fields change nothing, and must not make channels of their own.
  const known = dialect.shapes.Tender!;
  const wanted = [...new Set(fields)].filter((field) => Object.hasOwn(known, field)).sort();
  // Only the whole tender says anything about its address.
  const name = JSON.stringify([dialect.segment, wanted.length > 0 && root, modes, filter, wanted]);
  return {
    name,
    isPlain: filter === undefined && wanted.length === 0,
    isAuthorized: authorizationOf(exchange),
    by: callersOf(request, ports.config),
    place,
    channel: {
      feed: (beyond, limit, descending = false) => ports.registry.feed({ modes, filter, beyond, limit, descending }),
      entryOf: entriesFor({ ports, dialect, root }, wanted),
      offsetOf: (at) => offsetOf(at, exchange),
      pageRows: wanted.length > 0 ? PAGE_ROWS_WITH_FIELDS : PAGE_ROWS,
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
