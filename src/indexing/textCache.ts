/** Texts of tenders that are longer hardly occur twice. */
const CACHED_LENGTH_MAX = 200;
const CACHED_TEXTS_MAX = 4000;

/**
 * Returns the function with a cache of its results, for texts of tenders such as names and codes, of which few occur very often. The
 * texts must not be parts of longer ones, such as of a request, because the cache would keep these in memory.
 */
export function cacheByText<Value extends NonNullable<unknown>>(
  compute: (text: string) => Value,
): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (text.length > CACHED_LENGTH_MAX) return compute(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= CACHED_TEXTS_MAX) known.clear();
    const value = compute(text);
    known.set(text, value);
    return value;
  };
}
