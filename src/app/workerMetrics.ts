import type { Worker as Process } from "node:cluster";
import { type MetricFamily, type Metrics, mergeByWorker } from "../ops/metrics.ts";

/**
 * What several processes measure, as one answer: whichever of them is asked, the one above gathers from all, and tells each
 * sample under the number of its worker. One that does not answer in time is told to be down, and is not waited for.
 */

export type MetricsFromWorker =
  | { readonly metrics: "wanted"; readonly asked: number }
  | { readonly metrics: "mine"; readonly asked: number; readonly families: readonly MetricFamily[] };
export type MetricsToWorker =
  | { readonly metrics: "tell"; readonly asked: number }
  | { readonly metrics: "all"; readonly asked: number; readonly families: readonly MetricFamily[] };

const WORKER_REPLY_MS_MAX = 2000;
const PRIMARY_REPLY_MS_MAX = 5000;

type PendingCollection = { readonly received: Map<Process, readonly MetricFamily[]>; readonly end: () => void };

/** In the process above; `workers` are those that run, each with its number. */
export function openMetricsCollector(workers: ReadonlyMap<Process, string>, restarts: () => number) {
  const pending = new Map<number, PendingCollection>();
  let collections = 0;

  async function collect(): Promise<readonly MetricFamily[]> {
    const requestId = ++collections;
    const received = new Map<Process, readonly MetricFamily[]>();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, WORKER_REPLY_MS_MAX);
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      pending.set(requestId, { received, end });
      for (const worker of workers.keys())
        worker.send({ metrics: "tell", asked: requestId } satisfies MetricsToWorker, () => {});
    });
    pending.delete(requestId);
    const numbered = [...workers].toSorted(([, a], [, b]) => Number(a) - Number(b));
    const all = numbered.map(([process, worker]) => ({ worker, families: received.get(process) ?? [] }));
    return [...mergeByWorker(all), ...workerFamilies(all, restarts())];
  }

  return {
    take(from: Process, message: MetricsFromWorker): void {
      if (message.metrics === "mine") {
        const collection = pending.get(message.asked);
        collection?.received.set(from, message.families);
        if (collection && [...workers.keys()].every((candidate) => collection.received.has(candidate)))
          collection.end();
      } else {
        const { asked: requestId } = message;
        void collect().then((families) =>
          from.send({ metrics: "all", asked: requestId, families } satisfies MetricsToWorker, () => {}),
        );
      }
    },
  };
}

function workerFamilies(
  workers: readonly { readonly worker: string; readonly families: readonly MetricFamily[] }[],
  restarts: number,
): readonly MetricFamily[] {
  const up = workers.map(({ worker, families }) => ({
    labels: [["worker", worker] as const],
    value: families.length > 0 ? 1 : 0,
  }));
  return [
    { name: "tenderhall_worker_up", help: "Whether a worker answered when it was asked", type: "gauge", samples: up },
    {
      name: "tenderhall_worker_restarts_total",
      help: "Workers that ended and were started again",
      type: "counter",
      samples: [{ labels: [], value: restarts }],
    },
  ];
}

/** In a worker: tells its own when asked, and asks for all. */
export function shareMetrics(sendToPrimary: (message: MetricsFromWorker) => void) {
  return (collectOwn: Metrics["collect"]): Metrics["collect"] => {
    const waiting = new Map<number, (families: readonly MetricFamily[]) => void>();
    let requests = 0;
    process.on("message", (message: MetricsToWorker) => {
      if (message?.metrics === "all") waiting.get(message.asked)?.(message.families);
      else if (message?.metrics === "tell")
        void collectOwn().then((families) => sendToPrimary({ metrics: "mine", asked: message.asked, families }));
    });
    return async () => {
      const requestId = ++requests;
      try {
        return await new Promise((resolve, reject) => {
          waiting.set(requestId, resolve);
          setTimeout(
            reject,
            PRIMARY_REPLY_MS_MAX,
            new Error("the process above does not say what is measured"),
          ).unref();
          sendToPrimary({ metrics: "wanted", asked: requestId });
        });
      } finally {
        waiting.delete(requestId);
      }
    };
  };
}
