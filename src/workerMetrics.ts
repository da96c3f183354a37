import type { Worker as Process } from "node:cluster";
import { type Family, joined, type Metrics } from "./http/metrics.ts";

/**
 * What several processes measure, as one answer: whichever of them is asked, the one above gathers from all, and tells each
 * sample under the number of its worker. One that does not answer in time is told to be down, and is not waited for.
 */

export type MetricsFromWorker =
  | { readonly metrics: "wanted"; readonly asked: number }
  | { readonly metrics: "mine"; readonly asked: number; readonly families: readonly Family[] };
export type MetricsToWorker =
  | { readonly metrics: "tell"; readonly asked: number }
  | { readonly metrics: "all"; readonly asked: number; readonly families: readonly Family[] };

const TOLD_MS_MAX = 2000;
const ANSWERED_MS_MAX = 5000;

type Gathered = { readonly told: Map<Process, readonly Family[]>; readonly end: () => void };

/** In the process above; `workers` are those that run, each with its number. */
export function openGathering(workers: ReadonlyMap<Process, string>, restarts: () => number) {
  const underWay = new Map<number, Gathered>();
  let gatherings = 0;

  async function gather(): Promise<readonly Family[]> {
    const asked = ++gatherings;
    const told = new Map<Process, readonly Family[]>();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, TOLD_MS_MAX);
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      underWay.set(asked, { told, end });
      for (const worker of workers.keys()) worker.send({ metrics: "tell", asked } satisfies MetricsToWorker, () => {});
    });
    underWay.delete(asked);
    const numbered = [...workers].toSorted(([, a], [, b]) => Number(a) - Number(b));
    const all = numbered.map(([process, worker]) => ({ worker, families: told.get(process) ?? [] }));
    return [...joined(all), ...ofTheWorkers(all, restarts())];
  }

  return {
    take(from: Process, message: MetricsFromWorker): void {
      if (message.metrics === "mine") {
        const gathered = underWay.get(message.asked);
        gathered?.told.set(from, message.families);
        if (gathered && [...workers.keys()].every((one) => gathered.told.has(one))) gathered.end();
      } else {
        const { asked } = message;
        void gather().then((families) =>
          from.send({ metrics: "all", asked, families } satisfies MetricsToWorker, () => {}),
        );
      }
    },
  };
}

function ofTheWorkers(
  all: readonly { readonly worker: string; readonly families: readonly Family[] }[],
  restarts: number,
): readonly Family[] {
  const up = all.map(({ worker, families }) => ({
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
export function shareMetrics(tellAbove: (message: MetricsFromWorker) => void) {
  return (own: Metrics["collect"]): Metrics["collect"] => {
    const waiting = new Map<number, (families: readonly Family[]) => void>();
    let questions = 0;
    process.on("message", (message: MetricsToWorker) => {
      if (message?.metrics === "all") waiting.get(message.asked)?.(message.families);
      else if (message?.metrics === "tell")
        void own().then((families) => tellAbove({ metrics: "mine", asked: message.asked, families }));
    });
    return async () => {
      const asked = ++questions;
      try {
        return await new Promise((resolve, reject) => {
          waiting.set(asked, resolve);
          setTimeout(reject, ANSWERED_MS_MAX, new Error("the process above does not say what is measured")).unref();
          tellAbove({ metrics: "wanted", asked });
        });
      } finally {
        waiting.delete(asked);
      }
    };
  };
}
