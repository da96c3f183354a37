import { type Lru, openLru } from "../domain/lru.ts";
import type { Tender } from "../domain/tender.ts";
import type { Instant } from "../domain/time.ts";
import type { Registry } from "../registry/registry.ts";
import { type KeptJson, keptJson } from "./answers.ts";

/** Bodies once made, to be sent again while what they show has not changed. Nothing here can be stale, only absent. */

type RenderedTender = { readonly dateModified: Instant; readonly root: string; readonly json: KeptJson };
const rendered = new WeakMap<Registry, Lru<RenderedTender>>();

/** What is kept beside a body, about. */
const REST_BYTES = 256;

/**
 * By the public view, which `dateModified` names: a sealed bid leaves the very same bytes, so that nobody can tell from the time
 * it takes to read a tender that one has come. Each version is kept for the address it was last asked under: a client that makes
 * up addresses fills nothing.
 */
export function keptTender(
  { registry, config }: { readonly registry: Registry; readonly config: { readonly cacheBytesMax: number } },
  tender: Tender,
  segment: string,
  root: string,
  make: () => string,
): KeptJson {
  const cache = rendered.get(registry) ?? openLru<RenderedTender>(config.cacheBytesMax);
  rendered.set(registry, cache);
  const { id, dateModified } = tender;
  const name = `${id} ${segment}`;
  const known = cache.get(name);
  if (known?.dateModified === dateModified && known.root === root) return known.json;
  const json = keptJson(make());
  // Whoever reads everything once must not push out what many read.
  if (registry.isReadAgain(tender)) cache.put(name, { dateModified, root, json }, json.latin1.length + REST_BYTES);
  return json;
}

const PAGES_MAX = 100;
const pages = new WeakMap<Registry, { readonly version: number; readonly kept: Map<string, object> }>();

/** Hundreds follow the feed and ask for the same few pages: they stay until anything public changes. */
export function keptPages(registry: Registry, version: number): Map<string, object> {
  let current = pages.get(registry);
  if (current?.version !== version || current.kept.size >= PAGES_MAX) {
    current = { version, kept: new Map() };
    pages.set(registry, current);
  }
  return current.kept;
}
