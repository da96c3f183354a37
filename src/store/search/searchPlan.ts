import type { Instant } from "../../domain/values/time.ts";
import {
  AMOUNTS,
  amountRangeTokens,
  DEADLINES,
  deadlineBucket,
  deadlineRangeTokens,
  type RangeProperty,
} from "../../indexing/rangeTokens.ts";
import type { SearchFilter, SearchRange, SearchSort, SearchTerm } from "../../indexing/searchQuery.ts";
import { filterTokens, TEST_TOKEN, TITLE_MARK } from "../../indexing/searchTokens.ts";
import { tokensOfTerm } from "../../indexing/words.ts";
import { indexable, type SqlCondition, sortableDecimal } from "../facets.ts";

/** How a search is answered by tokens and columns, for all engines. */

/** A tender has one of these tokens, or one that begins with `prefix`. */
export type TokenAlternatives = { readonly exact: readonly string[]; readonly prefix?: string };

/** The conditions of a search, all of which must hold. */
export type SearchPlan = {
  readonly listing: "real" | "test";
  readonly tokens: readonly TokenAlternatives[];
  /** Tokens of tenders that do not match. */
  readonly withoutToken: string | undefined;
  /** Conditions on columns of the table `search`. */
  readonly columns: readonly SqlCondition[];
  readonly published: SearchRange<Instant>;
};

/** The conditions of a filter. */
export function searchPlanOf(filter: SearchFilter): SearchPlan {
  const { terms, mode, published = {}, value, deadline } = filter;
  const isTest = mode === "test";
  const tokens: readonly TokenAlternatives[] = [
    ...terms.map(tokensOfTerm),
    ...filterTokens(filter).map((exact) => ({ exact })),
    ...(isRange(value) ? [{ exact: amountRangeTokens(value) }] : []),
    ...(isRange(deadline) ? [{ exact: deadlineRangeTokens(deadline) }] : []),
    ...(isTest ? [{ exact: [TEST_TOKEN] }] : []),
  ];
  return {
    listing: mode,
    tokens,
    withoutToken: isTest || tokens.length === 0 ? undefined : TEST_TOKEN,
    columns: columnConditions(filter),
    published,
  };
}

const isRange = <Value>(range: SearchRange<Value> | undefined): range is SearchRange<Value> =>
  range?.from !== undefined || range?.to !== undefined;

/**
 * The term without its prefix, if it is frequent: a word that is in more tenders than are counted is not extended to all words that
 * begin with it. That keeps searches for frequent words fast, and their results are those that would be ranked first.
 */
export const termWithoutPrefix = (term: SearchTerm): SearchTerm => ({ ...term, isPrefix: false });

/** The conditions under which a term is found without its prefix, among tests or among real tenders. */
export const planOfTerm = (term: SearchTerm, mode: SearchFilter["mode"]): SearchPlan =>
  searchPlanOf({ terms: [termWithoutPrefix(term)], mode });

function columnConditions({ value, currency, deadline }: SearchFilter): readonly SqlCondition[] {
  const conditions: SqlCondition[] = [];
  const add = (sql: string, bound: string | number | undefined) => {
    if (bound !== undefined) conditions.push({ sql, values: [bound] });
  };
  add("search.amount >= ?", value?.from && sortableDecimal(value.from));
  add("search.amount <= ?", value?.to && sortableDecimal(value.to));
  add("search.currency = ?", currency && indexable(currency));
  add("search.deadline >= ?", deadline?.from);
  add("search.deadline <= ?", deadline?.to);
  return conditions;
}

/** The range of rows that were published in a range of time: rows are numbered in the order of publication. */
export function publishedConditions({ published: { from, to } }: SearchPlan, column: string): readonly SqlCondition[] {
  const rowFrom = "(select sequence from ledger where at >= ? order by at limit 1)";
  return [
    ...(from === undefined ? [] : [{ sql: `${column} >= ${rowFrom}`, values: [from] }]),
    ...(to === undefined
      ? []
      : [{ sql: `${column} < coalesce(${rowFrom}, ${Number.MAX_SAFE_INTEGER})`, values: [to + 1] }]),
  ];
}

/** A part of the results that is sorted by a column; all of it comes before the next part. */
export type SortedPart = {
  readonly condition: string;
  readonly values: readonly number[];
  readonly order: string;
  /** The buckets that the part is in, and whether it begins with the last one; absent if the column has no value. */
  readonly buckets?: {
    readonly property: RangeProperty;
    readonly from: number;
    readonly to: number;
    readonly descending: boolean;
  };
};

/** The parts of a sorted result. Only the first one is needed for most pages. */
export function sortedParts(sort: SearchSort, now: Instant): readonly SortedPart[] {
  const newest = "search.public_row desc";
  if (sort === "value")
    return [
      {
        ...{ condition: "search.amount is not null", values: [], order: "search.amount desc, search.public_row desc" },
        buckets: { property: "amount", from: 0, to: AMOUNTS.count - 1, descending: true },
      },
      { condition: "search.amount is null", values: [], order: newest },
    ];
  if (sort === "deadline")
    return [
      {
        ...{ condition: "search.deadline >= ?", values: [now], order: "search.deadline, search.public_row" },
        buckets: { property: "deadline", from: deadlineBucket(now), to: DEADLINES.count - 1, descending: false },
      },
      {
        ...{ condition: "search.deadline < ?", values: [now], order: "search.deadline desc, search.public_row desc" },
        buckets: { property: "deadline", from: 0, to: deadlineBucket(now), descending: true },
      },
      { condition: "search.deadline is null", values: [], order: newest },
    ];
  return [{ condition: "", values: [], order: newest }];
}

/**
 * What makes a match of a term more relevant: the word itself counts one more than another form of it, and a word of the title, in any
 * form, two more. The score of a tender is the sum over all terms; of tenders with the same score, the newest comes first.
 */
export const SCORES = { exact: 1, title: 2 } as const;
/** Relevance depends on the first words of a query only, so that long queries cost little more than short ones. */
export const SCORED_TERMS_MAX = 6;

/** The tokens for the scores of a term, which is asked for by these tokens: those of the word itself, and those of the title. */
export function scoredTokensOf(
  term: SearchTerm,
  { exact, prefix }: TokenAlternatives,
): { readonly [score in keyof typeof SCORES]: TokenAlternatives } {
  return {
    exact: { exact: [term.word] },
    title: {
      exact: exact.map((token) => TITLE_MARK + token),
      ...(prefix !== undefined && { prefix: TITLE_MARK + prefix }),
    },
  };
}
