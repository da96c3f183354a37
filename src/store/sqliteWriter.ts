import { parentPort, workerData } from "node:worker_threads";
import type { Row } from "./engine.ts";
import { openForWriting } from "./sqliteRows.ts";

/** The thread that writes: waiting for the disk here keeps nobody else waiting. */

export type Report = "committed" | { readonly failed: unknown };
export type WriterData = { readonly path: string; readonly slowDiskMs: number };

const port = parentPort!;
const { path, slowDiskMs } = workerData as WriterData;
const writing = openForWriting(path);
const nobody = new Int32Array(new SharedArrayBuffer(4));

port.on("message", (rows: readonly Row[] | "close") => {
  if (rows === "close") {
    writing.close();
    port.close();
    return;
  }
  port.postMessage(committed(rows));
});

function committed(rows: readonly Row[]): Report {
  try {
    writing.commit(rows);
    if (slowDiskMs > 0) Atomics.wait(nobody, 0, 0, slowDiskMs);
    return "committed";
  } catch (failed) {
    return { failed };
  }
}
