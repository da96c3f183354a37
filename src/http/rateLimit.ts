import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Config } from "../config/config.ts";
import { detachText } from "../domain/values/detach.ts";
import { accountOf } from "./auth.ts";
import type { ResponseHeaders } from "./responses.ts";

/**
 * Rate limiting with a token bucket for each API key and each address. A bucket holds a minute's requests and fills evenly. The headers
 * are those of draft-ietf-httpapi-ratelimit-headers: `q` requests in `w` seconds, `r` of them left, all of them again in `t` seconds.
 */

type Bucket = { tokens: number; filledAt: number };

const BUCKETS_MAX = 100_000;

/** Whether a request may proceed, and the headers that say so to the client. */
export type Quota = { readonly allowed: boolean; readonly headers: ResponseHeaders };

export type RateLimit = {
  /** Takes a token from each of these buckets, or from none if one of them is empty. */
  readonly take: (names: readonly string[]) => Quota;
};

/** `now` is in milliseconds and must be monotonic. A bucket holds `capacity` requests, by default those of a minute. */
export function openRateLimit(
  perMinute: number,
  now: () => number = performance.now.bind(performance),
  capacity = perMinute,
): RateLimit {
  const buckets = new Map<string, Bucket>();
  const perMillisecond = perMinute / 60_000;
  /** Rounded up, so that no client retries too early; the small constant absorbs rounding errors of the division. */
  const secondsUntil = (tokens: number, available: number): number =>
    Math.max(1, Math.ceil((tokens - available) / perMillisecond / 1000 - 1e-9));

  function bucketOf(name: string, at: number): Bucket {
    const existing = buckets.get(name);
    if (!existing) {
      if (buckets.size >= BUCKETS_MAX) dropFullBuckets(at);
      const newBucket = { tokens: capacity, filledAt: at };
      // The name may be a slice of a header, which would keep the whole header in memory.
      buckets.set(detachText(name), newBucket);
      return newBucket;
    }
    existing.tokens = Math.min(capacity, existing.tokens + (at - existing.filledAt) * perMillisecond);
    existing.filledAt = at;
    return existing;
  }

  /** A full bucket is the same as a new one, so it can go. If no bucket is full, the oldest one goes. */
  function dropFullBuckets(at: number): void {
    for (const [name, { tokens, filledAt }] of buckets)
      if (tokens + (at - filledAt) * perMillisecond >= capacity) buckets.delete(name);
    const [oldestName] = buckets.keys();
    if (buckets.size >= BUCKETS_MAX && oldestName !== undefined) buckets.delete(oldestName);
  }

  return {
    take(names) {
      const at = now();
      const callerBuckets = names.map((name) => bucketOf(name, at));
      const tokensMin = Math.min(...callerBuckets.map(({ tokens }) => tokens));
      const allowed = tokensMin >= 1;
      if (allowed) for (const bucket of callerBuckets) bucket.tokens -= 1;
      const remaining = allowed ? tokensMin - 1 : tokensMin;
      // Until the bucket is full again, or until the next request is allowed if this one is not.
      const seconds = secondsUntil(allowed ? capacity : 1, remaining);
      return {
        allowed,
        headers: {
          "RateLimit-Policy": `"requests";q=${perMinute};w=60`,
          RateLimit: `"requests";r=${Math.floor(remaining)};t=${seconds}`,
          ...(!allowed && { "Retry-After": String(seconds) }),
        },
      };
    },
  };
}

/** The buckets of a request: its address, and its account if it has a known key. */
export function rateLimitKeysOf(request: IncomingMessage, { accounts, trustedProxies }: Config): readonly string[] {
  const account = accountOf(request.headers.authorization, accounts);
  const address = clientAddressOf(request, trustedProxies);
  return [`address ${address}`, ...(account ? [`key of ${account.name}`] : [])];
}

/**
 * The client's IP address behind `proxies` trusted proxies. Each proxy appends the address it sees to X-Forwarded-For, so the entry
 * that is `proxies` places from the end is reliable; the client can forge everything before it.
 */
export function clientAddressOf({ headers, socket }: IncomingMessage, proxies: number): string {
  const peerAddress = socket.remoteAddress ?? "";
  if (proxies === 0) return peerAddress;
  const forwardedFor = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const [first = ""] = forwardedFor;
  return parseAddress(forwardedFor.at(-proxies) ?? first) ?? peerAddress;
}

/** The canonical form of an IP address; undefined if it is none. Some proxies add the port. */
function parseAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const [, bare = trimmed] = /^\[(.+)\](?::\d+)?$/.exec(trimmed) ?? /^([\d.]+):\d+$/.exec(trimmed) ?? [];
  const [, v4 = bare] = /^::ffff:([\d.]+)$/i.exec(bare) ?? [];
  if (isIP(v4) === 4) return v4;
  return isIP(bare) === 6 && !bare.includes("%") ? URL.parse(`http://[${bare}]`)?.hostname : undefined;
}
