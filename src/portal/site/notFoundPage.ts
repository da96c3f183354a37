import type { IncomingMessage } from "node:http";
import type { Config } from "../../config/config.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { searchForm } from "../layout/components.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { pageResponse } from "../layout/pageRequest.ts";
import { PORTAL_SECTIONS, pagePathOf } from "../layout/portalPage.ts";
import { portalSiteOf } from "../layout/portalSite.ts";
import { shortText } from "../layout/shortText.ts";
import { html, insertMarkup, withBreakPoints } from "../markup.ts";

/** Whether a browser asks. Only an explicit text/html counts: most programs accept any type and expect JSON. */
export const acceptsHtml = ({ headers }: IncomingMessage): boolean => /\btext\/html\b/i.test(headers.accept ?? "");

/** The page for an address that does not exist. `path` is without the base path and without the prefix of a language. */
export function notFoundPage(
  { config }: { readonly config: Config },
  origin: string,
  path: string,
  language: Language,
): HttpResponse {
  const { layout, site: texts } = messagesIn(language);
  const { notFound } = texts;
  const site = portalSiteOf(config, origin);
  const links = PORTAL_SECTIONS.map(
    (section) => html`<li><a href="${pagePathOf(site, `/${section}`, language)}">${layout[section]}</a></li>\n`,
  );
  const content = html`<div class="prose">
<h1>${notFound.title}</h1>
<p>${insertMarkup(notFound.text, html`<code>${withBreakPoints(shortText(path, PATH_LENGTH_MAX))}</code>`)}</p>
<p>${notFound.hint}</p>
</div>
${searchForm(pagePathOf(site, "/tenders", language), notFound.search, layout.searchButton)}
<h2>${notFound.links}</h2>
<ul>
<li><a href="${pagePathOf(site, "/", language)}">${notFound.home}</a></li>
${links}</ul>`;
  const page = {
    path,
    title: notFound.title,
    description: notFound.hint,
    content,
    zoneName: config.zone.name,
    isUnlisted: true,
    hasSearchBox: true,
  } as const;
  const response = pageResponse(page, { site, language }, { status: 404 });
  // Programs get JSON for the same address.
  return { ...response, headers: { ...response.headers, Vary: "Accept" } };
}

const PATH_LENGTH_MAX = 300;
