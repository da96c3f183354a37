import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { Instant } from "../../domain/values/time.ts";
import type { OrganizationList, OrganizationQuery } from "../../indexing/organizationQuery.ts";
import type { SearchQuery, SearchResult } from "../../indexing/searchQuery.ts";
import { openOrganizations } from "./organizations.ts";
import { openSearch } from "./search.ts";

/** The thread for searches, with a connection of its own. */

/** What the thread can read: tenders, or organisations. */
export type SearchTask =
  | { readonly query: SearchQuery; readonly now: Instant }
  | { readonly organizations: OrganizationQuery };
/** The result of a task, or the reason why it failed. */
export type SearchReply = {
  readonly result?: SearchResult | OrganizationList;
  readonly failed?: unknown;
};

const path: string = workerData;
const db = new DatabaseSync(path, { readOnly: true });
db.exec("pragma busy_timeout = 5000; pragma cache_size = -16000");
const search = openSearch(db);
const listOrganizations = openOrganizations(db);

parentPort?.on("message", (task: SearchTask) => {
  parentPort?.postMessage(replyTo(task));
});

/** All queries of a task see the same state of the index. */
function replyTo(task: SearchTask): SearchReply {
  db.exec("begin");
  try {
    return { result: "query" in task ? search(task.query, task.now) : listOrganizations(task.organizations) };
  } catch (failed) {
    return { failed };
  } finally {
    db.exec("commit");
  }
}
