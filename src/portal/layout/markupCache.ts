import type { Markup } from "../markup.ts";

/** Markup that is the same on many pages, by everything that it depends on. */
export type MarkupCache = {
  /** The markup with this key, rendered if it is not known. `parts` are joined, so none of them may contain a line break. */
  readonly get: (parts: readonly string[], render: () => Markup) => Markup;
};

/** More entries than any service has paths, languages and sections; whoever makes up base paths cannot fill the memory. */
const ENTRIES_MAX = 100;

/** Opens an empty cache. */
export function openMarkupCache(): MarkupCache {
  const entries = new Map<string, Markup>();
  return {
    get(parts, render) {
      const key = parts.join("\n");
      const known = entries.get(key);
      if (known) return known;
      const rendered = render();
      if (entries.size >= ENTRIES_MAX) entries.clear();
      entries.set(key, rendered);
      return rendered;
    },
  };
}
