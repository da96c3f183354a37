import { hasOwnKey } from "../../base/typeGuards.ts";
import type { TenderStatus } from "../../domain/model/tender.ts";
import type { Instant } from "../../domain/values/time.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { formatMoment, formatNumber, machineTime } from "./formats.ts";
import type { Language } from "./languages.ts";
import { messagesIn } from "./messages/messages.ts";
import { nameOf } from "./nameOf.ts";

/** Parts that pages share. `portal.css` has a section for each. */

/** A text of a user: in a language that the page does not know, and with its own direction. */
export const userText = (text: string): Markup => html`<bdi lang="">${text}</bdi>`;

/** Codes and units are usually shorter than this, and then stay in one line. */
const CODE_LENGTH_MAX = 20;

/** A code or a unit as users write it: in one line if it is as short as such texts usually are. */
export const codeText = (text: string): Markup =>
  html`<bdi lang="" class="${text.length <= CODE_LENGTH_MAX ? "whole" : "broken"}">${text}</bdi>`;

/** A moment, readable for people and programs. */
export const timeElement = (
  at: Instant,
  style: Parameters<typeof formatMoment>[1],
  zoneName: string,
  language: Language,
): Markup => ({
  // Neither text has characters to escape.
  markup: `<time datetime="${machineTime(at)}">${formatMoment(at, style, zoneName, language)}</time>`,
});

/** How a status looks: open for suppliers, under way, decided, or ended without a result. */
type TagColour = "open" | "running" | "decided" | "ended" | "neutral";

const STATUS_COLOURS: { readonly [status in TenderStatus]: TagColour } = {
  draft: "neutral",
  "active.enquiries": "open",
  "active.tendering": "open",
  "active.auction": "running",
  "active.qualification": "running",
  "active.awarded": "decided",
  active: "running",
  complete: "decided",
  cancelled: "ended",
  unsuccessful: "ended",
};

/** The status of a tender as a coloured tag. */
export const statusTag = (status: string, language: Language): Markup =>
  tag(
    nameOf(messagesIn(language).names.tenderStatuses, status),
    hasOwnKey(STATUS_COLOURS, status) ? STATUS_COLOURS[status] : "neutral",
  );

/** A short word in a coloured box. The colour must not be all that says it. */
export const tag = (text: string, colour: TagColour): Markup => html`<strong class="tag ${colour}">${text}</strong>`;

/** One row of a summary list. */
export type SummaryRow = { readonly term: string; readonly details: Markup };

/** Names and values below each other: on wide screens in two columns. */
export const summaryList = (rows: readonly SummaryRow[]): Markup =>
  html`<dl class="summary">
${rows.map(({ term, details }) => html`<div><dt>${term}</dt><dd>${details}</dd></div>\n`)}</dl>`;

/** A column of a table. */
export type TableColumn = { readonly title: string; readonly isNumber?: true };

/**
 * A table whose rows become cards on phones. The first cell of each row names the row. Each row has as many cells as there are columns. A column
 * without a value in any row is left out.
 */
export function dataTable(
  caption: string,
  allColumns: readonly TableColumn[],
  allRows: readonly (readonly Markup[])[],
): Markup {
  const isShown = allColumns.map((_, i) => i === 0 || allRows.length === 0 || allRows.some((row) => row[i]?.markup));
  const columns = allColumns.filter((_, i) => isShown[i]);
  const rows = allRows.map((row) => row.filter((_, i) => isShown[i]));
  const classOf = (column: TableColumn | undefined) => (column?.isNumber ? html` class="number"` : EMPTY_MARKUP);
  const head = columns.map((column) => html`<th scope="col"${classOf(column)}>${column.title}</th>`);
  const body = rows.map((cells) => {
    const contents = cells.map((cell, i) =>
      i === 0
        ? html`<th scope="row">${cell}</th>`
        : html`<td${classOf(columns[i])} data-label="${columns[i]?.title ?? ""}">${columns[i]?.isNumber ? numberCell(cell) : cell}</td>`,
    );
    return html`<tr>${contents}</tr>\n`;
  });
  return html`<table class="stacks">
<caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody>
</table>`;
}

