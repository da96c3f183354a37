import type { IncomingMessage } from "node:http";
import type { RequestResult } from "../api/pipeline.ts";
import type { RouteMeter } from "./requestMetrics.ts";

/**
 * The shortest way to what is asked for most: what somebody without a key has just been told is told again, as long as the
 * answer says of itself that it is still the one. Everything else goes the whole way.
 */
export type ResponseCache = {
  readonly find: (request: IncomingMessage) => CachedResponse | undefined | Promise<CachedResponse | undefined>;
  readonly store: (request: IncomingMessage, told: CachedResponse) => void;
};

/** What a request came to, and where it is counted. */
export type CachedResponse = RequestResult & { readonly meter?: RouteMeter };

type CacheEntry = { readonly host: string; readonly cachedResponse: CachedResponse };

/** In bytes of addresses and bodies; what these were made of is kept along with them. */
const CACHE_BYTES_MAX = 4 * 1024 * 1024;
const BODY_BYTES_MAX = 64 * 1024;
/** What many ask for has a short address. */
const URL_LENGTH_MAX = 1024;
/** What is kept beside the body and the address, about. */
const OVERHEAD_BYTES = 1024;

/** What may come with a request and changes nothing about its answer; with anything else, it is looked at closely. */
const NEUTRAL_HEADERS = new Set(
  [
    ...["Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Connection", "Pragma", "User-Agent"],
    ...["Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "Sec-Fetch-User", "Sec-GPC", "DNT", "Priority"],
    ...["Sec-CH-UA", "Sec-CH-UA-Mobile", "Sec-CH-UA-Platform", "Upgrade-Insecure-Requests", "Cookie", "Save-Data"],
    // What these decide is decided where the answer is sent.
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
    // While it was asked, a newer one may have taken its place.
    if (entries.get(url)?.cachedResponse === cachedResponse && entries.delete(url))
      bytesCached -= entryBytesOf(url, cachedResponse);
    return undefined;
  }

  function put(url: string, entry: CacheEntry): void {
    const bytes = entryBytesOf(url, entry.cachedResponse);
    if (bytesCached + bytes > CACHE_BYTES_MAX) {
      entries.clear();
      bytesCached = 0;
    }
    const previous = entries.get(url);
    bytesCached += bytes - (previous ? entryBytesOf(url, previous.cachedResponse) : 0);
    entries.set(url, entry);
  }

  return {
    find({ url, method, rawHeaders }) {
      const entry = entries.get(url!);
      if (!entry || method !== "GET" || hostIfCacheable(rawHeaders) !== entry.host) return undefined;
      const { cachedResponse } = entry;
      const isFresh = cachedResponse.response.isFresh!();
      return typeof isFresh === "boolean"
        ? freshOrEvicted(url!, cachedResponse, isFresh)
        : isFresh.then((fresh) => freshOrEvicted(url!, cachedResponse, fresh));
    },
    store({ url, method, rawHeaders }, cachedResponse) {
      const { response, style } = cachedResponse;
      if (!response.isFresh || method !== "GET" || style?.pretty || style?.callback) return;
      if (url!.length > URL_LENGTH_MAX || bodyBytesOf(cachedResponse) > BODY_BYTES_MAX) return;
      const host = hostIfCacheable(rawHeaders);
      if (host === undefined) return;
      // What the store does not keep, because it was read once, is not kept here either.
      const isFresh = response.isFresh();
      if (isFresh === true) put(url!, { host, cachedResponse });
      // Where the store cannot say, nothing is kept; whoever asks next is told why.
      else if (isFresh) isFresh.then((fresh) => fresh && put(url!, { host, cachedResponse })).catch(() => {});
    },
  };
}

const bodyBytesOf = ({ response: { json } }: CachedResponse): number =>
  typeof json === "object" ? json.latin1.length : 0;
const entryBytesOf = (url: string, cachedResponse: CachedResponse): number =>
  url.length + bodyBytesOf(cachedResponse) + OVERHEAD_BYTES;

/** The host that a request names, if it says nothing else that matters. Names and values stand in turn. */
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
