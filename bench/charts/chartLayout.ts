import type { Box } from "../../scripts/stateDiagram.ts";

// Lays out a chart of a few lines on logarithmic axes. All lengths are in pixels of a narrow screen.

/** A point of a line. `low` and `high` are the spread of its value. */
export type LinePoint = { readonly x: number; readonly y: number; readonly low: number; readonly high: number };

/** A line of a chart. */
export type ChartLine = { readonly name: string; readonly points: readonly LinePoint[] };

/** What a chart shows. */
export type ChartContent = {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly ChartLine[];
};

/** A text in the chart: its box, and how it is placed in it. */
export type ChartText = Box & {
  readonly text: string;
  readonly anchor: "start" | "middle" | "end";
  readonly role: TextRole;
};
type TextRole = "axis" | "tick" | "legend" | "value";

/** A point in the plot area: its place, and the ends of its spread. */
export type PlottedPoint = { readonly x: number; readonly y: number; readonly lowY: number; readonly highY: number };

/** A chart whose parts have their places. */
export type ChartLayout = {
  readonly frame: Box;
  readonly plot: Box;
  readonly texts: readonly ChartText[];
  readonly gridYs: readonly number[];
  readonly tickXs: readonly number[];
  readonly lines: readonly { readonly legend: Box; readonly points: readonly PlottedPoint[] }[];
};

const WIDTH = 400;
const PLOT = { right: 34, height: 210 };
/** The distance of the numbers of the vertical axis from it. */
const TICK_GAP = 6;
const TEXT_HEIGHT = 18;
/** An upper bound for the average width of a letter in usual fonts of this size. */
const LETTER = 7.6;
const SPACE = 8;
const LEGEND_MARK = 28;

type Scale = (value: number) => number;

/** A logarithmic scale. If all values are the same, they are in the middle. */
function logScale(low: number, high: number, from: number, to: number): Scale {
  if (low === high) return () => (from + to) / 2;
  return (value) => from + ((Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))) * (to - from);
}

const STEPS = [1, 2, 5];

/** 1, 2 and 5 times powers of ten, from the last one below the values to the first one above. */
function roundNumbers(low: number, high: number): readonly number[] {
  const numbers: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    numbers.push(...STEPS.map((step) => Number((step * 10 ** power).toPrecision(1))));
  const first = numbers.findLastIndex((number) => number <= low);
  const last = numbers.findIndex((number) => number >= high);
  return numbers.slice(first, last + 1);
}

/** Lays out a chart. Every value must be above zero. */
export function layOutChart({ lines, xLabel, yLabel }: ChartContent): ChartLayout {
  const points = lines.flatMap((line) => line.points);
  const top = (lines.length + 1) * TEXT_HEIGHT + 3 * SPACE;
  const yTicks = roundNumbers(Math.min(...points.map(({ low }) => low)), Math.max(...points.map(({ high }) => high)));
  const left = Math.ceil(Math.max(...yTicks.map((y) => formatTick(y).length)) * LETTER) + TICK_GAP + SPACE;
  const plot = { x: left, y: top, width: WIDTH - left - PLOT.right, height: PLOT.height };
  const bottom = plot.y + plot.height;
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
  const scaleX = logScale(xs[0]!, xs.at(-1)!, plot.x + SPACE, plot.x + plot.width - SPACE);
  const scaleY = logScale(yTicks[0]!, yTicks.at(-1)!, bottom, plot.y);
  const plotted = lines.map((line) =>
    line.points.map(({ x, y, low, high }) => ({ x: scaleX(x), y: scaleY(y), lowY: scaleY(low), highY: scaleY(high) })),
  );
  const fixedTexts = [
    ...lines.map(({ name }, i) => textAt("legend", name, LEGEND_MARK + SPACE, SPACE + i * TEXT_HEIGHT, "start")),
    textAt("axis", yLabel, SPACE, SPACE + lines.length * TEXT_HEIGHT, "start"),
    textAt("axis", xLabel, WIDTH - SPACE, bottom + 1.5 * TEXT_HEIGHT + SPACE, "end"),
    ...withoutOverlaps(
      yTicks.map((y) => textAt("tick", formatTick(y), plot.x - TICK_GAP, scaleY(y) - TEXT_HEIGHT / 2, "end")),
    ),
    ...withoutOverlaps(xs.map((x) => textAt("tick", formatTick(x), scaleX(x), bottom + TEXT_HEIGHT / 2, "middle"))),
  ];
  return {
    frame: { x: 0, y: 0, width: WIDTH, height: bottom + 3 * TEXT_HEIGHT + SPACE },
    plot,
    texts: [...fixedTexts, ...valueTexts(lines, plotted, plot)],
    gridYs: yTicks.map(scaleY),
    tickXs: xs.map(scaleX),
    lines: plotted.map((line, i) => ({
      legend: { x: SPACE, y: SPACE + i * TEXT_HEIGHT, width: LEGEND_MARK - SPACE, height: TEXT_HEIGHT },
      points: line,
    })),
  };
}