/** A number needs an element of its own, so that it can move below its label as a whole. An empty cell stays empty, and is not shown. */
const numberCell = (cell: Markup): Markup => (cell.markup === "" ? cell : html`<div>${cell}</div>`);

/** A paragraph that must not be overlooked. */
export const notice = (kind: "information" | "warning" | "success", content: Markup): Markup =>
  html`<div class="notice ${kind}">${content}</div>`;

/** What is wrong with a form or with the address of the page. */
export type PageProblem = {
  readonly message: string;
  /** The id of the field that is wrong, if the page has it. */
  readonly fieldId?: string;
};

/** The box above the content that says what is wrong, with links to the fields; nothing without problems. */
export function problemSummary(problems: readonly PageProblem[], language: Language): Markup {
  if (problems.length === 0) return EMPTY_MARKUP;
  const items = problems.map(({ message, fieldId }) =>
    fieldId === undefined ? html`<li>${message}</li>\n` : html`<li><a href="#${fieldId}">${message}</a></li>\n`,
  );
  return html`<div class="problems" role="alert" aria-labelledby="problems-title">
<h2 id="problems-title">${messagesIn(language).layout.problem}</h2>
<ul role="list">
${items}</ul>
</div>`;
}

/** A large search box for tenders. The header of a page with it has none: see `hasSearchBox`. */
export function searchForm(
  action: string,
  label: string,
  button: string,
  { hint, query = "" }: { readonly hint?: string; readonly query?: string } = {},
): Markup {
  const hintText = hint === undefined ? EMPTY_MARKUP : html`<p class="hint" id="q-hint">${hint}</p>\n`;
  const described = hint === undefined ? EMPTY_MARKUP : html` aria-describedby="q-hint"`;
  return html`<form class="search-box" role="search" action="${action}">
<label for="q">${label}</label>
${hintText}<div class="search-row"><input id="q" type="search" name="q" maxlength="500" value="${query}"${described}><button type="submit" class="primary">${button}</button></div>
</form>`;
}

/** Where the reader is among the pages of a list. Pages count from 1. */
export type PagePosition = {
  readonly page: number;
  readonly pageCount: number;
  /** The address of a page of the list. */
  readonly hrefOf: (page: number) => string;
};

/** How many pages around the current one are linked. */
const NEIGHBOURS = 1;

/** Links to the pages of a list; nothing if there is only one. */
export function pagination({ page, pageCount, hrefOf }: PagePosition, language: Language): Markup {
  if (pageCount <= 1) return EMPTY_MARKUP;
  const { layout } = messagesIn(language);
  const link = (target: number, rel: "prev" | "next", text: string) =>
    target < 1 || target > pageCount
      ? EMPTY_MARKUP
      : html`<a class="${rel}" rel="${rel}" href="${hrefOf(target)}">${text}</a>\n`;
  const shown = [...new Set([1, ...around(page), pageCount])]
    .filter((n) => n >= 1 && n <= pageCount)
    .sort((a, b) => a - b);
  const numbers = shown.map((n, i) => {
    const number = formatNumber(n, language);
    const gap = i > 0 && n - (shown[i - 1] ?? n) > 1 ? html`<li class="gap" aria-hidden="true">…</li>\n` : EMPTY_MARKUP;
    const current = n === page ? html` aria-current="page"` : EMPTY_MARKUP;
    return html`${gap}<li><a href="${hrefOf(n)}" aria-label="${layout.pageNumber(number)}"${current}>${number}</a></li>\n`;
  });
  return html`<nav class="pagination" aria-label="${layout.pages}">
${link(page - 1, "prev", layout.previousPage)}<ol role="list">
${numbers}</ol>
${link(page + 1, "next", layout.nextPage)}</nav>`;
}

const around = (page: number): readonly number[] =>
  Array.from({ length: 2 * NEIGHBOURS + 1 }, (_, i) => page - NEIGHBOURS + i);
