import type { Worker as Process } from "node:cluster";
import { type MetricFamily, type Metrics, mergeByWorker } from "../ops/metrics.ts";

/**
 * The metrics of all workers in one response. The worker that gets the request asks the primary process, which collects the metrics of
 * all workers and labels them with the number of the worker. A worker that does not reply in time is reported as down.
 */

/** `wanted`: send all metrics. `mine`: the metrics of this worker. `asked` is the id of the request. */
export type MetricsFromWorker =
  | { readonly metrics: "wanted"; readonly asked: number }
  | { readonly metrics: "mine"; readonly asked: number; readonly families: readonly MetricFamily[] };
/** `tell`: send your metrics. `all`: the metrics of all workers. */
export type MetricsToWorker =
  | { readonly metrics: "tell"; readonly asked: number }
  | { readonly metrics: "all"; readonly asked: number; readonly families: readonly MetricFamily[] };

const WORKER_REPLY_MS_MAX = 2000;
const PRIMARY_REPLY_MS_MAX = 5000;

type PendingCollection = { readonly received: Map<Process, readonly MetricFamily[]>; readonly end: () => void };

/** The part in the primary process. `workers` are the running workers with their numbers. */
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
    { name: "tenderhall_worker_up", help: "Whether the worker replied to the collection", type: "gauge", samples: up },
    {
      name: "tenderhall_worker_restarts_total",
      help: "Workers that exited and were restarted",
      type: "counter",
      samples: [{ labels: [], value: restarts }],
    },
  ];
}

/** The part in a worker: sends its own metrics on request, and returns a function that collects those of all workers. */
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
            new Error("the primary process did not send the metrics in time"),
          ).unref();
          sendToPrimary({ metrics: "wanted", asked: requestId });
        });
      } finally {
        waiting.delete(requestId);
      }
    };
  };
}
