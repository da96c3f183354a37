import type { IncomingMessage } from "node:http";
import type { Answer } from "./answers.ts";
import type { Handled } from "./pipeline.ts";

/**
 * The shortest way to what is asked for most: what somebody without a key has just been told is told again, as long as the
 * answer says of itself that it is still the one. Everything else goes the whole way.
 */
export type Hot = {
  readonly find: (request: IncomingMessage) => Answer | undefined | Promise<Answer | undefined>;
  readonly keep: (request: IncomingMessage, handled: Handled) => void;
};

type Kept = { readonly host: string; readonly answer: Answer };

const KEPT_MAX = 1000;

/** What may come with a request and changes nothing about its answer; with anything else, it is looked at closely. */
const INERT = new Set(
  [
    ...["Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Connection", "Pragma", "User-Agent"],
    ...["Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site"],
  ].flatMap((name) => [name, name.toLowerCase()]),
);

export function openHot(): Hot {
  const kept = new Map<string, Kept>();

  function found(url: string, answer: Answer, isStill: boolean): Answer | undefined {
    if (!isStill) kept.delete(url);
    return isStill ? answer : undefined;
  }

  return {
    find({ url, method, rawHeaders }) {
      const known = kept.get(url!);
      if (!known || method !== "GET" || hostOfPlain(rawHeaders) !== known.host) return undefined;
      const { answer } = known;
      const isStill = answer.isStill!();
      return typeof isStill === "boolean"
        ? found(url!, answer, isStill)
        : isStill.then((is) => found(url!, answer, is));
    },
    keep({ url, method, rawHeaders }, { answer, style }) {
      if (!answer.isStill || method !== "GET" || style?.pretty || style?.callback) return;
      const host = hostOfPlain(rawHeaders);
      if (host === undefined) return;
      if (kept.size >= KEPT_MAX) kept.clear();
      kept.set(url!, { host, answer });
    },
  };
}

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
