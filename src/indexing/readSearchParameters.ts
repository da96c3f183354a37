import { PROCEDURE_NAMES } from "../domain/procedures/names.ts";
import { compareDecimals, type Decimal, parseDecimal } from "../domain/values/decimal.ts";
import { parseRangeEnd } from "../domain/values/rangeEnds.ts";
import type { Zone } from "../domain/values/time.ts";
import { cpvCategory } from "./cpvCategory.ts";
import { indexKey } from "./organizationKeys.ts";
import { isRegion } from "./regions.ts";
import {
  defaultSearchSort,
  LIST_NAMES,
  MOMENT_NAMES,
  momentRange,
  SEARCH_MODES,
  SEARCH_PARAMETER_NAMES,
  SEARCHED_STATUSES,
  type SearchList,
  type SearchMoment,
  type SearchParameterName,
  type SearchParameters,
} from "./searchParameters.ts";
import { SEARCH_MATCHES_MAX, SEARCH_SORTS } from "./searchQuery.ts";
import { unknownParameters } from "./unknownParameters.ts";
import { SEARCH_TERMS_MAX, searchTermsOf } from "./words.ts";

/** Reading the parameters of a search, with everything that is wrong with them. */

/** Why a value of a parameter is not valid. */
export type SearchProblemKind =
  | "unknown parameter"
  | "given twice"
  | "too long"
  | "no words"
  | "too many words"
  | "too many values"
  | "status"
  | "procedure"
  | "cpv"
  | "organization"
  | "region"
  | "amount"
  | "currency"
  | "moment"
  | "empty range"
  | "mode"
  | "sort"
  | "page";

/** A parameter that is not valid; its value is left out of the parameters. */
export type SearchProblem = {
  readonly parameter: string;
  readonly kind: SearchProblemKind;
  /** Cut to a length that a message can repeat. */
  readonly value: string;
};

export type SearchParametersResult = {
  readonly parameters: SearchParameters;
  readonly problems: readonly SearchProblem[];
};

/** The longest text of words. */
export const SEARCH_TEXT_LENGTH_MAX = 500;
/** More than there are regions or statuses. */
export const LISTED_VALUES_MAX = 30;
const MESSAGE_VALUE_LENGTH_MAX = 60;
/** More than anyone reads. */
const PROBLEMS_MAX = 20;

/** A text for a message: not too long, and without control characters. */
const shortened = (text: string): string =>
  text
    .slice(0, MESSAGE_VALUE_LENGTH_MAX)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "\ufffd");

/** What the reading of parameters depends on. */
export type SearchParametersContext = {
  readonly zone: Zone;
  /** How many results a page has. */
  readonly pageSize: number;
};

/** How many pages there are at most, since no search leads beyond `SEARCH_MATCHES_MAX` results. */
export const searchPagesMax = (pageSize: number): number => Math.max(1, Math.floor(SEARCH_MATCHES_MAX / pageSize));

/** Reads the parameters of a search and everything that is wrong with them. */
export function readSearchParameters(query: URLSearchParams, context: SearchParametersContext): SearchParametersResult {
  const problems: SearchProblem[] = [];
  const report = (parameter: string, kind: SearchProblemKind, value: string): undefined => {
    if (problems.length < PROBLEMS_MAX)
      problems.push({ parameter: shortened(parameter), kind, value: shortened(value) });
  };
  const reader: ParameterReader = { query, context, report };
  const moments = readMoments(reader);
  const { valueMin, valueMax } = readValues(reader);
  const q = readWords(reader);
  const parameters: SearchParameters = {
    q,
    ...readLists(reader),
    valueMin,
    valueMax,
    currency: readOne(reader, "currency", "currency", (text) =>
      /^[a-z]{3}$/i.test(text) ? text.toUpperCase() : undefined,
    ),
    ...moments,
    mode: readOne(reader, "mode", "mode", (text) => SEARCH_MODES.find((mode) => mode === text)) ?? "real",
    sort:
      readOne(reader, "sort", "sort", (text) => SEARCH_SORTS.find((sort) => sort === text)) ?? defaultSearchSort({ q }),
    page: readOne(reader, "page", "page", (text) => pageNumber(text, context.pageSize)) ?? 1,
  };
  for (const name of unknownParameters(query, SEARCH_PARAMETER_NAMES)) report(name, "unknown parameter", name);
  return { parameters, problems };
}

type ParameterReader = {
  readonly query: URLSearchParams;
  readonly context: SearchParametersContext;
  readonly report: (parameter: string, kind: SearchProblemKind, value: string) => undefined;
};

/** The one value of a parameter; undefined if it is absent, empty or not valid. */
function readOne<Value>(
  { query, report }: ParameterReader,
  name: SearchParameterName,
  kind: SearchProblemKind,
  parse: (text: string) => Value | undefined,
): Value | undefined {
  const values = new Set(query.getAll(name).map((value) => value.trim()));
  values.delete("");
  const [text, second] = values;
  if (text === undefined) return undefined;
  if (second !== undefined) return report(name, "given twice", second);
  return parse(text) ?? report(name, kind, text);
}

