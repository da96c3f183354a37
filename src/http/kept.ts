import type { Tender } from "../domain/tender.ts";
import type { Registry } from "../registry/registry.ts";
import { type KeptJson, keptJson } from "./answers.ts";

/** Bodies once made, to be sent again while what they show has not changed. Nothing here can be stale, only absent. */

type KeptTender = { readonly root: string; readonly json: KeptJson };
const tenders = new WeakMap<Tender, Map<string, KeptTender>>();

/**
 * A stored tender is the same object until it changes, so what is shown of it lives as long as it does. Each version is
 * kept for the address it was last asked under: a client that makes up addresses fills nothing.
 */
export function keptTender(tender: Tender, segment: string, root: string, make: () => string): KeptJson {
  const versions = tenders.get(tender) ?? new Map<string, KeptTender>();
  const kept = versions.get(segment);
  if (kept?.root === root) return kept.json;
  const json = keptJson(make());
  tenders.set(tender, versions.set(segment, { root, json }));
  return json;
}

const PAGES_MAX = 100;
const pages = new WeakMap<Registry, { readonly version: number; readonly kept: Map<string, object> }>();

/** Hundreds follow the feed and ask for the same few pages: they stay until the ledger goes on. */
export function keptPages(registry: Registry, version: number): Map<string, object> {
  let current = pages.get(registry);
  if (current?.version !== version || current.kept.size >= PAGES_MAX) {
    current = { version, kept: new Map() };
    pages.set(registry, current);
  }
  return current.kept;
}
