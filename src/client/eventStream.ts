import { errorFromResponse, unknownKeyError } from "./errors.ts";
import { openEventReader, type ServerSentEvent } from "./eventReader.ts";
import type { FeedPosition } from "./feedPosition.ts";
import { type ClientSettings, prepareRequest, type Query } from "./requests.ts";
import { openTimeout } from "./retries.ts";

/** Thrown where the registry has no stream: an older one, or something in between that lets none through. */
export const STREAM_UNAVAILABLE = new Error("There is no stream");

const UNAVAILABLE_STATUSES = [404, 405, 406, 415, 501];
/** There is a heart-beat every 15 seconds: whoever is silent for three of them is gone. */
const IDLE_TIMEOUT_MS = 45_000;

type StreamOptions = { readonly query: Query; readonly silentMs?: number; readonly signal?: AbortSignal };

/** The events of one connection, until it ends. */
export async function* readEventStream(
  settings: ClientSettings,
  path: string,
  { query, silentMs = IDLE_TIMEOUT_MS, signal }: StreamOptions,
  position: FeedPosition,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const offset = position.offset();
  const headers = { Accept: "text/event-stream", ...(offset && { "Last-Event-ID": offset }) };
  const { url, init, transport } = prepareRequest(settings, {
    method: "GET",
    path,
    query: { ...query, offset },
    options: { headers },
  });
  const timeout = openTimeout(silentMs, signal);
  let body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    const response = await transport(url, { ...init, cache: "no-store", signal: timeout.signal });
    await assertEventStream(path, response);
    position.recordSuccess();
    body = response.body!.getReader();
    const events = openEventReader();
    const decoder = new TextDecoder();
    for (;;) {
      timeout.restart();
      const { done, value } = await body.read();
      // What the caller does with an event may take any time.
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

async function assertEventStream(path: string, response: Response): Promise<void> {
  const { ok, status, headers } = response;
  const unknownKey = unknownKeyError(`GET ${path}`, response);
  if (unknownKey) {
    await response.body?.cancel();
    throw unknownKey;
  }
  if (ok && headers.get("Content-Type")?.startsWith("text/event-stream") && response.body) return;
  if (ok || UNAVAILABLE_STATUSES.includes(status)) {
    await response.body?.cancel();
    throw STREAM_UNAVAILABLE;
  }
  throw errorFromResponse(`GET ${path}`, response, await response.text());
}
