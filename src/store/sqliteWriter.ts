import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { openForWriting, type Row } from "./sqliteRows.ts";

/** The thread that writes: waiting for the disk here keeps nobody else waiting. */

export type Sent = { readonly number: number; readonly epoch: number; readonly row: Row };
export type Report =
  | { readonly committed: readonly number[] }
  | { readonly failed: readonly number[]; readonly error: unknown; readonly epoch: number };
export type WriterData = { readonly path: string; readonly commitsSingly: boolean };

const port = parentPort!;
const { path, commitsSingly } = workerData as WriterData;
const writing = openForWriting(path);

/** What was sent in an epoch in which something failed rests on what was never written, and fails with it. */
let epochFailed = -1;

port.on("message", (first: readonly Sent[] | "close") => {
  const gathered: Sent[] = [];
  let closing = false;
  const take = (message: readonly Sent[] | "close") => {
    if (message === "close") closing = true;
    else gathered.push(...message);
  };
  take(first);
  // Whatever has gathered while the last commit waited for the disk goes into the next one.
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) take(next.message);
  for (const group of commitsSingly ? gathered.map((one) => [one]) : [gathered]) commit(group);
  if (closing) {
    writing.close();
    port.close();
  }
});

function commit(all: readonly Sent[]): void {
  const doomed = all.filter(({ epoch }) => epoch <= epochFailed);
  if (doomed.length > 0) fail(doomed, new Error("a change before this one failed"));
  const sound = all.filter(({ epoch }) => epoch > epochFailed);
  try {
    writing.commit(sound.map(({ row }) => row));
    report({ committed: sound.map(({ number }) => number) });
  } catch (error) {
    epochFailed = sound.at(-1)!.epoch;
    fail(sound, error);
  }
}

const fail = (all: readonly Sent[], error: unknown): void =>
  report({ failed: all.map(({ number }) => number), error, epoch: epochFailed });

const report = (message: Report): void => port.postMessage(message);
