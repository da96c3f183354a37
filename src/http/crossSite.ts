import type { IncomingMessage } from "node:http";
import type { Config } from "../config/config.ts";
import { CROSS_SITE } from "./errorResponses.ts";
import type { HttpResponse } from "./responses.ts";

/**
 * Protects against cross-site request forgery: a browser that remembers a key sends it with every request that a page of another
 * site triggers. Such a page may write only through CORS, which is open in the sandbox only; a form or an image does not use CORS.
 *
 * Browsers send the origin of a request in Sec-Fetch-Site; over plain HTTP, and older browsers, in Origin only. Programs send neither.
 */
export function rejectCrossSite(
  { headers }: IncomingMessage,
  origin: string,
  { sandbox }: Pick<Config, "sandbox">,
): HttpResponse | undefined {
  const site = headers["sec-fetch-site"];
  if (site === undefined) return sandbox || hasSameHost(headers.origin, origin) ? undefined : CROSS_SITE;
  if (site === "same-origin" || site === "none") return undefined;
  return sandbox && headers["sec-fetch-mode"] === "cors" ? undefined : CROSS_SITE;
}

/** Compares hosts only: behind a proxy that terminates TLS the server may not know that clients use https. */
const hasSameHost = (from: string | undefined, origin: string): boolean =>
  from === undefined || (URL.parse(from)?.host ?? "") === URL.parse(origin)?.host;
