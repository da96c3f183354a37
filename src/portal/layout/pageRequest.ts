import type { IncomingMessage } from "node:http";
import type { HttpResponse } from "../../http/responses.ts";
import type { Language } from "./languages.ts";
import { PORTAL_PAGE_HEADERS, type PortalPage, type PortalSite, renderPortalPage } from "./pageLayout.ts";

/** A request for a page of the portal. */
export type PageRequest = {
  readonly request: IncomingMessage;
  /** The path without base path and without the prefix of a language. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly origin: string;
  readonly language: Language;
  readonly site: PortalSite;
};

/** How a page is sent. */
export type PageResponseOptions = {
  /** 200 unless the page says that something is wrong. */
  readonly status?: number;
  /** Whether the same request would still get this page. Only pages with this check are cached by the server. */
  readonly isFresh?: () => boolean | Promise<boolean>;
};

/** The response with a page in the language of the request. */
export function pageResponse(
  page: PortalPage,
  { site, language }: Pick<PageRequest, "site" | "language">,
  { status = 200, isFresh }: PageResponseOptions = {},
): HttpResponse {
  return {
    status,
    headers: { ...PORTAL_PAGE_HEADERS, "Content-Language": language },
    bytes: Buffer.from(renderPortalPage(page, site, language).markup),
    ...(isFresh && { isFresh }),
  };
}
