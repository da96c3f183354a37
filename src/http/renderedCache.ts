import { type Lru, openLru } from "../base/lru.ts";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import type { Registry } from "../registry/registry.ts";
import { type CachedBody, toCachedBody } from "./responses.ts";

/** Caches of rendered JSON bodies. Entries are looked up by the version of the data, so they cannot be stale. */

type RenderedTender = { readonly dateModified: Instant; readonly root: string; readonly json: CachedBody };
const tenderCaches = new WeakMap<Registry, Lru<RenderedTender>>();

/** Approximate memory of an entry besides its body. */
const ENTRY_OVERHEAD_BYTES = 256;

/**
 * The JSON of a tender's public view, rendered if it is not cached. Entries are valid for one `dateModified`, which a sealed bid does
 * not change: otherwise the time of a read would reveal that a bid has arrived. There is one entry for each tender and API version,
 * for the last origin used, so that a client cannot fill the cache with made-up Host headers.
 */
export function cachedTenderJson(
  { registry, config }: { readonly registry: Registry; readonly config: { readonly cacheBytesMax: number } },
  tender: Tender,
  segment: string,
  root: string,
  render: () => string,
): CachedBody {
  const cache = tenderCaches.get(registry) ?? openLru<RenderedTender>(config.cacheBytesMax);
  tenderCaches.set(registry, cache);
  const { id, dateModified } = tender;
  const cacheKey = `${id} ${segment}`;
  const cached = cache.get(cacheKey);
  if (cached?.dateModified === dateModified && cached.root === root) return cached.json;
  const json = toCachedBody(render());
  // A client that reads every tender once must not evict the tenders that many clients read.
  if (registry.isWorthCaching(tender))
    cache.put(cacheKey, { dateModified, root, json }, json.latin1.length + ENTRY_OVERHEAD_BYTES);
  return json;
}

const PAGES_MAX = 100;

/** Returns the cached pages of a registry for one version of its feed. */
export type VersionedCache<Page> = (registry: Registry, version: number) => Map<string, Page>;

/**
 * A cache of feed pages, or of another view of public tenders. Many clients poll the same few pages. They stay valid until a public
 * change increases the version; then, or when the cache is full, a new one starts.
 */
export function openVersionedCache<Page>(): VersionedCache<Page> {
  const caches = new WeakMap<Registry, { readonly version: number; readonly pages: Map<string, Page> }>();
  return (registry, version) => {
    let current = caches.get(registry);
    if (current?.version !== version || current.pages.size >= PAGES_MAX) {
      current = { version, pages: new Map() };
      caches.set(registry, current);
    }
    return current.pages;
  };
}
