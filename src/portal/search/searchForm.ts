import { SEARCH_TEXT_LENGTH_MAX } from "../../indexing/readSearchParameters.ts";
import {
  defaultSearchSort,
  LIST_NAMES,
  type SearchList,
  type SearchParameterName,
  type SearchParameters,
} from "../../indexing/searchParameters.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { pagePathOf } from "../layout/portalPage.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import type { SearchView } from "./searchView.ts";

/** The form of a search. Conditions that are chosen by links elsewhere on the page stay, as hidden fields. */

/** The id of the field of each parameter that has one. */
export const FIELD_IDS: { readonly [name in SearchParameterName]?: string } = {
  q: "q",
  buyer: "buyer",
  supplier: "supplier",
  value_min: "value-min",
  value_max: "value-max",
  currency: "currency",
  published_from: "published-from",
  published_to: "published-to",
  deadline_from: "deadline-from",
  deadline_to: "deadline-to",
};

/** What the form depends on. `wrongParameters` are the names of those that are not valid. */
export type FormView = Pick<SearchView, "parameters" | "query" | "site" | "language"> & {
  readonly wrongParameters: ReadonlySet<string>;
  /** Fields of organisations that have a name instead of a key. */
  readonly namedParameters?: ReadonlySet<string>;
};

/** Renders the form: the words first, and the rest behind a summary that is open if any of it is used. */
export function renderSearchForm(view: FormView): Markup {
  const { site, language } = view;
  const { search } = messagesIn(language);
  const isOpen = MORE_FIELDS.some((name) => fieldValue(view, name) !== "");
  return html`<form class="search-box" role="search" action="${pagePathOf(site, "/tenders", language)}">
<label for="q">${search.words}</label>
<span class="hint" id="q-hint">${search.wordsHint}</span>
<div class="search-row"><input id="q" type="search" name="q" value="${fieldValue(view, "q")}" maxlength="${SEARCH_TEXT_LENGTH_MAX}" aria-describedby="q-hint"${invalidAttribute(view, "q")}><button class="primary" type="submit">${search.search}</button></div>
${hiddenFields(view)}<details class="more-conditions"${isOpen ? html` open` : EMPTY_MARKUP}>
<summary>${search.moreConditions}</summary>
<div class="condition-fields">
${rangeFields(view, search.value, ["value_min", search.from], ["value_max", search.to])}
${textField(view, "currency", search.currency, "UAH, EUR, USD")}
${rangeFields(view, search.published, ["published_from", search.since], ["published_to", search.until])}
${rangeFields(view, search.deadline, ["deadline_from", search.since], ["deadline_to", search.until])}
${textField(view, "buyer", search.buyer, search.organizationHint)}
${textField(view, "supplier", search.supplier, search.organizationHint)}
</div>
<button type="submit">${search.apply}</button>
</details>
</form>`;
}

const MORE_FIELDS = [
  "value_min",
  "value_max",
  "currency",
  "published_from",
  "published_to",
  "deadline_from",
  "deadline_to",
  "buyer",
  "supplier",
] as const satisfies readonly SearchParameterName[];
type FieldName = (typeof MORE_FIELDS)[number] | "q";

const VALID_VALUES: { readonly [name in FieldName]: (parameters: SearchParameters) => string | undefined } = {
  q: ({ q }) => q,
  value_min: ({ valueMin }) => valueMin,
  value_max: ({ valueMax }) => valueMax,
  currency: ({ currency }) => currency,
  published_from: ({ publishedFrom }) => publishedFrom,
  published_to: ({ publishedTo }) => publishedTo,
  deadline_from: ({ deadlineFrom }) => deadlineFrom,
  deadline_to: ({ deadlineTo }) => deadlineTo,
  // A field has room for one; more are hidden fields.
  buyer: ({ buyers }) => (buyers.length === 1 ? buyers[0] : undefined),
  supplier: ({ suppliers }) => (suppliers.length === 1 ? suppliers[0] : undefined),
};

/** The value of a field: what is valid in its canonical form, anything else as it was sent, so that it can be corrected. */
function fieldValue({ parameters, query, wrongParameters, namedParameters }: FormView, name: FieldName): string {
  if (!wrongParameters.has(name) && !namedParameters?.has(name)) return VALID_VALUES[name](parameters) ?? "";
  return (query.get(name) ?? "").slice(0, SEARCH_TEXT_LENGTH_MAX).toWellFormed().replaceAll("\0", "");
}

const invalidAttribute = ({ wrongParameters }: FormView, name: string): Markup =>
  wrongParameters.has(name) ? html` aria-invalid="true"` : EMPTY_MARKUP;

function hiddenFields({ parameters, wrongParameters, namedParameters }: FormView): Markup {
  const lists: readonly SearchList[] = ["statuses", "procedures", "classifications", "regions"];
  const organizations = (["buyers", "suppliers"] as const).filter(
    (list) =>
      parameters[list].length > 1 ||
      wrongParameters.has(LIST_NAMES[list]) ||
      namedParameters?.has(LIST_NAMES[list]) === true,
  );
  const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">\n`;
  const { mode, sort } = parameters;
  return html`${[...lists, ...organizations].flatMap((list) =>
    parameters[list].map((value) => hidden(LIST_NAMES[list], value)),
  )}${mode === "real" ? EMPTY_MARKUP : hidden("mode", mode)}${sort === defaultSearchSort(parameters) ? EMPTY_MARKUP : hidden("sort", sort)}`;
}

type LabelledField = readonly [name: Exclude<FieldName, "q">, label: string];

function rangeFields(view: FormView, legend: string, from: LabelledField, to: LabelledField): Markup {
  return html`<fieldset><legend>${legend}</legend>
<div class="range">${[from, to].map((field) => rangeField(view, field))}</div></fieldset>`;
}

function rangeField(view: FormView, [name, label]: LabelledField): Markup {
  const id = FIELD_IDS[name] ?? name;
  const value = fieldValue(view, name);
  const isAmount = name === "value_min" || name === "value_max";
  // A browser shows nothing in a field for a date that has anything else.
  const isDate = !isAmount && /^(?:\d{4}-\d\d-\d\d)?$/.test(value);
  const type = isAmount ? html`type="text" inputmode="decimal"` : isDate ? html`type="date"` : html`type="text"`;
  return html`<div><label for="${id}">${label}</label><input id="${id}" ${type} name="${name}" value="${value}"${invalidAttribute(view, name)}></div>`;
}

function textField(view: FormView, name: Exclude<FieldName, "q">, label: string, hint: string): Markup {
  const id = FIELD_IDS[name] ?? name;
  return html`<div class="field"><label for="${id}">${label}</label>
<span class="hint" id="${id}-hint">${hint}</span>
<input id="${id}" type="text" name="${name}" value="${fieldValue(view, name)}" aria-describedby="${id}-hint"${invalidAttribute(view, name)}></div>`;
}
