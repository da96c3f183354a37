import cluster, { type Worker as Process } from "node:cluster";
import type { Config } from "../config/config.ts";
import type { Log } from "../ops/log.ts";
import { type AcquireWriteLock, holdFolder } from "../store/sqlite/sqlite.ts";
import type { WorkerContext } from "./start.ts";
import { type MetricsFromWorker, openMetricsCollector, shareMetrics } from "./workerMetrics.ts";

/**
 * Several processes that serve together on one port. The one above them starts them, and starts them again; on SQLite it
 * holds the lock of the folder and gives out the turns of writing, in the order in which they were asked for.
 */

type FromWorker =
  | { readonly turn: "take" | "end" }
  | { readonly listening: string }
  | { readonly failed: string }
  | MetricsFromWorker;
type ToWorker = { readonly turn: "yours" };

const RESTART_PAUSE_MS = 1000;
/** A worker that stalls in its turn keeps all others from writing. */
const WRITE_LOCK_MS_MAX = 5000;
const FIRST_WORKER_VARIABLE = "TENDERHALL_FIRST_WORKER";

/** Its message is the reason, as the worker put it. */
export class WorkerFailed extends Error {}

export type Workers = { readonly url: string; readonly stop: () => Promise<void> };

/** Resolves once all of them listen; rejects with what one of them says where they cannot. */
export async function startWorkers({ workers, dataDir, databaseUrl }: Config, log: Log): Promise<Workers> {
  const folderLock = databaseUrl ? undefined : holdFolder(dataDir);
  const writeLock = openWriteLock();
  const running = new Map<Process, string>();
  let restarts = 0;
  const metricsCollector = openMetricsCollector(running, () => restarts);
  let isStopping = false;
  const listening = new Set<Process>();
  let areAllUp = false;

  return new Promise((resolve, reject) => {
    /** At first it is for whoever starts us to know; later the one above goes on trying. */
    function fail(reason: string, child: Process): void {
      if (areAllUp) {
        log.error("a worker cannot start", new Error(reason));
        child.process.kill("SIGKILL");
      } else reject(new WorkerFailed(reason));
    }

    function startWorker(number: number): void {
      const child = cluster.fork({ [FIRST_WORKER_VARIABLE]: number === 1 ? "1" : "" });
      running.set(child, String(number));
      child.on("message", (message: FromWorker) => {
        if ("turn" in message) writeLock[message.turn](child);
        else if ("metrics" in message) metricsCollector.take(child, message);
        else if ("failed" in message) fail(message.failed, child);
        else {
          listening.add(child);
          if (listening.size < workers) return;
          areAllUp = true;
          resolve({ url: message.listening, stop });
        }
      });
      child.on("exit", (code, signal) => {
        running.delete(child);
        writeLock.forget(child);
        const hasListened = listening.delete(child);
        if (isStopping) return;
        if (!hasListened && !areAllUp)
          return reject(new WorkerFailed(`a worker ended with ${signal ?? code} before it listened`));
        log.error("a worker ended and is started again", new Error(`it ended with ${signal ?? code}`), {
          worker: child.process.pid,
        });
        restarts += 1;
        setTimeout(() => isStopping || startWorker(number), RESTART_PAUSE_MS);
      });
    }

    async function stop(): Promise<void> {
      isStopping = true;
      const ended = [...running.keys()].map((child) => new Promise((done) => child.once("exit", done)));
      for (const child of running.keys()) child.process.kill("SIGTERM");
      await Promise.all(ended);
      folderLock?.release();
    }

    for (let number = 1; number <= workers; number++) startWorker(number);
  });
}

/** Whose turn it is, and who waits for one. Whoever ends in the middle of a turn has ended it. */
export function openWriteLock() {
  let holder: Process | undefined;
  let timer: NodeJS.Timeout | undefined;
  const waiting: Process[] = [];

  function grantNext(): void {
    clearTimeout(timer);
    const successor = waiting.shift();
    holder = successor;
    if (!successor) return;
    successor.send({ turn: "yours" } satisfies ToWorker, () => {});
    timer = setTimeout(() => successor.process.kill("SIGKILL"), WRITE_LOCK_MS_MAX);
  }

  return {
    take(child: Process): void {
      waiting.push(child);
      if (!holder) grantNext();
    },
    end(child: Process): void {
      if (holder === child) grantNext();
    },
    forget(child: Process): void {
      for (let i = waiting.length - 1; i >= 0; i--) if (waiting[i] === child) waiting.splice(i, 1);
      if (holder === child) grantNext();
    },
  };
}

/** This process, where it is one of several. */
export function currentWorker(): WorkerContext | undefined {
  if (!cluster.isWorker) return undefined;
  // What cannot be said to the one above, because it has ended, is nobody's to hear: this process ends with it.
  cluster.worker!.on("error", () => {});
  return {
    isFirst: process.env[FIRST_WORKER_VARIABLE] === "1",
    acquireWriteLock: openWriteLockClient(),
    shareMetrics: shareMetrics(sendToPrimary),
  };
}

export const sendToPrimary = (message: FromWorker): void =>
  void process.send?.(message, undefined, undefined, () => {});

/** A process asks for one turn at a time. */
function openWriteLockClient(): AcquireWriteLock {
  let onGranted: (() => void) | undefined;
  process.on("message", (message: ToWorker) => {
    if (message?.turn === "yours") onGranted?.();
  });
  return () =>
    new Promise((resolve) => {
      onGranted = () => resolve(() => sendToPrimary({ turn: "end" }));
      sendToPrimary({ turn: "take" });
    });
}
