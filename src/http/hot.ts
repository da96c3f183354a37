import type { IncomingMessage } from "node:http";
import type { Handled } from "./pipeline.ts";
import type { Meter } from "./requestMetrics.ts";

/**
 * The shortest way to what is asked for most: what somebody without a key has just been told is told again, as long as the
 * answer says of itself that it is still the one. Everything else goes the whole way.
 */
export type Hot = {
  readonly find: (request: IncomingMessage) => Told | undefined | Promise<Told | undefined>;
  readonly keep: (request: IncomingMessage, told: Told) => void;
};

/** What a request came to, and where it is counted. */
export type Told = Handled & { readonly meter?: Meter };

type Kept = { readonly host: string; readonly told: Told };

/** In bytes of addresses and bodies; what these were made of is kept along with them. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024;
const BODY_BYTES_MAX = 64 * 1024;
/** What many ask for has a short address. */
const URL_LENGTH_MAX = 1024;
/** What is kept beside the body and the address, about. */
const REST_BYTES = 1024;

/** What may come with a request and changes nothing about its answer; with anything else, it is looked at closely. */
const INERT = new Set(
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

export function openHot(): Hot {
  const kept = new Map<string, Kept>();
  let bytesKept = 0;

  function found(url: string, told: Told, isStill: boolean): Told | undefined {
    if (isStill) return told;
    // While it was asked, a newer one may have taken its place.
    if (kept.get(url)?.told === told && kept.delete(url)) bytesKept -= bytesOf(url, told);
    return undefined;
  }

  function put(url: string, one: Kept): void {
    const bytes = bytesOf(url, one.told);
    if (bytesKept + bytes > KEPT_BYTES_MAX) {
      kept.clear();
      bytesKept = 0;
    }
    const before = kept.get(url);
    bytesKept += bytes - (before ? bytesOf(url, before.told) : 0);
    kept.set(url, one);
  }

  return {
    find({ url, method, rawHeaders }) {
      const known = kept.get(url!);
      if (!known || method !== "GET" || hostOfPlain(rawHeaders) !== known.host) return undefined;
      const { told } = known;
      const isStill = told.answer.isStill!();
      return typeof isStill === "boolean" ? found(url!, told, isStill) : isStill.then((is) => found(url!, told, is));
    },
    keep({ url, method, rawHeaders }, told) {
      const { answer, style } = told;
      if (!answer.isStill || method !== "GET" || style?.pretty || style?.callback) return;
      if (url!.length > URL_LENGTH_MAX || bodyBytesOf(told) > BODY_BYTES_MAX) return;
      const host = hostOfPlain(rawHeaders);
      if (host === undefined) return;
      // What the store does not keep, because it was read once, is not kept here either.
      const isStill = answer.isStill();
      if (isStill === true) put(url!, { host, told });
      // Where the store cannot say, nothing is kept; whoever asks next is told why.
      else if (isStill) isStill.then((is) => is && put(url!, { host, told })).catch(() => {});
    },
  };
}

const bodyBytesOf = ({ answer: { json } }: Told): number => (typeof json === "object" ? json.latin1.length : 0);
const bytesOf = (url: string, told: Told): number => url.length + bodyBytesOf(told) + REST_BYTES;

/** The host that a request names, if it says nothing else that matters. Names and values stand in turn. */
function hostOfPlain(headers: readonly string[]): string | undefined {
  let host: string | undefined;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!;
    if (INERT.has(name)) continue;
    if (host !== undefined || (name !== "Host" && name !== "host")) return undefined;
    host = headers[i + 1];
  }
  return host;
}
