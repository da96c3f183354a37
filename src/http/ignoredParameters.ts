import type { ResponseHeaders } from "./responses.ts";

const NAMES_MAX = 10;
const NAME_LENGTH_MAX = 50;

/**
 * The header X-Ignored-Parameters; undefined if nothing was ignored. Unknown parameters are not an error, because old clients send
 * parameters of their own; the header helps to find a misspelt one. `ignored` are known parameters whose values were not used.
 */
export function ignoredParametersHeader(
  query: URLSearchParams,
  known: ReadonlySet<string>,
  ignored: readonly string[],
): ResponseHeaders | undefined {
  const names = new Set([...ignored, ...[...query.keys()].filter((name) => name && !known.has(name))]);
  if (names.size === 0) return undefined;
  const listed = [...names].slice(0, NAMES_MAX).map((name) => name.slice(0, NAME_LENGTH_MAX).toWellFormed());
  return { "X-Ignored-Parameters": listed.map(encodeURIComponent).join(", ") };
}
