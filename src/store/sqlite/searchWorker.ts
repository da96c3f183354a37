import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { Instant } from "../../domain/values/time.ts";
import type { SearchQuery, SearchResult } from "../../indexing/searchQuery.ts";
import { openSearch } from "./search.ts";

/** The thread for searches, with a connection of its own. */

export type SearchRequest = { readonly query: SearchQuery; readonly now: Instant };
/** The result of a search, or the reason why it failed. */
export type SearchReply = { readonly result?: SearchResult; readonly failed?: unknown };

const path: string = workerData;
const db = new DatabaseSync(path, { readOnly: true });
db.exec("pragma busy_timeout = 5000; pragma cache_size = -16000");
const search = openSearch(db);

parentPort?.on("message", (request: SearchRequest) => {
  parentPort?.postMessage(replyTo(request));
});

/** All queries of a search see the same state of the index. */
function replyTo({ query, now }: SearchRequest): SearchReply {
  db.exec("begin");
  try {
    return { result: search(query, now) };
  } catch (failed) {
    return { failed };
  } finally {
    db.exec("commit");
  }
}
