import type { Instant } from "../domain/values/time.ts";
import { parseOffset } from "../feed/feedEntries.ts";
import { FILTER_NAMES, parseFilter } from "../feed/filters.ts";
import { pageLimitOf } from "../feed/pageLimit.ts";
import { BAD_OFFSET, BAD_PARAMS } from "../http/errorResponses.ts";
import type { Exchange } from "../http/exchange.ts";
import { ignoredParametersHeader } from "../http/ignoredParameters.ts";
import type { HttpResponse, ResponseHeaders } from "../http/responses.ts";
import { utcText } from "../ocds/content/fieldValues.ts";
import type { Filter } from "../store/store.ts";
import type { OpenDataPorts } from "./openData.ts";
import type { PageLinks } from "./publication.ts";

/** The parameters of a page of releases or records. */
export type PageParameters = {
  readonly filter: Filter | undefined;
  readonly descending: boolean;
  readonly beyond: Instant | undefined;
  readonly limit: number;
  /** The parameters that links to other pages repeat. */
  readonly echoed: readonly (readonly [string, string])[];
  /** Says which parameters were ignored. */
  readonly headers: ResponseHeaders | undefined;
};

/** The default of `limit`, and its maximum. */
export type LimitRange = { readonly fallback: number; readonly max: number };

const KNOWN_PARAMS = ["offset", "limit", "descending", "opt_pretty", "opt_jsonp", ...FILTER_NAMES];

/** The problem of a request for test tenders. */
export const BAD_MODE = { name: "mode", description: "Open data is only about real tenders." };

/** Parses the parameters of a page, or returns the response that says what is wrong with them. `others` are those of the handler. */
export function parsePageParameters(
  { query, dialect, ports }: Exchange<OpenDataPorts>,
  { fallback, max }: LimitRange,
  others: readonly string[] = [],
): PageParameters | HttpResponse {
  const { zone } = ports.config;
  const offset = query.get("offset");
  const beyond = offset ? parseOffset(offset, zone) : undefined;
  if (offset && beyond === undefined) return BAD_OFFSET;
  const limit = pageLimitOf(query, fallback, max);
  const parsed = parseFilter(query, dialect, zone);
  const problems = [...("problems" in parsed ? parsed.problems : []), ...(limit.problem ? [limit.problem] : [])];
  if (query.get("mode")) problems.push(BAD_MODE);
  if ("problems" in parsed || problems.length > 0) return BAD_PARAMS(problems);
  const repeated = ["limit", ...others].flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value] as const] : [];
  });
  return {
    filter: parsed.filter,
    descending: Boolean(query.get("descending")),
    beyond,
    limit: limit.value,
    echoed: [...repeated, ...parsed.echoed],
    headers: ignoredParametersHeader(query, new Set([...KNOWN_PARAMS, ...others, "mode"]), []),
  };
}

/** Where a page begins and which direction it goes. */
type PagePlace = { readonly beyond: Instant | undefined; readonly descending: boolean };

/** The address of a page, with the parameters that it has in common with the requested one. */
export function pageAddress(
  base: string,
  { echoed }: Pick<PageParameters, "echoed">,
  { beyond, descending }: PagePlace,
): string {
  const query = [
    ...(beyond === undefined ? [] : [["offset", utcText(beyond)] as const]),
    ...echoed,
    ...(descending ? [["descending", "1"] as const] : []),
  ];
  const text = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  return text === "" ? base : `${base}?${text}`;
}

/** The instants of the elements of a page, in its order, and whether there are more after it. */
export type PageExtent = { readonly first: Instant; readonly last: Instant; readonly hasMore: boolean };

/** The links of a page. There is no next one until there is something on it: until then, a reader asks for the same page again. */
export function linksOf(base: string, page: PageParameters, { first, last, hasMore }: PageExtent): PageLinks {
  const { beyond, descending } = page;
  const hasPrevious = beyond !== undefined || descending;
  return {
    ...(hasMore && { next: pageAddress(base, page, { beyond: last, descending }) }),
    ...(hasPrevious && { prev: pageAddress(base, page, { beyond: first, descending: !descending }) }),
  };
}
