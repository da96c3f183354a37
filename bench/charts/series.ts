import type { ChildProcesses, ServerProcess } from "../children.ts";
import { measure } from "../load.ts";
import { threadUsage } from "../processTree.ts";
import { type ContestantResult, type Pace, runRounds } from "../rounds.ts";
import { type Contestant, failOn, loadOf, underLoad } from "../rows.ts";
import { median } from "../table.ts";
import {
  CHART_NAMES,
  type ChartFigures,
  type ChartName,
  type ChartPoint,
  type Figure,
  type OperationName,
  type WriteParts,
} from "./figures.ts";
import { type MeasuredRegistry, type PointRequests, REGISTRIES, writeLoad } from "./registries.ts";

/** What the series are measured with. */
export type SeriesOptions = {
  readonly children: ChildProcesses;
  readonly pace: Pace;
  readonly tendersMax: number;
  readonly logProgress: (text: string) => void;
};

type Series = Pick<ChartFigures, "charts" | "writeParts">;

/** Measures all charts one after another. */
export async function measureSeries(options: SeriesOptions): Promise<Series> {
  const charts = new Map<ChartName, readonly ChartPoint[]>();
  for (const chart of CHART_NAMES) charts.set(chart, await measureChart(chart, options));
  return {
    charts: Object.fromEntries(charts) as { readonly [chart in ChartName]: readonly ChartPoint[] },
    writeParts: await measureWriteParts(options),
  };
}

/** What is measured at one point, and which figure it becomes. */
type Measured = { readonly x: number; readonly operation: OperationName; readonly contestant: Contestant };
type Prepared = { readonly registry: MeasuredRegistry; readonly points: readonly PointRequests[] };

/** Writes and cached reads are measured first. Then the same registries are served without a cache. */
async function measureChart(chart: ChartName, options: SeriesOptions): Promise<readonly ChartPoint[]> {
  const { children, tendersMax, logProgress } = options;
  logProgress(`${chart}: preparing`);
  const registries = REGISTRIES[chart]({ children, tendersMax });
  for (const { fill } of registries) await fill?.();
  const prepared: Prepared[] = [];
  const cachedPhase: Measured[] = [];
  const servers: ServerProcess[] = [];
  for (const registry of registries) {
    const server = await children.startMain({ name: registry.name, env: registry.env });
    servers.push(server);
    const points = await registry.prepare(server.url);
    prepared.push({ registry, points });
    for (const point of points) cachedPhase.push(...cachedOperations(server, point));
  }
  const first = await runPhase(chart, cachedPhase, options);
  await Promise.all(servers.map((server) => server.stop()));
  const second = await measureUncached(chart, prepared, options);
  return pointsOf([...first, ...second]);
}

const cachedOperations = (server: ServerProcess, point: PointRequests): readonly Measured[] => [
  measuredAs("write", point, underLoad(`write ${point.x}`, server, writeLoad(server.url, point))),
  measuredAs(
    "cached",
    point,
    underLoad(`cached ${point.x}`, server, loadOf(server.url, point.reads.slice(0, 1), point.connections)),
  ),
];

const measuredAs = (operation: OperationName, { x }: PointRequests, contestant: Contestant): Measured => ({
  x,
  operation,
  contestant,
});

async function measureUncached(
  chart: ChartName,
  prepared: readonly Prepared[],
  options: SeriesOptions,
): Promise<readonly MeasuredResult[]> {
  const phase: Measured[] = [];
  const servers: ServerProcess[] = [];
  for (const { registry, points } of prepared) {
    const env = { ...registry.env, CACHE_BYTES_MAX: "0" };
    const server = await options.children.startMain({ name: registry.name, env });
    servers.push(server);
    for (const point of points) {
      const load = loadOf(server.url, point.reads, point.connections);
      phase.push(measuredAs("uncached", point, underLoad(`uncached ${point.x}`, server, load)));
    }
  }
  const results = await runPhase(chart, phase, options);
  await Promise.all(servers.map((server) => server.stop()));
  return results;
}

