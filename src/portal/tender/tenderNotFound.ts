import type { HttpResponse } from "../../http/responses.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PageRequest, pageResponse } from "../layout/pageRequest.ts";
import { pagePathOf } from "../layout/portalPage.ts";
import { shortLine } from "../layout/shortText.ts";
import { html } from "../markup.ts";

const SHOWN_LENGTH_MAX = 80;

/** The page that says that there is no such tender, with a search box. Drafts have it too: nobody can tell that they exist. */
export function tenderNotFoundResponse(pageRequest: PageRequest, requested: string, zoneName: string): HttpResponse {
  const { site, language } = pageRequest;
  const { tender, layout } = messagesIn(language);
  const { notFound: texts } = tender;
  const shown = shortLine(requested, SHOWN_LENGTH_MAX);
  const action = pagePathOf(site, "/tenders", language);
  const content = html`<h1>${texts.title}</h1>
<p class="user-text">${texts.lead(shown)}</p>
<p>${texts.hint}</p>
<form class="search-box" role="search" action="${action}">
<label for="tender-search">${texts.label}</label>
<div class="search-row"><input id="tender-search" type="search" name="q" maxlength="500" value="${shown}">
<button type="submit" class="primary">${texts.button}</button></div>
</form>
<p><a href="${action}">${texts.all}</a></p>`;
  const page = {
    path: pageRequest.path,
    title: texts.title,
    description: texts.lead(shown),
    content,
    zoneName,
    section: "tenders",
    breadcrumbs: [{ title: layout.tenders, path: "/tenders" }],
    isUnlisted: true,
    hasSearchBox: true,
  } as const;
  return pageResponse(page, pageRequest, { status: 404 });
}
