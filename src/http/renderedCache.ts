import { type Lru, openLru } from "../base/lru.ts";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import type { Registry } from "../registry/registry.ts";
import { type CachedJson, toCachedJson } from "./responses.ts";

/** Bodies once made, to be sent again while what they show has not changed. Nothing here can be stale, only absent. */

type RenderedTender = { readonly dateModified: Instant; readonly root: string; readonly json: CachedJson };
const tenderCaches = new WeakMap<Registry, Lru<RenderedTender>>();

/** What is kept beside a body, about. */
const ENTRY_OVERHEAD_BYTES = 256;

/**
 * By the public view, which `dateModified` names: a sealed bid leaves the very same bytes, so that nobody can tell from the time
 * it takes to read a tender that one has come. Each version is kept for the address it was last asked under: a client that makes
 * up addresses fills nothing.
 */
export function cachedTenderJson(
  { registry, config }: { readonly registry: Registry; readonly config: { readonly cacheBytesMax: number } },
  tender: Tender,
  segment: string,
  root: string,
  render: () => string,
): CachedJson {
  const cache = tenderCaches.get(registry) ?? openLru<RenderedTender>(config.cacheBytesMax);
  tenderCaches.set(registry, cache);
  const { id, dateModified } = tender;
  const cacheKey = `${id} ${segment}`;
  const cached = cache.get(cacheKey);
  if (cached?.dateModified === dateModified && cached.root === root) return cached.json;
  const json = toCachedJson(render());
  // Whoever reads everything once must not push out what many read.
  if (registry.isWorthCaching(tender))
    cache.put(cacheKey, { dateModified, root, json }, json.latin1.length + ENTRY_OVERHEAD_BYTES);
  return json;
}

const PAGES_MAX = 100;
const pageCaches = new WeakMap<Registry, { readonly version: number; readonly kept: Map<string, object> }>();

/** Hundreds follow the feed and ask for the same few pages: they stay until anything public changes. */
export function cachedPages(registry: Registry, version: number): Map<string, object> {
  let current = pageCaches.get(registry);
  if (current?.version !== version || current.kept.size >= PAGES_MAX) {
    current = { version, kept: new Map() };
    pageCaches.set(registry, current);
  }
  return current.kept;
}
