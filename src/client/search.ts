import type { Calls, OperationResponse } from "./calls.ts";
import { toQuery } from "./feedParams.ts";
import type { RequestOptions } from "./requests.ts";
import type { Operations, SearchPage, Tender, Timestamp } from "./types.ts";

type SearchRange = "published" | "deadline";

/**
 * What to search for. A tender must match all of it; of a list, any value.
 *
 * @example
 * client.search({ q: "харчування", status: ["active.tendering"], cpv: "55", value_min: 100_000, sort: "deadline" });
 */
export type SearchParams = RequestOptions & {
  /** Words of titles, descriptions, items, buyers and suppliers, in any form, or numbers. */
  readonly q?: string | undefined;
  /** The status of the tender. */
  readonly status?: Tender["status"] | readonly Tender["status"][] | undefined;
  /** The procedure, for example `belowThreshold`. */
  readonly procedure?: string | readonly string[] | undefined;
  /** A CPV code, or its first digits: at least two. */
  readonly cpv?: string | readonly string[] | undefined;
  /** The buyer, for example `UA-EDR-00037256`. */
  readonly buyer?: string | undefined;
  /** A supplier of an opened bid, award or contract, for example `UA-EDR-00137256`. */
  readonly supplier?: string | undefined;
  /** The region of delivery, for example `lviv`. */
  readonly region?: string | readonly string[] | undefined;
  /** The lowest `value.amount`, inclusive. Pass a string for more digits than a number holds. */
  readonly value_min?: number | string | undefined;
  /** The highest `value.amount`, inclusive. */
  readonly value_max?: number | string | undefined;
  /** The `value.currency`, for example `UAH`. */
  readonly currency?: string | undefined;
  /** `"test"` for test tenders. Default: real tenders. */
  readonly mode?: "real" | "test" | undefined;
  /** Default: by relevance if there are words, otherwise the newest first. */
  readonly sort?: "relevance" | "newest" | "deadline" | "value" | undefined;
  /** The number of the page, from 1. */
  readonly page?: number | undefined;
  /** The number of results on a page: 1 to 100. Default: 20. */
  readonly limit?: number | undefined;
  /** Fields of the tender to include in each result, instead of the main ones. */
  readonly opt_fields?: string | readonly string[] | undefined;
} & {
  /** The first (`_from`) or last (`_to`) time or day of the publication or of the deadline for bids, inclusive. */
  readonly [name in `${SearchRange}_${"from" | "to"}`]?: Timestamp | Date | undefined;
};

/** A tender that a search has found. */
export type SearchEntry = SearchPage["data"][number];

/** The search for tenders. */
export type Search = {
  /**
   * Returns a page of the tenders that match, with their number and the counts of facets.
   *
   * @example
   * const { data, total, facets } = await client.search({ q: "school meals" });
   */
  readonly search: (params?: SearchParams) => Promise<OperationResponse<Operations, "GET /search">>;
  /** Iterates over all tenders that match, page by page, up to 10,000. A tender that moves between pages comes once. */
  readonly searchAll: (params?: SearchParams) => AsyncGenerator<SearchEntry, void, undefined>;
};

/** Opens the search with the calls of a client. */
export function openSearch({ read }: Calls): Search {
  const search: Search["search"] = (params = {}) => read("GET /search", {}, params, toQuery(params));
  return { search, searchAll: (params) => searchAll(search, params) };
}

async function* searchAll(
  search: Search["search"],
  params: SearchParams = {},
): AsyncGenerator<SearchEntry, void, undefined> {
  const seen = new Set<string>();
  for (let page: number | undefined = params.page ?? 1; page !== undefined; ) {
    const { data, next_page }: SearchPage = await search({ limit: 100, ...params, page });
    for (const entry of data) {
      if (!seen.has(entry.id)) yield entry;
      seen.add(entry.id);
    }
    page = next_page?.page;
  }
}
