import { Worker } from "node:worker_threads";
import type { Batch, CommitReport, WriterData } from "./writer.ts";

/** This side of the thread that writes. It is given one group of rows at a time. */
export function openWriterThread(workerData: WriterData) {
  const worker = new Worker(new URL("./writer.ts", import.meta.url), { workerData, execArgv: [] });
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  let failure: unknown;
  let closed = false;
  let pending: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;

  function settle(report: CommitReport): void {
    const { resolve, reject } = pending!;
    pending = undefined;
    if (report === "committed") resolve();
    else reject(Object.assign(report.failed as Error, { errcode: report.errcode }));
  }

  worker.on("message", settle);
  /** Without its thread nothing can be written any more; whoever asks is told so. */
  worker.on("error", (error) => {
    failure = error;
    if (pending) settle({ failed: error });
  });

  const isAlive = () => !failure && !closed;
  return {
    isAlive,
    commit: (batch: Batch) =>
      new Promise<void>((resolve, reject) => {
        if (!isAlive()) return reject(new Error("the store cannot be written to", { cause: failure }));
        pending = { resolve, reject };
        worker.postMessage(batch);
      }),
    close: async () => {
      closed = true;
      if (!failure) worker.postMessage("close");
      await exited;
    },
  };
}