function readWords(reader: ParameterReader): string {
  const { report } = reader;
  const text = readOne(reader, "q", "no words", (words) => words.toWellFormed().replaceAll(/\s+/g, " ")) ?? "";
  if (text === "") return "";
  const terms = text.length > SEARCH_TEXT_LENGTH_MAX ? [] : searchTermsOf(text);
  if (text.length > SEARCH_TEXT_LENGTH_MAX) report("q", "too long", text);
  else if (terms.length === 0) report("q", "no words", text);
  else if (terms.length >= SEARCH_TERMS_MAX && wordCountOf(text) > SEARCH_TERMS_MAX)
    report("q", "too many words", text);
  else return text;
  return "";
}

const wordCountOf = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

/** The values of each list that a text stands for; none if it is not valid. */
const LIST_VALUES: {
  readonly [list in SearchList]: (text: string) => readonly string[];
} = {
  statuses: (text) => SEARCHED_STATUSES.filter((status) => status === text),
  procedures: (text) => PROCEDURE_NAMES.filter((procedure) => procedure === text),
  classifications: (text) => [cpvCategory(text) ?? []].flat(),
  buyers: organizationKeyOf,
  suppliers: organizationKeyOf,
  regions: (text) => (isRegion(text) ? [text] : []),
};

const LIST_PROBLEMS: { readonly [list in SearchList]: SearchProblemKind } = {
  statuses: "status",
  procedures: "procedure",
  classifications: "cpv",
  buyers: "organization",
  suppliers: "organization",
  regions: "region",
};

/** The scheme of Ukrainian organisations, whose codes people know without it. */
const NATIONAL_SCHEME = "UA-EDR";

/** The key that a text stands for: itself, or with the national scheme if it is a code alone; none if it cannot be a key. */
export function organizationKeyOf(text: string): readonly string[] {
  const key = indexKey(text);
  if (/^\d{8}$|^\d{10}$/.test(key)) return [`${NATIONAL_SCHEME}-${key}`];
  return /.-./s.test(key) ? [key] : [];
}

function readLists(reader: ParameterReader): { readonly [list in SearchList]: readonly string[] } {
  return {
    statuses: readList(reader, "statuses"),
    procedures: readList(reader, "procedures"),
    classifications: readList(reader, "classifications"),
    buyers: readList(reader, "buyers"),
    suppliers: readList(reader, "suppliers"),
    regions: readList(reader, "regions"),
  };
}

function readList({ query, report }: ParameterReader, list: SearchList): readonly string[] {
  const name = LIST_NAMES[list];
  const given = query.getAll(name);
  // The id of an organisation may contain a comma.
  const areOrganizations = list === "buyers" || list === "suppliers";
  const texts = areOrganizations ? given : given.flatMap((value) => value.split(",", LISTED_VALUES_MAX + 1));
  const values = new Set<string>();
  for (const text of texts.map((value) => value.trim()).filter((value) => value !== "")) {
    const found = LIST_VALUES[list](text);
    if (found.length === 0) report(name, LIST_PROBLEMS[list], text);
    for (const value of found) values.add(value);
    if (values.size > LISTED_VALUES_MAX) {
      report(name, "too many values", text);
      return [];
    }
  }
  return [...values].sort();
}

/** People write spaces between thousands, and a comma before the decimals. */
function readAmount(reader: ParameterReader, name: "value_min" | "value_max"): Decimal | undefined {
  return readOne(reader, name, "amount", (text) => {
    const plain = text.replaceAll(/[\s\u00a0\u202f]/g, "").replace(/^([^.,]*),([^.,]*)$/, "$1.$2");
    const amount = /^\d/.test(plain) ? parseDecimal(plain) : undefined;
    return amount?.startsWith("-") ? undefined : amount;
  });
}

/** The ends of the range of values. The upper one is left out if it is below the lower one. */
function readValues(reader: ParameterReader): Pick<SearchParameters, "valueMin" | "valueMax"> {
  const valueMin = readAmount(reader, "value_min");
  const valueMax = readAmount(reader, "value_max");
  if (valueMin === undefined || valueMax === undefined || compareDecimals(valueMin, valueMax) <= 0)
    return { valueMin, valueMax };
  reader.report("value_max", "empty range", valueMax);
  return { valueMin, valueMax: undefined };
}

function readMoments(reader: ParameterReader): { readonly [moment in SearchMoment]?: string | undefined } {
  const { report, context } = reader;
  const readEnd = (moment: SearchMoment, end: "from" | "to") =>
    readOne(reader, MOMENT_NAMES[moment], "moment", (text) =>
      parseRangeEnd(text, context.zone, end) === undefined ? undefined : text,
    );
  const isEmpty = (from: string | undefined, to: string | undefined): boolean => {
    const range = momentRange(from, to, context.zone);
    return range?.from !== undefined && range.to !== undefined && range.from > range.to;
  };
  /** The later end, unless it is before the earlier one. */
  const readLaterEnd = (moment: "publishedTo" | "deadlineTo", from: string | undefined): string | undefined => {
    const to = readEnd(moment, "to");
    if (!isEmpty(from, to)) return to;
    return report(MOMENT_NAMES[moment], "empty range", to ?? "");
  };
  const [publishedFrom, deadlineFrom] = [readEnd("publishedFrom", "from"), readEnd("deadlineFrom", "from")];
  return {
    ...{ publishedFrom, publishedTo: readLaterEnd("publishedTo", publishedFrom) },
    ...{ deadlineFrom, deadlineTo: readLaterEnd("deadlineTo", deadlineFrom) },
  };
}

function pageNumber(text: string, pageSize: number): number | undefined {
  const page = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return page >= 1 && page <= searchPagesMax(pageSize) ? page : undefined;
}
