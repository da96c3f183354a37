import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Config } from "../config/config.ts";
import { detachText } from "../domain/values/detach.ts";
import { accountOf } from "./auth.ts";
import type { ResponseHeaders } from "./responses.ts";

/**
 * A bucket for each key and each address: it holds a minute's requests and fills evenly. What clients are told of it is in the
 * headers of draft-ietf-httpapi-ratelimit-headers: `q` requests in `w` seconds, `r` of them left, all of them again in `t` seconds.
 */

type Bucket = { tokens: number; filledAt: number };

const BUCKETS_MAX = 100_000;

/** What to tell the client, and whether it must wait. */
export type Quota = { readonly allowed: boolean; readonly headers: ResponseHeaders };

export type RateLimit = { readonly take: (names: readonly string[]) => Quota };

export function openRateLimit(perMinute: number, now: () => number = performance.now.bind(performance)): RateLimit {
  const buckets = new Map<string, Bucket>();
  const perMillisecond = perMinute / 60_000;
  /** Rounded up, so that nobody comes too early; but not for what is left of a division. */
  const secondsUntil = (tokens: number, available: number): number =>
    Math.max(1, Math.ceil((tokens - available) / perMillisecond / 1000 - 1e-9));

  function bucketOf(name: string, at: number): Bucket {
    const existing = buckets.get(name);
    if (!existing) {
      if (buckets.size >= BUCKETS_MAX) dropFullBuckets(at);
      const newBucket = { tokens: perMinute, filledAt: at };
      // A name is made of part of a header, which it must not keep alive.
      buckets.set(detachText(name), newBucket);
      return newBucket;
    }
    existing.tokens = Math.min(perMinute, existing.tokens + (at - existing.filledAt) * perMillisecond);
    existing.filledAt = at;
    return existing;
  }

  /** A full bucket says nothing that a new one would not; if none is full, the longest known goes. */
  function dropFullBuckets(at: number): void {
    for (const [name, { tokens, filledAt }] of buckets)
      if (tokens + (at - filledAt) * perMillisecond >= perMinute) buckets.delete(name);
    if (buckets.size >= BUCKETS_MAX) buckets.delete(buckets.keys().next().value!);
  }

  return {
    take(names) {
      const at = now();
      const callerBuckets = names.map((name) => bucketOf(name, at));
      const tokensMin = Math.min(...callerBuckets.map(({ tokens }) => tokens));
      const allowed = tokensMin >= 1;
      if (allowed) for (const bucket of callerBuckets) bucket.tokens -= 1;
      const remaining = allowed ? tokensMin - 1 : tokensMin;
      // Until all of the quota is there again; whoever must wait is told until when, as Retry-After says it.
      const seconds = secondsUntil(allowed ? perMinute : 1, remaining);
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

/** Both the address and the key that it uses are counted; a key is the same however it is written. */
export function rateLimitKeysOf(request: IncomingMessage, { accounts, trustedProxies }: Config): readonly string[] {
  const account = accountOf(request.headers.authorization, accounts);
  const address = clientAddressOf(request, trustedProxies);
  return [`address ${address}`, ...(account ? [`key of ${account.name}`] : [])];
}

/**
 * Whose request it is. Each proxy adds the address it saw to the end of X-Forwarded-For, so what stands as many places
 * from the right as there are proxies is true, and what stands further left the client may have made up.
 */
export function clientAddressOf({ headers, socket }: IncomingMessage, proxies: number): string {
  const peerAddress = socket.remoteAddress ?? "";
  if (proxies === 0) return peerAddress;
  const forwardedFor = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  return parseAddress(forwardedFor.at(-proxies) ?? forwardedFor[0]!) ?? peerAddress;
}

/** An address in the one way that we write it; some proxies add the port. */
function parseAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const [, bare = trimmed] = /^\[(.+)\](?::\d+)?$/.exec(trimmed) ?? /^([\d.]+):\d+$/.exec(trimmed) ?? [];
  const [, v4 = bare] = /^::ffff:([\d.]+)$/i.exec(bare) ?? [];
  if (isIP(v4) === 4) return v4;
  return isIP(bare) === 6 && !bare.includes("%") ? URL.parse(`http://[${bare}]`)?.hostname : undefined;
}
