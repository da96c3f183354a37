import { parentPort, workerData } from "node:worker_threads";
import type { ChangeRow, EntryRow } from "../engine.ts";
import { openSqliteWriter } from "./rows.ts";

/** The thread that writes: waiting for the disk here keeps nobody else waiting. */

export type Batch = { readonly rows: readonly ChangeRow[]; readonly notes: readonly EntryRow[] };
/** What else an error says than its words is lost on the way to another thread. */
export type CommitReport = "committed" | { readonly failed: unknown; readonly errcode?: number | undefined };
export type WriterData = { readonly path: string; readonly slowDiskMs: number };

const port = parentPort!;
const { path, slowDiskMs } = workerData as WriterData;
const writer = openSqliteWriter(path);
const sleepBuffer = new Int32Array(new SharedArrayBuffer(4));

port.on("message", (batch: Batch | "close") => {
  if (batch === "close") {
    writer.close();
    port.close();
    return;
  }
  port.postMessage(commitBatch(batch));
});

function commitBatch({ rows, notes }: Batch): CommitReport {
  try {
    writer.commit(rows, notes);
    if (slowDiskMs > 0) Atomics.wait(sleepBuffer, 0, 0, slowDiskMs);
    return "committed";
  } catch (failed) {
    return { failed, errcode: (failed as { readonly errcode?: number }).errcode };
  }
}
