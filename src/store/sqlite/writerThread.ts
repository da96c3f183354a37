import { Worker } from "node:worker_threads";
import { type Batch, openBatchEncoder } from "./batchBytes.ts";
import type { CommitReport, WriterData } from "./writer.ts";

/** The error of a report with its result code, which structured clone has dropped. */
const withResultCode = ({ failed, errcode }: Exclude<CommitReport, "committed">): unknown =>
  failed instanceof Error ? Object.assign(failed, { errcode }) : failed;

/** Starts the writer thread and returns its client. The caller commits one batch at a time. */
export function openWriterThread(workerData: WriterData) {
  const worker = new Worker(new URL("./writer.ts", import.meta.url), { workerData, execArgv: [] });
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const encode = openBatchEncoder();
  let failure: unknown;
  let closed = false;
  let pending: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;

  function settle(report: CommitReport): void {
    const commit = pending;
    pending = undefined;
    if (report === "committed") commit?.resolve();
    else commit?.reject(withResultCode(report));
  }

  worker.on("message", settle);
  // Without its thread the store cannot write any more: all further commits are rejected.
  worker.on("error", (error) => {
    failure = error;
    settle({ failed: error });
  });

  const isAlive = () => !failure && !closed;
  return {
    isAlive,
    commit: (batch: Batch) =>
      new Promise<void>((resolve, reject) => {
        if (!isAlive()) return reject(new Error("the store cannot be written to", { cause: failure }));
        // Encoding may throw, for example if there is no memory.
        const encoded = encode(batch);
        pending = { resolve, reject };
        worker.postMessage(encoded);
      }),
    close: async () => {
      closed = true;
      if (!failure) worker.postMessage("close");
      await exited;
    },
  };
}
