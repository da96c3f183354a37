import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";
import { type Answer, CROSS_SITE } from "./answers.ts";

/**
 * A browser that remembers a key sends it along with whatever a page of another site makes it send. Such a page may write only
 * where CORS lets it, which is in the sandbox; a form or an image never asks.
 *
 * Browsers say where a request comes from in Sec-Fetch-Site; over plain HTTP, and older ones, in Origin alone. Programs send neither.
 */
export function refusedCrossSite(
  { headers }: IncomingMessage,
  origin: string,
  { sandbox }: Pick<Config, "sandbox">,
): Answer | undefined {
  const site = headers["sec-fetch-site"];
  if (site === undefined) return sandbox || isOwn(headers.origin, origin) ? undefined : CROSS_SITE;
  if (site === "same-origin" || site === "none") return undefined;
  return sandbox && headers["sec-fetch-mode"] === "cors" ? undefined : CROSS_SITE;
}

/** By the host alone: behind a proxy that speaks TLS we may not know that we are reached by it. */
const isOwn = (from: string | undefined, origin: string): boolean =>
  from === undefined || (URL.parse(from)?.host ?? "") === URL.parse(origin)?.host;
