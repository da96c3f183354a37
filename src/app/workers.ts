import cluster, { type Worker as Process } from "node:cluster";
import type { Config } from "../config/config.ts";
import type { Log } from "../ops/log.ts";
import { type AcquireWriteLock, holdFolder } from "../store/sqlite/sqlite.ts";
import { logMigration } from "./migrationLog.ts";
import type { WorkerContext } from "./start.ts";
import { type MetricsFromWorker, openMetricsCollector, shareMetrics } from "./workerMetrics.ts";

/**
 * Several worker processes that serve on one port. The primary process starts and restarts them. On SQLite it also holds the lock of
 * the data folder and grants the write lock to the workers, in the order of their requests.
 */

/** Messages between the processes. `turn` is about the write lock. */
type FromWorker =
  | { readonly turn: "take" | "end" }
  | { readonly listening: string }
  | { readonly failed: string }
  | MetricsFromWorker;
type ToWorker = { readonly turn: "yours" };

const RESTART_PAUSE_MS = 1000;
/** A worker that holds the write lock for longer is killed, because it blocks the writes of all others. */
const WRITE_LOCK_MS_MAX = 5000;
const FIRST_WORKER_VARIABLE = "TENDERHALL_FIRST_WORKER";

/** A worker could not start; the message is the reason that it has sent. */
export class WorkerFailed extends Error {}

export type Workers = { readonly url: string; readonly stop: () => Promise<void> };

/** Starts the workers. Resolves when all of them listen; rejects with WorkerFailed if one of them cannot start. */
export async function startWorkers({ workers, dataDir, databaseUrl }: Config, log: Log): Promise<Workers> {
  const folderLock = databaseUrl ? undefined : holdFolder(dataDir, { onMigration: logMigration(log) });
  const writeLock = openWriteLock();
  const running = new Map<Process, string>();
  let restarts = 0;
  const metricsCollector = openMetricsCollector(running, () => restarts);
  let isStopping = false;
  const listening = new Set<Process>();
  let areAllUp = false;

  return new Promise((resolve, reject) => {
    /** During startup a failure rejects the start; later it is logged, and the worker is restarted again. */
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
        log.error("a worker exited and is being restarted", new Error(`it exited with ${signal ?? code}`), {
          worker: child.process.pid,
        });
        restarts += 1;
        setTimeout(() => isStopping || startWorker(number), RESTART_PAUSE_MS);
      });
    }

    async function stop(): Promise<void> {
      isStopping = true;
      const exits = [...running.keys()].map((child) => new Promise((done) => child.once("exit", done)));
      for (const child of running.keys()) child.process.kill("SIGTERM");
      await Promise.all(exits);
      folderLock?.release();
    }

    for (let number = 1; number <= workers; number++) startWorker(number);
  });
}

/** The write lock in the primary process: its holder, and the queue. A worker that exits releases it. */
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
    /** Queues a request for the lock. */
    take(child: Process): void {
      waiting.push(child);
      if (!holder) grantNext();
    },
    /** Releases the lock. */
    end(child: Process): void {
      if (holder === child) grantNext();
    },
    /** Releases the lock of a worker that has exited and drops its requests. */
    forget(child: Process): void {
      for (let i = waiting.length - 1; i >= 0; i--) if (waiting[i] === child) waiting.splice(i, 1);
      if (holder === child) grantNext();
    },
  };
}

/** The context of this process if it is a worker. */
export function currentWorker(): WorkerContext | undefined {
  if (!cluster.isWorker) return undefined;
  // Sending fails if the primary has exited; this process then exits as well.
  cluster.worker?.on("error", () => {});
  return {
    isFirst: process.env[FIRST_WORKER_VARIABLE] === "1",
    acquireWriteLock: openWriteLockClient(),
    shareMetrics: shareMetrics(sendToPrimary),
  };
}

/** Sends a message to the primary process; does nothing if it has exited. */
export const sendToPrimary = (message: FromWorker): void =>
  void process.send?.(message, undefined, undefined, () => {});

/** The write lock in a worker. A process requests it once at a time. */
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
