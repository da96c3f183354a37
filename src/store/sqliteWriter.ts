import { parentPort, workerData } from "node:worker_threads";
import type { NoteRow, Row } from "./engine.ts";
import { openForWriting } from "./sqliteRows.ts";

/** The thread that writes: waiting for the disk here keeps nobody else waiting. */

export type Batch = { readonly rows: readonly Row[]; readonly notes: readonly NoteRow[] };
/** What else an error says than its words is lost on the way to another thread. */
export type Report = "committed" | { readonly failed: unknown; readonly errcode?: number | undefined };
export type WriterData = { readonly path: string; readonly slowDiskMs: number };

const port = parentPort!;
const { path, slowDiskMs } = workerData as WriterData;
const writing = openForWriting(path);
const nobody = new Int32Array(new SharedArrayBuffer(4));

port.on("message", (batch: Batch | "close") => {
  if (batch === "close") {
    writing.close();
    port.close();
    return;
  }
  port.postMessage(committed(batch));
});

function committed({ rows, notes }: Batch): Report {
  try {
    writing.commit(rows, notes);
    if (slowDiskMs > 0) Atomics.wait(nobody, 0, 0, slowDiskMs);
    return "committed";
  } catch (failed) {
    return { failed, errcode: (failed as { readonly errcode?: number }).errcode };
  }
}
