import type { Tender } from "../domain/tender.ts";
import type { Registry } from "../registry/registry.ts";
import { type KeptJson, keptJson } from "./answers.ts";

/** Bodies once made, to be sent again while what they show has not changed. Nothing here can be stale, only absent. */

const ROOTS_MAX = 8;
const tenders = new WeakMap<Tender, Map<string, KeptJson>>();

/** A stored tender is the same object until it changes, so what is shown of it lives as long as it does. */
export function keptTender(tender: Tender, root: string, make: () => string): KeptJson {
  let bodies = tenders.get(tender);
  if (!bodies || bodies.size >= ROOTS_MAX) {
    bodies = new Map();
    tenders.set(tender, bodies);
  }
  const body = bodies.get(root) ?? keptJson(make());
  bodies.set(root, body);
  return body;
}

const PAGES_MAX = 256;
const pages = new WeakMap<Registry, { version: number; bodies: Map<string, object> }>();

/** Hundreds follow the feed and ask for the same pages: they stay until the feed changes. */
export async function keptPage<Page extends object>(
  registry: Registry,
  name: string,
  make: () => Promise<Page>,
): Promise<Page> {
  const version = registry.feedVersion();
  let kept = pages.get(registry);
  if (kept?.version !== version || kept.bodies.size >= PAGES_MAX) {
    kept = { version, bodies: new Map() };
    pages.set(registry, kept);
  }
  const body = (kept.bodies.get(name) as Page | undefined) ?? (await make());
  kept.bodies.set(name, body);
  return body;
}
