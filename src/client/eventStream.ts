import { errorFromResponse, unknownKeyError } from "./errors.ts";
import { openEventReader, type ServerSentEvent } from "./eventReader.ts";
import type { FeedPosition } from "./feedPosition.ts";
import { type ClientSettings, prepareRequest, type Query, type RequestOptions } from "./requests.ts";
import { openTimeout } from "./retries.ts";

/** Thrown if there is no stream: the registry is too old, or a proxy does not let streams through. */
export const STREAM_UNAVAILABLE = new Error("The registry has no stream");

const UNAVAILABLE_STATUSES = [404, 405, 406, 415, 501];
/** The registry sends a heartbeat every 15 seconds: a stream that misses three is dead. */
const IDLE_TIMEOUT_MS = 45_000;

type StreamOptions = {
  readonly query: Query;
  readonly idleTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The token and headers of a caller that sees more than everyone. */
  readonly access?: Pick<RequestOptions, "token" | "headers">;
  /** There is no other way to read it, so that any response but a stream is an error. */
  readonly isOnlyWay?: true;
};

/**
 * Yields the events of one connection, from `position` on, until it ends. Throws `STREAM_UNAVAILABLE` if there is no
 * stream, and a TenderhallError for any other response that is not one.
 */
export async function* readEventStream(
  settings: ClientSettings,
  path: string,
  { query, idleTimeoutMs = IDLE_TIMEOUT_MS, signal, access, isOnlyWay }: StreamOptions,
  position: FeedPosition,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const offset = position.offset();
  const headers = { ...access?.headers, Accept: "text/event-stream", ...(offset && { "Last-Event-ID": offset }) };
  const { url, init, transport } = prepareRequest(settings, {
    method: "GET",
    path,
    query: { ...query, offset },
    options: { token: access?.token, headers },
  });
  const timeout = openTimeout(idleTimeoutMs, signal);
  let body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    const response = await transport(url, { ...init, cache: "no-store", signal: timeout.signal });
    const stream = await eventStreamOf(path, response, isOnlyWay === true);
    position.recordSuccess();
    body = stream.getReader();
    const events = openEventReader();
    const decoder = new TextDecoder();
    for (;;) {
      timeout.restart();
      const { done, value } = await body.read();
      // The time that the caller takes to handle an event does not count as idle.
      timeout.suspend();
      if (done) return;
      const newEvents = events.read(decoder.decode(value, { stream: true }));
      position.setRetryMs(events.retryMs());
      yield* newEvents;
    }
  } finally {
    timeout.clear();
    await body?.cancel().catch(() => {});
  }
}

async function eventStreamOf(
  path: string,
  response: Response,
  isOnlyWay: boolean,
): Promise<ReadableStream<Uint8Array>> {
  const { ok, status, headers } = response;
  const unknownKey = unknownKeyError(`GET ${path}`, response);
  if (unknownKey) {
    await response.body?.cancel();
    throw unknownKey;
  }
  if (ok && headers.get("Content-Type")?.startsWith("text/event-stream") && response.body) return response.body;
  if (!isOnlyWay && (ok || UNAVAILABLE_STATUSES.includes(status))) {
    await response.body?.cancel();
    throw STREAM_UNAVAILABLE;
  }
  throw errorFromResponse(`GET ${path}`, response, await response.text());
}
