import type { Headers } from "./answers.ts";

const NAMES_MAX = 10;
const NAME_LENGTH_MAX = 50;

/**
 * Old clients send names of their own, which are no error; whoever misspelt one can see why nothing came of it. `ignored` are names
 * that are known, with values that were not used.
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
