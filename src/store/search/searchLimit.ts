import type { SearchQuery, SearchResult } from "../../indexing/searchQuery.ts";
import { StoreUnavailableError } from "../store.ts";

type Search = (query: SearchQuery) => Promise<SearchResult>;

/** Searches run one after another, so those that come after so many would wait for too long. */
const SEARCHES_MAX = 32;

/** Rejects searches while too many are running or waiting, with an error that says that they may be repeated. */
export function limitSearches(search: Search): Search {
  let count = 0;
  return async (query) => {
    if (count >= SEARCHES_MAX) throw new StoreUnavailableError("too many searches are running");
    count += 1;
    try {
      return await search(query);
    } finally {
      count -= 1;
    }
  };
}
