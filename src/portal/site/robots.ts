import type { HttpResponse } from "../../http/responses.ts";
import { LANGUAGES } from "../layout/languages.ts";
import type { PortalSite } from "../layout/portalPage.ts";

/**
 * What search engines leave alone: the API, whose content the pages show, and results of searches, which have endless addresses. A
 * sandbox is not listed at all: its tenders are inventions.
 */
export function robotsResponse({ origin, basePath, sandbox }: PortalSite): HttpResponse {
  const prefixes = ["", ...LANGUAGES.map((language) => `/${language}`)];
  const searches = prefixes.flatMap((prefix) => [`${prefix}/tenders?`, `${prefix}/calendar?`, `${prefix}/auctions?`]);
  const disallowed = sandbox ? ["/"] : ["/api/", ...searches];
  const lines = [
    "User-agent: *",
    ...disallowed.map((path) => `Disallow: ${basePath}${path}`),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ];
  return {
    status: 200,
    headers: { "Content-Type": "text/plain; charset=UTF-8", "Cache-Control": "public, max-age=3600" },
    bytes: Buffer.from(lines.join("\n")),
  };
}
