import type { EnginePublicReads } from "../engine.ts";

const missing = async (): Promise<never> => {
  throw new Error("the search index is not available on PostgreSQL yet");
};

/** Opens what pages read. */
export const openPublicReads = (): EnginePublicReads => ({
  search: missing,
  calendar: missing,
  publishedPage: missing,
  publishedCount: missing,
  findByNumber: missing,
  statistics: missing,
  organizationName: missing,
});
