import { TENDER_STATUSES } from "../domain/model/tender.ts";
import type { Decimal } from "../domain/values/decimal.ts";
import { parseRangeEnd } from "../domain/values/rangeEnds.ts";
import type { Instant, Zone } from "../domain/values/time.ts";
import type { SearchFilter, SearchRange, SearchSort } from "./searchQuery.ts";
import { searchTermsOf } from "./words.ts";

/**
 * The parameters of a search, as addresses of pages, the API and the command line have them. Lists are repeated parameters or, except
 * for organisations, texts with commas. An empty value counts as absent, because forms send all their fields.
 */

/** The names of the lists, with the parameter of each. */
export const LIST_NAMES = {
  statuses: "status",
  procedures: "procedure",
  classifications: "cpv",
  buyers: "buyer",
  suppliers: "supplier",
  regions: "region",
} as const;
export type SearchList = keyof typeof LIST_NAMES;

/** The ends of ranges of time, with the parameter of each. */
export const MOMENT_NAMES = {
  publishedFrom: "published_from",
  publishedTo: "published_to",
  deadlineFrom: "deadline_from",
  deadlineTo: "deadline_to",
} as const;
export type SearchMoment = keyof typeof MOMENT_NAMES;

/** The names of all parameters, in the order of canonical addresses. */
export const SEARCH_PARAMETER_NAMES = [
  "q",
  ...Object.values(LIST_NAMES),
  ...(["value_min", "value_max", "currency"] as const),
  ...Object.values(MOMENT_NAMES),
  ...(["mode", "sort", "page"] as const),
] as const;
export type SearchParameterName = (typeof SEARCH_PARAMETER_NAMES)[number];

/** The statuses that a search can ask for: drafts are not public. */
export const SEARCHED_STATUSES = TENDER_STATUSES.filter((status) => status !== "draft");

export const SEARCH_MODES = ["real", "test"] as const;

/** Parameters that are valid, in their canonical form. */
export type SearchParameters = { readonly [list in SearchList]: readonly string[] } & {
  /** Empty without words. */
  readonly q: string;
  readonly valueMin?: Decimal | undefined;
  readonly valueMax?: Decimal | undefined;
  readonly currency?: string | undefined;
  readonly mode: (typeof SEARCH_MODES)[number];
  readonly sort: SearchSort;
  /** From 1. */
  readonly page: number;
} & {
  /** A date or a date and time as it was given. */
  readonly [moment in SearchMoment]?: string | undefined;
};

/** Results are sorted by relevance if there are words, otherwise the newest come first. */
export const defaultSearchSort = ({ q }: Pick<SearchParameters, "q">): SearchSort =>
  q === "" ? "newest" : "relevance";

/** The range between two moments of a search; undefined without any. */
export function momentRange(
  from: string | undefined,
  to: string | undefined,
  zone: Zone,
): SearchRange<Instant> | undefined {
  if (from === undefined && to === undefined) return undefined;
  return {
    from: from === undefined ? undefined : parseRangeEnd(from, zone, "from"),
    to: to === undefined ? undefined : parseRangeEnd(to, zone, "to"),
  };
}

/** The filter that parameters stand for. */
export function searchFilterOf(parameters: SearchParameters, zone: Zone): SearchFilter {
  const { q, valueMin, valueMax, publishedFrom, publishedTo, deadlineFrom, deadlineTo, ...others } = parameters;
  const { statuses, procedures, classifications, buyers, suppliers, regions, currency, mode } = others;
  return {
    terms: searchTermsOf(q),
    ...{ statuses, procedures, classifications, buyers, suppliers, regions, currency, mode },
    value: valueMin === undefined && valueMax === undefined ? undefined : { from: valueMin, to: valueMax },
    published: momentRange(publishedFrom, publishedTo, zone),
    deadline: momentRange(deadlineFrom, deadlineTo, zone),
  };
}

/**
 * The parameters in their canonical order and form, without those that have their default. Two searches for the same thing have the
 * same address.
 */
export function formatSearchParameters(parameters: SearchParameters): URLSearchParams {
  const { q, valueMin, valueMax, currency, mode, sort, page } = parameters;
  const values: { readonly [name in SearchParameterName]: string | readonly string[] | undefined } = {
    q: q === "" ? undefined : q,
    status: parameters.statuses,
    procedure: parameters.procedures,
    cpv: parameters.classifications,
    buyer: parameters.buyers,
    supplier: parameters.suppliers,
    region: parameters.regions,
    value_min: valueMin,
    value_max: valueMax,
    currency,
    published_from: parameters.publishedFrom,
    published_to: parameters.publishedTo,
    deadline_from: parameters.deadlineFrom,
    deadline_to: parameters.deadlineTo,
    mode: mode === "real" ? undefined : mode,
    sort: sort === defaultSearchSort(parameters) ? undefined : sort,
    page: page === 1 ? undefined : String(page),
  };
  const query = new URLSearchParams();
  for (const name of SEARCH_PARAMETER_NAMES) for (const value of [values[name] ?? []].flat()) query.append(name, value);
  return query;
}

/** A search for everything. */
export const NO_SEARCH_PARAMETERS: SearchParameters = {
  q: "",
  statuses: [],
  procedures: [],
  classifications: [],
  buyers: [],
  suppliers: [],
  regions: [],
  mode: "real",
  sort: "newest",
  page: 1,
};
