import { StoreUnavailableError } from "../store.ts";

/** Runs a search, unless too many are running or waiting. */
export type SearchLimit = <Result>(search: () => Promise<Result>) => Promise<Result>;

/** Searches run one after another, so those that come after so many would wait for too long. */
const SEARCHES_MAX = 32;

/** Opens a limit. Searches beyond it are rejected with an error that says that they may be repeated. */
export function openSearchLimit(): SearchLimit {
  let count = 0;
  return async (search) => {
    if (count >= SEARCHES_MAX) throw new StoreUnavailableError("too many searches are running");
    count += 1;
    try {
      return await search();
    } finally {
      count -= 1;
    }
  };
}