type MeasuredResult = Measured & { readonly result: ContestantResult };

/** Takes turns with all points, so that other load on the machine does not fall on one of them. */
async function runPhase(
  chart: ChartName,
  measured: readonly Measured[],
  { pace, logProgress }: SeriesOptions,
): Promise<readonly MeasuredResult[]> {
  const row = { unit: "req/s" as const, compared: chart, contestants: measured.map(({ contestant }) => contestant) };
  const { results } = await runRounds(chart, row, pace, logProgress);
  return measured.map((each, i) => ({ ...each, result: results[i]! }));
}

function pointsOf(results: readonly MeasuredResult[]): readonly ChartPoint[] {
  const xs = [...new Set(results.map(({ x }) => x))].sort((a, b) => a - b);
  return xs.map((x) => {
    const figureFor = (operation: OperationName) =>
      figureOf(results.find((candidate) => candidate.x === x && candidate.operation === operation)!.result);
    return { x, write: figureFor("write"), uncached: figureFor("uncached"), cached: figureFor("cached") };
  });
}

/** The medians of a contestant. Throws if the platform does not report processor times. */
export function figureOf({ contestant, samples }: ContestantResult): Figure {
  const cpu = samples.flatMap(({ cpuMicros }) => cpuMicros ?? []);
  if (cpu.length === 0) throw new Error(`${contestant.name}: this platform does not report processor times`);
  return {
    cpuMicros: threeDigits(median(cpu)),
    cpuMicrosMin: threeDigits(Math.min(...cpu)),
    cpuMicrosMax: threeDigits(Math.max(...cpu)),
    perSecond: threeDigits(median(samples.map(({ value }) => value))),
  };
}

const threeDigits = (value: number): number => Number(value.toPrecision(3));

const MAIN_THREAD = "node-MainThread";
const WRITER_THREAD = "WorkerThread";

/** Splits the processor time of a POST of a tender by the threads of the one process. */
async function measureWriteParts({ children, pace, logProgress }: SeriesOptions): Promise<WriteParts> {
  const [registry] = REGISTRIES.workers({ children, tendersMax: 1 });
  if (!registry) throw new Error("there is no registry with one worker");
  const name = "charts threads";
  const server = await children.startMain({ name, env: registry.env });
  const [point] = await registry.prepare(server.url);
  const load = writeLoad(server.url, point!);
  await measure(load, 2 * pace.seconds);
  const rounds: WriteParts[] = [];
  for (let round = 0; round < pace.rounds; round++) {
    const before = threadUsage(server.pid);
    const { errors, responses } = await measure(load, pace.seconds);
    failOn(name, errors);
    const used = (thread: string, after: number) => (after - (before.get(thread) ?? 0)) / responses;
    rounds.push(partsOf([...threadUsage(server.pid)].map(([thread, after]) => [thread, used(thread, after)])));
    logProgress(
      `  threads, round ${round + 1} of ${pace.rounds}, us: ${Object.values(rounds.at(-1)!).map(Math.round).join(" | ")}`,
    );
  }
  await server.stop();
  const medianOf = (part: keyof WriteParts) => threeDigits(median(rounds.map((parts) => parts[part])));
  return {
    mainThread: medianOf("mainThread"),
    writerThread: medianOf("writerThread"),
    otherThreads: medianOf("otherThreads"),
  };
}

/** Groups the times of threads by what the threads are for. */
export function partsOf(threads: readonly (readonly [name: string, micros: number])[]): WriteParts {
  const sum = (isWanted: (name: string) => boolean) =>
    threads.filter(([name]) => isWanted(name)).reduce((total, [, micros]) => total + micros, 0);
  return {
    mainThread: sum((name) => name === MAIN_THREAD),
    writerThread: sum((name) => name === WRITER_THREAD),
    otherThreads: sum((name) => name !== MAIN_THREAD && name !== WRITER_THREAD),
  };
}
