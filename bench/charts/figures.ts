import { readFileSync } from "node:fs";

/** The figures of the charts, as `npm run bench -- --charts` stores them. */

/** Where the figures and the charts are. */
export const FIGURES_FILE = "docs/scale.json";
export const chartFile = (chart: ChartName): string => `docs/scale-${chart}.svg`;

/** What a chart varies. */
export const CHART_NAMES = ["tenders", "bids", "connections", "workers"] as const;
export type ChartName = (typeof CHART_NAMES)[number];

/** What is measured at each point: a write, a read from the database, and a read from memory. */
export const OPERATION_NAMES = ["write", "uncached", "cached"] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];

/** One operation at one point: medians of the rounds, and the spread of the processor time. */
export type Figure = {
  /** The processor time of all processes of the server for each request, in microseconds. */
  readonly cpuMicros: number;
  readonly cpuMicrosMin: number;
  readonly cpuMicrosMax: number;
  /** Requests per second. */
  readonly perSecond: number;
};

/** All operations at one number of tenders, bids, connections or workers. */
export type ChartPoint = { readonly x: number } & { readonly [operation in OperationName]: Figure };

/** Where the processor time of a POST of a tender is spent, in microseconds for each request. */
export type WriteParts = {
  /** HTTP, JSON, checks, decisions, responses. */
  readonly mainThread: number;
  /** The thread that writes to SQLite. */
  readonly writerThread: number;
  /** Garbage collection, compilation and input/output of the engine. */
  readonly otherThreads: number;
};

/** The machine, and how busy it was. */
export type MachineState = {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  /** The median time of an fsync of 4 KiB in milliseconds. */
  readonly fsyncMs: number;
  /** The load average of a minute before and after the run. It should be near zero before. */
  readonly loadBefore: number;
  readonly loadAfter: number;
};

/** One run. */
export type ChartFigures = {
  /** The day, as YYYY-MM-DD. */
  readonly measuredOn: string;
  readonly machine: MachineState;
  readonly rounds: number;
  readonly seconds: number;
  readonly charts: { readonly [chart in ChartName]: readonly ChartPoint[] };
  readonly writeParts: WriteParts;
};

export const readFigures = (): ChartFigures => JSON.parse(readFileSync(FIGURES_FILE, "utf8")) as ChartFigures;
