import type { IncomingMessage } from "node:http";
import type { Config } from "../config/config.ts";
import { NOT_FOUND } from "../http/errorResponses.ts";
import { type HttpResponse, OPTIONS_RESPONSE } from "../http/responses.ts";
import { isReadMethod } from "../http/securityHeaders.ts";
import { languagePrefixOf } from "../portal/layout/languages.ts";
import { ICON } from "../portal/markup.ts";
import { acceptsHtml, notFoundPage } from "../portal/site/notFoundPage.ts";

/** Browsers request it for responses that are not HTML pages with an icon, such as JSON. */
const FAVICON_PATH = "/favicon.ico";

/** The response for a path that does not exist: a page for browsers outside the API, JSON for everything else. */
export function respondNotFound(
  ports: { readonly config: Config },
  request: IncomingMessage,
  origin: string,
  path: string,
): HttpResponse {
  if (path === FAVICON_PATH && request.method === "OPTIONS") return OPTIONS_RESPONSE("GET, HEAD");
  if (!isReadMethod(request.method)) return NOT_FOUND("path");
  if (path === FAVICON_PATH) return FAVICON;
  if (!acceptsHtml(request) || isApiPath(path)) return NOT_FOUND("path");
  const { language, path: pagePath } = languagePrefixOf(path) ?? { language: ports.config.language, path };
  return notFoundPage(ports, origin, pagePath, language);
}

const isApiPath = (path: string): boolean => path === "/api" || path.startsWith("/api/");

const FAVICON: HttpResponse = {
  status: 200,
  headers: {
    "Content-Type": "image/svg+xml",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "public, max-age=86400",
  },
  bytes: Buffer.from(decodeURIComponent(ICON.slice(ICON.indexOf(",") + 1))),
};
