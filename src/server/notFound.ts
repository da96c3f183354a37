import type { IncomingMessage } from "node:http";
import { NOT_FOUND } from "../http/errorResponses.ts";
import { type HttpResponse, OPTIONS_RESPONSE } from "../http/responses.ts";
import { isReadMethod } from "../http/securityHeaders.ts";
import { type DocsPorts, notFoundPageResponse } from "../portal/docs/docsHandler.ts";
import { ICON } from "../portal/markup.ts";

/** Browsers request it for responses that are not HTML pages with an icon, such as JSON. */
const FAVICON_PATH = "/favicon.ico";

/** The response for a path that does not exist: a page for browsers outside the API, JSON for everything else. */
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

/** Only an explicit text/html counts: most programs accept any type and expect JSON. */
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
