import type { IncomingMessage } from "node:http";
import { type HttpResponse, toCachedBody } from "../../http/responses.ts";
import { html } from "../markup.ts";
import { type PageProblem, problemSummary } from "./components.ts";
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
  /** Parameters that the address does not have. `pageResponse` shows them. */
  readonly problems?: readonly PageProblem[];
};

/** How a page is sent. */
export type PageResponseOptions = {
  /** 200 unless the page says that something is wrong. */
  readonly status?: number;
  /**
   * Whether the same request would still get this page, whoever sends it: `registry.freshnessCheckOf(tender, until)` for a page that
   * shows one tender, `() => registry.isFreshAt(version, until)` with the version of `catchUp()` for one that depends on all of them.
   * Only pages with this check are cached by the server. The cache ignores cookies.
   */
  readonly isFresh?: () => boolean | Promise<boolean>;
};

/** The response with a page in the language of the request. */
export function pageResponse(
  page: PortalPage,
  { site, language, problems = [] }: Pick<PageRequest, "site" | "language" | "problems">,
  options: PageResponseOptions = {},
): HttpResponse {
  const { isFresh } = options;
  const status = options.status ?? (problems.length > 0 ? 400 : 200);
  return {
    status,
    headers: {
      ...PORTAL_PAGE_HEADERS,
      "Content-Language": language,
      // Shared caches may store the page, but ask whether it is still the same before they send it.
      "Cache-Control": status === 200 ? "public, no-cache" : "no-cache",
    },
    text: toCachedBody(renderPortalPage(withProblems(page, problems, language), site, language).markup),
    ...(status === 200 && isFresh && { isFresh }),
  };
}

/** The page with a box above its content that says what is wrong with the address. */
export const withProblems = (page: PortalPage, problems: readonly PageProblem[], language: Language): PortalPage =>
  problems.length === 0
    ? page
    : { ...page, content: html`${problemSummary(problems, language)}\n${page.content}`, isUnlisted: true };
