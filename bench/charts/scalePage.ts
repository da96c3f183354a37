import type { ChartContent } from "./chartLayout.ts";
import {
  CHART_NAMES,
  type ChartFigures,
  type ChartName,
  type ChartPoint,
  OPERATION_NAMES,
  type OperationName,
} from "./figures.ts";

// The charts and the parts of docs/scale.md that are written from the figures.

/** The page with the charts. */
export const SCALE_PAGE = "docs/scale.md";

type ChartTexts = {
  readonly title: string;
  readonly xLabel: string;
  /** The head of the first column of its table. */
  readonly column: string;
  readonly write: string;
};

const TEXTS: { readonly [chart in ChartName]: ChartTexts } = {
  tenders: {
    title: "Processor time of a request, by the number of tenders in the registry",
    xLabel: "tenders in the registry",
    column: "tenders",
    write: "POST of a tender",
  },
  bids: {
    title: "Processor time of a request, by the number of bids on the tender",
    xLabel: "bids on the tender",
    column: "bids",
    write: "POST of a bid",
  },
  connections: {
    title: "Processor time of a request, by the number of connections",
    xLabel: "connections, one request each",
    column: "connections",
    write: "POST of a tender",
  },
  workers: {
    title: "Processor time of a request, by the number of workers",
    xLabel: "workers (processes)",
    column: "workers",
    write: "POST of a tender",
  },
};

const READS: { readonly [operation in Exclude<OperationName, "write">]: string } = {
  uncached: "GET of a tender, from the database",
  cached: "GET of a tender, from memory",
};

const operationText = (chart: ChartName, operation: OperationName): string =>
  operation === "write" ? TEXTS[chart].write : READS[operation];

/** What a chart shows. */
export function chartContent(chart: ChartName, points: readonly ChartPoint[]): ChartContent {
  const { title, xLabel } = TEXTS[chart];
  return {
    title,
    xLabel,
    yLabel: "µs of processor time per request, log scale",
    lines: OPERATION_NAMES.map((operation) => ({
      name: operationText(chart, operation),
      points: points.map((point) => {
        const { cpuMicros, cpuMicrosMin, cpuMicrosMax } = point[operation];
        return { x: point.x, y: cpuMicros, low: cpuMicrosMin, high: cpuMicrosMax };
      }),
    })),
  };
}

/** The description of a chart for screen readers: the first and the last value of each line. */
export function chartDescription(chart: ChartName, points: readonly ChartPoint[]): string {
  const [first, last] = [points[0]!, points.at(-1)!];
  const { column } = TEXTS[chart];
  const lines = OPERATION_NAMES.map(
    (operation) =>
      `${operationText(chart, operation)}: ${micros(first[operation].cpuMicros)} at ${count(first.x)} ${column}, ` +
      `${micros(last[operation].cpuMicros)} at ${count(last.x)}`,
  );
  return `Both axes are logarithmic. ${lines.join(". ")}. Vertical bars are the spread of the rounds.`;
}

const count = (value: number): string => value.toLocaleString("en-GB");
const micros = (value: number): string => `${count(value)} µs`;
const rate = (value: number): string => `${count(value)}/s`;

function chartTable(chart: ChartName, points: readonly ChartPoint[]): string {
  const heads = OPERATION_NAMES.map((operation) => operationText(chart, operation));
  const rows = points.map((point) => {
    const cells = OPERATION_NAMES.map((operation) => {
      const { cpuMicros, perSecond } = point[operation];
      return `${micros(cpuMicros)}, ${rate(perSecond)}`;
    });
    return `| ${count(point.x)} | ${cells.join(" | ")} |`;
  });
  return [`| ${TEXTS[chart].column} | ${heads.join(" | ")} |`, "|---|---|---|---|", ...rows].join("\n");
}

const BUSY_LOAD = 0.5;

function machineText({ machine, measuredOn, rounds, seconds }: ChartFigures): string {
  const { processor, cores, memoryGiB, node, fsyncMs, loadBefore, loadAfter } = machine;
  const isBusy = loadBefore > BUSY_LOAD;
  return `Measured on ${measuredOn}: ${processor}, ${cores} hardware threads, ${memoryGiB} GiB of memory, an fsync of ${fsyncMs} ms, Node
${node}, SQLite. The load generator runs on the same machine. Figures are medians of ${rounds} rounds of ${seconds} s. The load average was
${loadBefore} before the run and ${loadAfter} after it${
    isBusy
      ? `. **Other programs were using the machine**, so rates are lower than on a quiet one, and
processor times higher`
      : ""
  }.`;
}

function writePartsTable({ writeParts: { mainThread, writerThread, otherThreads } }: ChartFigures): string {
  const total = mainThread + writerThread + otherThreads;
  const row = (what: string, value: number) =>
    `| ${what} | ${micros(Math.round(value))} | ${Math.round((100 * value) / total)} % |`;
  return [
    "| part of a POST of a tender | processor time | share |",
    "|---|---|---|",
    row("main thread: HTTP, JSON, checks, the decision, the response", mainThread),
    row("writer thread: rows and indexes in SQLite, the commit", writerThread),
    row("threads of the engine: garbage collection, compilation", otherThreads),
  ].join("\n");
}

/** The most writes and reads a second at any number of connections. */
function summaryText({ charts }: ChartFigures): string {
  const most = (operation: OperationName) =>
    charts.connections.reduce((best, point) => (point[operation].perSecond > best[operation].perSecond ? point : best));
  const line = (what: string, operation: OperationName) => {
    const point = most(operation);
    return `- ${what}: ${rate(point[operation].perSecond)} at ${count(point.x)} connections`;
  };
  return [
    line("tenders published, each on disk before it is acknowledged", "write"),
    line("tenders read from the database", "uncached"),
    line("tenders read from memory", "cached"),
  ].join("\n");
}

/** The generated blocks of the page by name. */
export function scaleBlocks(figures: ChartFigures): ReadonlyMap<string, string> {
  return new Map([
    ["machine", machineText(figures)],
    ["summary", summaryText(figures)],
    ["parts", writePartsTable(figures)],
    ...CHART_NAMES.map((chart) => [chart, chartTable(chart, figures.charts[chart])] as const),
  ]);
}

const BLOCK = /(<!-- figures: (\w+) -->\n\n)(.*?)(\n\n<!-- end of figures -->)/gs;

/** The page with its blocks written from the figures. Throws if it has another set of blocks. */
export function withFigures(page: string, figures: ChartFigures): string {
  const blocks = scaleBlocks(figures);
  const names = [...page.matchAll(BLOCK)].map(([, , name]) => name!);
  if (names.toSorted().join() !== [...blocks.keys()].sort().join())
    throw new Error(`${SCALE_PAGE} has the blocks ${names.join(", ")}, not ${[...blocks.keys()].join(", ")}`);
  return page.replace(
    BLOCK,
    (_, before: string, name: string, _old: string, after: string) => before + blocks.get(name)! + after,
  );
}

/** The page without its generated blocks: no measured figure may stand there. */
export const withoutFigures = (page: string): string => page.replace(BLOCK, "");
