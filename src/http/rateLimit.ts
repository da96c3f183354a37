import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Config } from "../config.ts";
import { detachedText } from "../domain/detach.ts";
import type { Headers } from "./answers.ts";
import { accountOf } from "./auth.ts";

/**
 * A bucket for each key and each address: it holds a minute's requests and fills evenly. What clients are told of it is in the
 * headers of draft-ietf-httpapi-ratelimit-headers: `q` requests in `w` seconds, `r` of them left, all of them again in `t` seconds.
 */

type Bucket = { tokens: number; filledAt: number };

const BUCKETS_MAX = 100_000;

/** What to tell the client, and whether it must wait. */
export type Turn = { readonly allowed: boolean; readonly headers: Headers };

export type RateLimit = { readonly take: (names: readonly string[]) => Turn };

export function openRateLimit(perMinute: number, now: () => number = performance.now.bind(performance)): RateLimit {
  const buckets = new Map<string, Bucket>();
  const perMillisecond = perMinute / 60_000;
  /** Rounded up, so that nobody comes too early; but not for what is left of a division. */
  const secondsUntil = (tokens: number, held: number): number =>
    Math.max(1, Math.ceil((tokens - held) / perMillisecond / 1000 - 1e-9));

  function bucketOf(name: string, at: number): Bucket {
    const found = buckets.get(name);
    if (!found) {
      if (buckets.size >= BUCKETS_MAX) forgetFull(at);
      const made = { tokens: perMinute, filledAt: at };
      // A name is made of part of a header, which it must not keep alive.
      buckets.set(detachedText(name), made);
      return made;
    }
    found.tokens = Math.min(perMinute, found.tokens + (at - found.filledAt) * perMillisecond);
    found.filledAt = at;
    return found;
  }

  /** A full bucket says nothing that a new one would not; if none is full, the longest known goes. */
  function forgetFull(at: number): void {
    for (const [name, { tokens, filledAt }] of buckets)
      if (tokens + (at - filledAt) * perMillisecond >= perMinute) buckets.delete(name);
    if (buckets.size >= BUCKETS_MAX) buckets.delete(buckets.keys().next().value!);
  }

  return {
    take(names) {
      const at = now();
      const all = names.map((name) => bucketOf(name, at));
      const least = Math.min(...all.map(({ tokens }) => tokens));
      const allowed = least >= 1;
      if (allowed) for (const bucket of all) bucket.tokens -= 1;
      const left = allowed ? least - 1 : least;
      // Until all of the quota is there again; whoever must wait is told until when, as Retry-After says it.
      const seconds = secondsUntil(allowed ? perMinute : 1, left);
      return {
        allowed,
        headers: {
          "RateLimit-Policy": `"requests";q=${perMinute};w=60`,
          RateLimit: `"requests";r=${Math.floor(left)};t=${seconds}`,
          ...(!allowed && { "Retry-After": String(seconds) }),
        },
      };
    },
  };
}

/** Both the address and the key that it uses are counted; a key is the same however it is written. */
export function callersOf(request: IncomingMessage, { accounts, trustedProxies }: Config): readonly string[] {
  const account = accountOf(request.headers.authorization, accounts);
  const address = clientAddressOf(request, trustedProxies);
  return [`address ${address}`, ...(account ? [`key of ${account.name}`] : [])];
}

/**
 * Whose request it is. Each proxy adds the address it saw to the end of X-Forwarded-For, so what stands as many places
 * from the right as there are proxies is true, and what stands further left the client may have made up.
 */
export function clientAddressOf({ headers, socket }: IncomingMessage, proxies: number): string {
  const connected = socket.remoteAddress ?? "";
  if (proxies === 0) return connected;
  const seen = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  return addressIn(seen.at(-proxies) ?? seen[0]!) ?? connected;
}

/** An address in the one way that we write it; some proxies add the port. */
function addressIn(text: string): string | undefined {
  const written = text.trim();
  const [, bare = written] = /^\[(.+)\](?::\d+)?$/.exec(written) ?? /^([\d.]+):\d+$/.exec(written) ?? [];
  const [, v4 = bare] = /^::ffff:([\d.]+)$/i.exec(bare) ?? [];
  if (isIP(v4) === 4) return v4;
  return isIP(bare) === 6 && !bare.includes("%") ? URL.parse(`http://[${bare}]`)?.hostname : undefined;
}
