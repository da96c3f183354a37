import type { Headers } from "./answers.ts";

const NAMES_MAX = 10;
const NAME_LENGTH_MAX = 50;

/**
 * Unknown parameters are not an error, because old clients send their own. The header lets whoever misspelt one see that it was
 * ignored. `ignored` are known parameters whose values were not used.
 */
export function ignoredParametersHeader(
  query: URLSearchParams,
  understood: ReadonlySet<string>,
  ignored: readonly string[],
): Headers | undefined {
  const names = new Set([...ignored, ...[...query.keys()].filter((name) => name && !understood.has(name))]);
  if (names.size === 0) return undefined;
  const shown = [...names].slice(0, NAMES_MAX).map((name) => name.slice(0, NAME_LENGTH_MAX).toWellFormed());
  return { "X-Ignored-Parameters": shown.map(encodeURIComponent).join(", ") };
}
