import { Worker } from "node:worker_threads";
import type { Instant } from "../../domain/values/time.ts";
import type { OrganizationList, OrganizationQuery } from "../../indexing/organizationQuery.ts";
import type { SearchQuery, SearchResult } from "../../indexing/searchQuery.ts";
import { StoreUnavailableError } from "../store.ts";
import type { SearchReply, SearchTask } from "./searchWorker.ts";

type TaskResult = NonNullable<SearchReply["result"]>;
type PendingTask = {
  readonly task: SearchTask;
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (error: unknown) => void;
};

/** No search that somebody needs takes longer. */
const SEARCH_MS_MAX = 10_000;

/**
 * The client of a thread for searches. A search may take tens of milliseconds, in which nothing else of this process must wait: prices
 * of auctions and bids have deadlines. The thread starts with the first search, and another one after a search that takes too long.
 */
export function openSearchThread(path: string, searchMsMax = SEARCH_MS_MAX) {
  const waiting: PendingTask[] = [];
  let running: { readonly pending: PendingTask; readonly timer: NodeJS.Timeout } | undefined;
  let worker: Worker | undefined;
  let closed = false;

  function start(): Worker {
    const started = new Worker(new URL("./searchWorker.ts", import.meta.url), { workerData: path, execArgv: [] });
    const isCurrent = () => worker === started;
    started.on("message", ({ result, failed }: SearchReply) => {
      if (isCurrent()) end(({ resolve, reject }) => (result ? resolve(result) : reject(failed)));
    });
    started.on("error", (error) => {
      if (isCurrent()) abandon(error);
    });
    return started;
  }

  function runNext(): void {
    const pending = running ? undefined : waiting.shift();
    if (!pending) return;
    worker ??= start();
    const timer = setTimeout(() => abandon(new StoreUnavailableError("the search takes too long")), searchMsMax);
    running = { pending, timer };
    worker.postMessage(pending.task);
  }

  function end(settle: (pending: PendingTask) => void): void {
    if (!running) return;
    clearTimeout(running.timer);
    settle(running.pending);
    running = undefined;
    runNext();
  }

  /** Ends the thread with its search. The next search starts another one. */
  function abandon(error: unknown): void {
    void worker?.terminate();
    worker = undefined;
    end(({ reject }) => reject(error));
  }

  const run = (task: SearchTask): Promise<TaskResult> =>
    new Promise((resolve, reject) => {
      if (closed) return reject(new Error("the store is closed"));
      waiting.push({ task, resolve, reject });
      runNext();
    });

  return {
    search: async (query: SearchQuery, now: Instant): Promise<SearchResult> => {
      const result = await run({ query, now });
      if (!("ids" in result)) throw new Error("the thread for searches mixed up its replies");
      return result;
    },
    organizations: async (query: OrganizationQuery): Promise<OrganizationList> => {
      const result = await run({ organizations: query });
      if (!("organizations" in result)) throw new Error("the thread for searches mixed up its replies");
      return result;
    },
    close: async () => {
      closed = true;
      const error = new Error("the store is closed");
      for (const { reject } of waiting.splice(0)) reject(error);
      const ended = worker?.terminate();
      end(({ reject }) => reject(error));
      await ended;
    },
  };
}
