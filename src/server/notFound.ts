import type { IncomingMessage } from "node:http";
import { type HttpResponse, NOT_FOUND, OPTIONS_RESPONSE } from "../http/responses.ts";
import { isReadMethod } from "../http/securityHeaders.ts";
import { type DocsPorts, notFoundPageResponse } from "../portal/docs/docsHandler.ts";
import { ICON } from "../portal/markup.ts";

/** Browsers ask for it beside whatever is no page of ours, such as JSON. */
const FAVICON_PATH = "/favicon.ico";

/** Where nothing is: programs are told so in JSON, as everywhere, and people who look for a page are shown one. */
export function respondNotFound(
  ports: DocsPorts,
  request: IncomingMessage,
  origin: string,
  path: string,
): HttpResponse {
  if (path === FAVICON_PATH && request.method === "OPTIONS") return OPTIONS_RESPONSE("GET, HEAD");
  if (!isReadMethod(request.method)) return NOT_FOUND("path");
  if (path === FAVICON_PATH) return FAVICON;
  return acceptsHtml(request) && !isApiPath(path) ? notFoundPageResponse(ports, origin, path) : NOT_FOUND("path");
}

const isApiPath = (path: string): boolean => path === "/api" || path.startsWith("/api/");

/** Who takes anything, as most programs say, takes JSON. */
const acceptsHtml = ({ headers }: IncomingMessage): boolean => /\btext\/html\b/i.test(headers.accept ?? "");

const FAVICON: HttpResponse = {
  status: 200,
  headers: {
    "Content-Type": "image/svg+xml",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "public, max-age=86400",
  },
  bytes: Buffer.from(decodeURIComponent(ICON.slice(ICON.indexOf(",") + 1))),
};