/** The value of the first and the last point of each line, where there is room: above the line, or else below it. */
function valueTexts(
  lines: readonly ChartLine[],
  plotted: readonly (readonly PlottedPoint[])[],
  plot: Box,
): readonly ChartText[] {
  const obstacles = plotted.flatMap((line) => [...line.map(markOf), ...segmentsOf(line)]);
  const placed: ChartText[] = [];
  for (const [i, line] of lines.entries())
    for (const at of new Set([0, line.points.length - 1])) {
      const { x, lowY, highY } = plotted[i]![at]!;
      const text = formatValueLabel(line.points[at]!.y);
      const anchor = at === 0 && line.points.length > 1 ? "start" : "end";
      const side = anchor === "start" ? x - 4 : x + 4;
      const candidates = [highY - TEXT_HEIGHT - 2, lowY + 2].map((y) => textAt("value", text, side, y, anchor));
      const free = candidates.find(
        (candidate) =>
          isInside(candidate, plot) && ![...placed, ...obstacles].some((other) => overlaps(candidate, other)),
      );
      if (free) placed.push(free);
    }
  return placed;
}

const MARK = 5;
const markOf = ({ x, highY, lowY }: PlottedPoint): Box => ({
  x: x - MARK,
  y: highY,
  width: 2 * MARK,
  height: Math.max(lowY - highY, 1),
});

const PIECES = 12;

/** A line as small boxes, for what must not lie on it. */
const segmentsOf = (points: readonly PlottedPoint[]): readonly Box[] =>
  points.slice(1).flatMap((to, i) => {
    const from = points[i]!;
    return Array.from({ length: PIECES }, (_, piece) => ({
      x: from.x + ((to.x - from.x) * piece) / PIECES,
      y: from.y + ((to.y - from.y) * (piece + 0.5)) / PIECES - 1,
      width: Math.abs(to.x - from.x) / PIECES,
      height: 2,
    }));
  });

function textAt(role: TextRole, text: string, x: number, y: number, anchor: ChartText["anchor"]): ChartText {
  const width = text.length * LETTER;
  const left = { start: x, middle: x - width / 2, end: x - width }[anchor];
  return { role, text, anchor, x: left, y, width, height: TEXT_HEIGHT };
}

/** Drops texts that would overlap one before them. The last one is kept, because it is the end of the axis. */
function withoutOverlaps(texts: readonly ChartText[]): readonly ChartText[] {
  const last = texts.at(-1);
  const kept: ChartText[] = last ? [last] : [];
  for (const text of texts.slice(0, -1)) if (!kept.some((other) => overlaps(text, other))) kept.push(text);
  return kept;
}

/** Whether two boxes overlap. */
export const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Whether a box lies in another one. */
export const isInside = (inner: Box, outer: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

const formatTick = (value: number): string => value.toLocaleString("en-GB", { maximumSignificantDigits: 6 });
const formatValueLabel = (value: number): string =>
  value.toLocaleString("en-GB", { maximumSignificantDigits: value >= 100 ? 3 : 2 });
