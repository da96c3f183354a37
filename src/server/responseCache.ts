import type { IncomingMessage } from "node:http";
import type { RequestResult } from "../api/pipeline.ts";
import type { RouteMeter } from "./requestMetrics.ts";

/**
 * Response cache for anonymous GETs. A cached response is reused while its `isFresh()` check passes; every other request takes the
 * normal path.
 */
export type ResponseCache = {
  /** The cached response to this request, if it is fresh. Not a promise if the check is synchronous. */
  readonly find: (request: IncomingMessage) => CachedResponse | undefined | Promise<CachedResponse | undefined>;
  /** Caches the response if it can be cached. */
  readonly store: (request: IncomingMessage, cachedResponse: CachedResponse) => void;
};

/** The response to a request, with the meter of its route. */
export type CachedResponse = RequestResult & { readonly meter?: RouteMeter };

type CacheEntry = { readonly host: string; readonly cachedResponse: CachedResponse };

/** The total of URLs, bodies and overhead. */
const CACHE_BYTES_MAX = 16 * 1024 * 1024;
/** A page is several times as long as the JSON of what it shows. */
const BODY_BYTES_MAX = 256 * 1024;
const ENTRIES_MAX = 4096;
/** Popular requests have short URLs. */
const URL_LENGTH_MAX = 1024;
/** Approximate memory of an entry besides its URL and body. */
const OVERHEAD_BYTES = 1024;

/** Headers that never affect the response. A request with any other header bypasses the cache. */
const NEUTRAL_HEADERS = new Set(
  [
    ...["Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Connection", "Pragma", "User-Agent"],
    ...["Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "Sec-Fetch-User", "Sec-GPC", "DNT", "Priority"],
    ...["Sec-CH-UA", "Sec-CH-UA-Mobile", "Sec-CH-UA-Platform", "Upgrade-Insecure-Requests", "Cookie", "Save-Data"],
    // These are evaluated when the response is sent.
    ...["If-None-Match", "Origin", "Referer"],
    ...["Traceparent", "Tracestate", "Via", "Forwarded"],
    ...["X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Port", "X-Forwarded-Proto", "X-Real-IP"],
  ].flatMap((name) => [name, name.toLowerCase()]),
);

export function openResponseCache(): ResponseCache {
  const entries = new Map<string, CacheEntry>();
  let bytesCached = 0;

  function freshOrEvicted(url: string, cachedResponse: CachedResponse, isFresh: boolean): CachedResponse | undefined {
    if (isFresh) return cachedResponse;
    // During an asynchronous check a newer response may have replaced it.
    if (entries.get(url)?.cachedResponse === cachedResponse && entries.delete(url))
      bytesCached -= entryBytesOf(url, cachedResponse);
    return undefined;
  }

  function put(url: string, entry: CacheEntry): void {
    const bytes = entryBytesOf(url, entry.cachedResponse);
    if (bytesCached + bytes > CACHE_BYTES_MAX || entries.size >= ENTRIES_MAX) {
      entries.clear();
      bytesCached = 0;
    }
    const previous = entries.get(url);
    bytesCached += bytes - (previous ? entryBytesOf(url, previous.cachedResponse) : 0);
    entries.set(url, entry);
  }

  return {
    find({ url = "", method, rawHeaders }) {
      const entry = entries.get(url);
      if (!entry || method !== "GET" || hostIfCacheable(rawHeaders) !== entry.host) return undefined;
      const { cachedResponse } = entry;
      const isFresh = cachedResponse.response.isFresh?.() ?? false;
      return typeof isFresh === "boolean"
        ? freshOrEvicted(url, cachedResponse, isFresh)
        : isFresh.then((fresh) => freshOrEvicted(url, cachedResponse, fresh));
    },
    store({ url = "", method, rawHeaders }, cachedResponse) {
      const { response, style } = cachedResponse;
      if (!response.isFresh || method !== "GET" || style?.pretty || style?.callback) return;
      if (url.length > URL_LENGTH_MAX || bodyBytesOf(cachedResponse) > BODY_BYTES_MAX) return;
      const host = hostIfCacheable(rawHeaders);
      if (host === undefined) return;
      // A tender that the store does not cache, because it was read only once, is never fresh and so not cached here either.
      const isFresh = response.isFresh();
      if (isFresh === true) put(url, { host, cachedResponse });
      // If the check fails, nothing is cached; the next request takes the normal path and reports the error.
      else if (isFresh) isFresh.then((fresh) => fresh && put(url, { host, cachedResponse })).catch(() => {});
    },
  };
}

/** The memory of a body. A text that is not encoded yet may have two bytes for each character. */
function bodyBytesOf({ response: { json, text, bytes } }: CachedResponse): number {
  if (typeof json === "string") return 2 * json.length;
  return json?.latin1.length ?? text?.latin1.length ?? bytes?.length ?? 0;
}

const entryBytesOf = (url: string, cachedResponse: CachedResponse): number =>
  url.length + bodyBytesOf(cachedResponse) + OVERHEAD_BYTES;

/** The Host header, if the request has no other header that affects the response. Names and values alternate in `headers`. */
function hostIfCacheable(headers: readonly string[]): string | undefined {
  let host: string | undefined;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!;
    if (NEUTRAL_HEADERS.has(name)) continue;
    if (host !== undefined || (name !== "Host" && name !== "host")) return undefined;
    host = headers[i + 1];
  }
  return host;
}
