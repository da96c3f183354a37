import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { openForWriting, type Row, type Writing } from "./sqliteRows.ts";

/** The thread that writes: waiting for the disk here keeps nobody else waiting. */

export type Batch = { readonly number: number; readonly epoch: number; readonly rows: readonly Row[] };
export type Report =
  | { readonly committed: readonly number[] }
  | { readonly failed: readonly number[]; readonly error: unknown; readonly epoch: number };
export type WriterData = { readonly path: string; readonly commitsSingly: boolean };

const port = parentPort!;
const { path, commitsSingly } = workerData as WriterData;
const writing: Writing = openForWriting(path);

/** Batches of an epoch in which something failed rest on what was never written, and fail with it. */
let epochFailed = -1;

port.on("message", (first: Batch | "close") => {
  const batches: Batch[] = [];
  let closing = false;
  const take = (message: Batch | "close") => {
    if (message === "close") closing = true;
    else batches.push(message);
  };
  take(first);
  // Whatever has gathered while the last commit waited for the disk goes into the next one.
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) take(next.message);
  for (const group of commitsSingly ? batches.map((one) => [one]) : [batches]) write(group);
  if (closing) {
    writing.close();
    port.close();
  }
});

function write(batches: readonly Batch[]): void {
  const doomed = batches.filter(({ epoch }) => epoch <= epochFailed);
  if (doomed.length > 0)
    report({ failed: numbersOf(doomed), error: new Error("a change before this one failed"), epoch: epochFailed });
  const sound = batches.filter(({ epoch }) => epoch > epochFailed);
  if (sound.length === 0) return;
  try {
    writing.commit(sound.flatMap(({ rows }) => rows));
    report({ committed: numbersOf(sound) });
  } catch (error) {
    epochFailed = sound.at(-1)!.epoch;
    report({ failed: numbersOf(sound), error, epoch: epochFailed });
  }
}

const numbersOf = (batches: readonly Batch[]): readonly number[] => batches.map(({ number }) => number);
const report = (message: Report): void => port.postMessage(message);
