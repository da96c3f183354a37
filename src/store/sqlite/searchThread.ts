import { Worker } from "node:worker_threads";
import type { Instant } from "../../domain/values/time.ts";
import type { SearchQuery, SearchResult } from "../../indexing/searchQuery.ts";
import type { SearchReply, SearchRequest } from "./searchWorker.ts";

type PendingSearch = {
  readonly resolve: (result: SearchResult) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * The client of a thread for searches. A search may take tens of milliseconds, in which nothing else of this process must wait: prices
 * of auctions and bids have deadlines. The thread starts with the first search.
 */
export function openSearchThread(path: string) {
  const pending = new Map<number, PendingSearch>();
  let worker: Worker | undefined;
  let lastId = 0;
  let closed = false;

  function rejectAll(error: unknown): void {
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  }

  function start(): Worker {
    const started = new Worker(new URL("./searchWorker.ts", import.meta.url), { workerData: path, execArgv: [] });
    started.on("message", ({ id, result, failed }: SearchReply) => {
      const search = pending.get(id);
      pending.delete(id);
      if (result) search?.resolve(result);
      else search?.reject(failed);
    });
    // The next search starts another thread.
    started.on("error", (error) => {
      worker = undefined;
      rejectAll(error);
    });
    return started;
  }

  return {
    search: (query: SearchQuery, now: Instant): Promise<SearchResult> =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error("the store is closed"));
        worker ??= start();
        lastId += 1;
        pending.set(lastId, { resolve, reject });
        worker.postMessage({ id: lastId, query, now } satisfies SearchRequest);
      }),
    close: async () => {
      closed = true;
      await worker?.terminate();
      rejectAll(new Error("the store is closed"));
    },
  };
}
