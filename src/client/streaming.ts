import { errorOf, unknownKeyIn } from "./errors.ts";
import { openEventReader, type ServerEvent } from "./events.ts";
import type { Place } from "./place.ts";
import { prepare, type Query, type Settings } from "./requests.ts";
import { openLimit } from "./waiting.ts";

/** Thrown where the registry has no stream: an older one, or something in between that lets none through. */
export const NOT_THERE = new Error("There is no stream");

const ABSENT = [404, 405, 406, 415, 501];
/** There is a heart-beat every 15 seconds: whoever is silent for three of them is gone. */
const SILENT_MS = 45_000;

type Wishes = { readonly query: Query; readonly silentMs?: number; readonly signal?: AbortSignal };

/** The events of one connection, until it ends. */
export async function* readStream(
  settings: Settings,
  path: string,
  { query, silentMs = SILENT_MS, signal }: Wishes,
  place: Place,
): AsyncGenerator<ServerEvent, void, undefined> {
  const offset = place.offset();
  const headers = { Accept: "text/event-stream", ...(offset && { "Last-Event-ID": offset }) };
  const { url, init, transport } = prepare(settings, {
    method: "GET",
    path,
    query: { ...query, offset },
    options: { headers },
  });
  const limit = openLimit(silentMs, signal);
  let body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    const response = await transport(url, { ...init, cache: "no-store", signal: limit.signal });
    await refuseOther(path, response);
    place.succeeded();
    body = response.body!.getReader();
    const events = openEventReader();
    const decoder = new TextDecoder();
    for (;;) {
      limit.renew();
      const { done, value } = await body.read();
      // What the caller does with an event may take any time.
      limit.rest();
      if (done) return;
      const found = events.read(decoder.decode(value, { stream: true }));
      place.setRetryMs(events.retryMs());
      yield* found;
    }
  } finally {
    limit.end();
    await body?.cancel().catch(() => {});
  }
}

async function refuseOther(path: string, response: Response): Promise<void> {
  const { ok, status, headers } = response;
  const unknownKey = unknownKeyIn(`GET ${path}`, response);
  if (unknownKey) {
    await response.body?.cancel();
    throw unknownKey;
  }
  if (ok && headers.get("Content-Type")?.startsWith("text/event-stream") && response.body) return;
  if (ok || ABSENT.includes(status)) {
    await response.body?.cancel();
    throw NOT_THERE;
  }
  throw errorOf(`GET ${path}`, response, await response.text());
}
