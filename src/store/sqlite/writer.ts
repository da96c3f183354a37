import { parentPort, workerData } from "node:worker_threads";
import { decodeBatch, type EncodedBatch } from "./batchBytes.ts";
import { resultCodeOf } from "./resultCode.ts";
import { openSqliteWriter } from "./rows.ts";

/** The writer thread: waiting for the disk in a thread of its own does not block reads. */

/** `errcode` is sent on its own, because structured clone drops additional properties of errors. */
export type CommitReport = "committed" | { readonly failed: unknown; readonly errcode?: number | undefined };
export type WriterData = { readonly path: string; readonly slowDiskMs: number };

// This module only ever runs as a worker, where there is a parent port.
const port = parentPort!;
const { path, slowDiskMs }: WriterData = workerData;
const writer = openSqliteWriter(path);
const sleepBuffer = new Int32Array(new SharedArrayBuffer(4));

port.on("message", (batch: EncodedBatch | "close") => {
  if (batch === "close") {
    writer.close();
    port.close();
    return;
  }
  port.postMessage(commitBatch(batch));
});

function commitBatch(batch: EncodedBatch): CommitReport {
  try {
    writer.commit(decodeBatch(batch));
    if (slowDiskMs > 0) Atomics.wait(sleepBuffer, 0, 0, slowDiskMs);
    return "committed";
  } catch (failed) {
    return { failed, errcode: resultCodeOf(failed) };
  }
}
