import { Worker } from "node:worker_threads";
import type { Batch, Report, WriterData } from "./sqliteWriter.ts";

/** This side of the thread that writes. It is given one group of rows at a time. */
export function openWriterThread(workerData: WriterData) {
  const worker = new Worker(new URL("./sqliteWriter.ts", import.meta.url), { workerData, execArgv: [] });
  const gone = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  let dead: unknown;
  let closed = false;
  let waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;

  function end(report: Report): void {
    const { resolve, reject } = waiting!;
    waiting = undefined;
    if (report === "committed") resolve();
    else reject(Object.assign(report.failed as Error, { errcode: report.errcode }));
  }

  worker.on("message", end);
  /** Without its thread nothing can be written any more; whoever asks is told so. */
  worker.on("error", (error) => {
    dead = error;
    if (waiting) end({ failed: error });
  });

  const isAlive = () => !dead && !closed;
  return {
    isAlive,
    commit: (batch: Batch) =>
      new Promise<void>((resolve, reject) => {
        if (!isAlive()) return reject(new Error("the store cannot be written to", { cause: dead }));
        waiting = { resolve, reject };
        worker.postMessage(batch);
      }),
    close: async () => {
      closed = true;
      if (!dead) worker.postMessage("close");
      await gone;
    },
  };
}
