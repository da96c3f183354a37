import type { Registry } from "../../registry/registry.ts";

/** The state of the index when a page began to read it. */
export type IndexFreshness = {
  /** Whether older tenders are still being added, so that sums and lists lack them. */
  readonly isIncomplete: boolean;
  /** Whether the index still gives the same results. */
  readonly isFresh: () => boolean | Promise<boolean>;
};

/** Reads the state of the index. Call it before any other read, so that a change in between is noticed. */
export async function readIndexFreshness(
  registry: Pick<Registry, "search" | "catchUp" | "isFreshAt">,
): Promise<IndexFreshness> {
  const position = await registry.catchUp();
  // Drafts are never found, so this search costs nothing.
  const filter = { terms: [], mode: "real", statuses: ["draft"] } as const;
  const { isIncomplete = false } = await registry.search({ filter, sort: "newest", offset: 0, limit: 1, facets: [] });
  // Adding older tenders is no public change, so the position does not tell.
  return { isIncomplete, isFresh: isIncomplete ? () => false : () => registry.isFreshAt(position) };
}
