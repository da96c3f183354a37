import { pagination } from "../layout/components.ts";
import { formatNumber } from "../layout/formats.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { ENTRIES_PER_PAGE, type ListSection, PRINTED_MAX, pageCountOf, SECTION_LIMITS } from "./pageQuery.ts";
import { isPrinted, pageHref, type TenderScreen, textsOf } from "./tenderScreen.ts";

/** Sections of the page, and lists that are cut so that the page of a huge tender stays light. */

/** The entries of a list that are shown, and what follows them: a link to the rest, or to the other pages. */
export type CutList<Entry> = { readonly shown: readonly Entry[]; readonly after: Markup };

/** Cuts a list as the page asks for it. */
export function cutList<Entry>(screen: TenderScreen, section: ListSection, entries: readonly Entry[]): CutList<Entry> {
  const { query } = screen;
  if (query.show === section) return pageOf(screen, section, entries);
  const limit = isPrinted(screen) ? PRINTED_MAX : SECTION_LIMITS[section];
  if (entries.length <= limit) return { shown: entries, after: EMPTY_MARKUP };
  const shown = entries.slice(0, limit);
  const texts = textsOf(screen);
  const number = (value: number) => formatNumber(value, screen.language);
  const after = isPrinted(screen)
    ? html`<p>${texts.printed.cut(number(entries.length - limit))}</p>`
    : html`<p class="more"><a href="${sectionHref(screen, section, 1)}">${texts.showAll(number(entries.length))}<span class="visually-hidden"> · ${texts.sections[section]}</span></a></p>`;
  return { shown, after };
}

/** The address of a page of a single section. */
export const sectionHref = (screen: TenderScreen, section: ListSection, page: number): string =>
  pageHref(screen, `show=${section}${page > 1 ? `&page=${page}` : ""}`);

function pageOf<Entry>(screen: TenderScreen, section: ListSection, entries: readonly Entry[]): CutList<Entry> {
  const { query, language } = screen;
  const start = (query.page - 1) * ENTRIES_PER_PAGE;
  const shown = entries.slice(start, start + ENTRIES_PER_PAGE);
  const number = (value: number) => formatNumber(value, language);
  const position = {
    page: query.page,
    pageCount: pageCountOf(entries.length),
    hrefOf: (page: number) => sectionHref(screen, section, page),
  };
  const range =
    shown.length === 0
      ? EMPTY_MARKUP
      : html`<p class="quiet">${textsOf(screen).shownOf(number(start + 1), number(start + shown.length), number(entries.length))}</p>\n`;
  return { shown, after: html`${range}${pagination(position, language)}` };
}

/** A section of the page with its heading. */
export const sectionOf = (
  screen: TenderScreen,
  id: keyof ReturnType<typeof textsOf>["sections"],
  content: Markup,
): Markup =>
  html`<section class="card" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${textsOf(screen).sections[id]}</h2>
${content}
</section>
`;

/** A table below the heading that says what it is: its caption is for screen readers. */
export const tableOf = (table: Markup): Markup => html`<div class="titled-above">${table}</div>\n`;

/** Parts of a cell or a line, each in a line of its own; absent ones are left out. Without any, it is empty. */
export function linesOf(...lines: readonly (Markup | undefined)[]): Markup {
  const present = lines.flatMap((line) => (line ? [html`<div>${line}</div>`] : []));
  return present.length === 0 ? EMPTY_MARKUP : html`<div>${present}</div>`;
}

/** A note below or beside something. */
export const noteOf = (text: string | Markup): Markup => html`<span class="note">${text}</span>`;
