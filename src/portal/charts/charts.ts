import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { positionOn, type Scale, scaleFor } from "./scale.ts";

/**
 * Charts as SVG, drawn on the server. Colours come from the style by the classes of the elements, because the policy of the pages
 * forbids style attributes. The unit is about a pixel on a phone, so that labels are legible there.
 */

/** A value of a chart. */
export type ChartPoint = {
  /** What the value is about, such as a month. */
  readonly label: string;
  /** Undefined if there is none: a line has a gap there. */
  readonly value: number | undefined;
  /** The value with its label, as it is shown when the pointer rests on it. */
  readonly text: string;
};

export type Chart = {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** What the chart shows, in words, for those who do not see it. */
  readonly description: string;
  readonly points: readonly ChartPoint[];
  readonly formatTick: (value: number) => string;
  /** Whether values are whole numbers. */
  readonly isWhole?: boolean;
};

const WIDTH = 360;
const HEIGHT = 190;
const LEFT = 62;
const RIGHT = WIDTH - 10;
const TOP = 12;
const BOTTOM = HEIGHT - 26;
const LABELS_MAX = 5;
/** The width of a letter of a label, which is rather too much than too little. */
const LETTER_WIDTH = 7;
const LABEL_GAP = 8;
const BAR_SHARE = 0.7;
const DOT_RADIUS = 3;
/** With more points than this, the dots of a line would run into each other. */
const DOTS_MAX = 40;

const rounded = (coordinate: number): number => Math.round(coordinate * 10) / 10;

/** Vertical bars, one for each point. */
export function barChart(chart: Chart): Markup {
  const scale = scaleOf(chart);
  const slot = (RIGHT - LEFT) / Math.max(1, chart.points.length);
  const zero = yOf(scale, 0);
  const bars = chart.points.map(({ value, text }, i) => {
    if (value === undefined) return EMPTY_MARKUP;
    const y = yOf(scale, value);
    const x = rounded(LEFT + slot * (i + (1 - BAR_SHARE) / 2));
    return html`<rect class="chart-bar" x="${x}" y="${Math.min(y, zero)}" width="${rounded(slot * BAR_SHARE)}" height="${rounded(Math.abs(zero - y))}"><title>${text}</title></rect>\n`;
  });
  return frame(chart, scale, html`${bars}`);
}

/** A line through the points, with gaps where there is no value. */
export function lineChart(chart: Chart): Markup {
  const scale = scaleOf(chart);
  const { points } = chart;
  const dots = points.map(({ value, text }, i) =>
    value === undefined
      ? EMPTY_MARKUP
      : html`<circle class="chart-dot" cx="${xOf(i, points.length)}" cy="${yOf(scale, value)}" r="${points.length > DOTS_MAX ? 1 : DOT_RADIUS}"><title>${text}</title></circle>\n`,
  );
  return frame(chart, scale, html`<path class="chart-line" d="${linePath(points, scale)}"/>\n${dots}`);
}

const scaleOf = ({ points, isWhole = false }: Chart): Scale =>
  scaleFor(
    points.flatMap(({ value }) => value ?? []),
    { isWhole },
  );

const xOf = (index: number, count: number): number =>
  rounded(LEFT + ((RIGHT - LEFT) * (index + 0.5)) / Math.max(1, count));
const yOf = (scale: Scale, value: number): number => rounded(BOTTOM - (BOTTOM - TOP) * positionOn(scale, value));

function linePath(points: readonly ChartPoint[], scale: Scale): string {
  const parts = points.map(({ value }, i) => {
    if (value === undefined) return "";
    const isStart = points[i - 1]?.value === undefined;
    return `${isStart ? "M" : "L"}${xOf(i, points.length)} ${yOf(scale, value)}`;
  });
  return parts.join("");
}

/** The axes with their labels, around the marks. */
function frame({ id, title, description, points, formatTick }: Chart, scale: Scale, marks: Markup): Markup {
  const lines = scale.ticks.map((tick) => {
    const y = yOf(scale, tick);
    return html`<line class="${tick === 0 ? "chart-zero" : "chart-grid"}" x1="${LEFT}" x2="${RIGHT}" y1="${y}" y2="${y}"/><text class="chart-label" x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${formatTick(tick)}</text>\n`;
  });
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-description">
<title id="${id}-title">${title}</title>
<desc id="${id}-description">${description}</desc>
${lines}${pointLabels(points)}${marks}</svg>`;
}

/** As many labels below the points as there is room for, always with the last one, which must not leave the picture. */
function pointLabels(points: readonly ChartPoint[]): readonly Markup[] {
  const width = LETTER_WIDTH * Math.max(1, ...points.map(({ label }) => label.length));
  const last = points.length - 1;
  const isAtEdge = xOf(last, points.length) + width / 2 > RIGHT;
  // A label at the edge ends there instead of being centred, so it comes closer to the one before.
  const lastCentre = isAtEdge ? RIGHT - width / 2 : xOf(last, points.length);
  const shift = xOf(last, points.length) - lastCentre;
  const slot = (RIGHT - LEFT) / Math.max(1, points.length);
  const every = Math.max(Math.ceil(points.length / LABELS_MAX), Math.ceil((width + LABEL_GAP + shift) / slot));
  return points.map(({ label }, i) => {
    if ((last - i) % every !== 0) return EMPTY_MARKUP;
    const [x, anchor] = i === last && isAtEdge ? [RIGHT, "end"] : [xOf(i, points.length), "middle"];
    return html`<text class="chart-label" x="${x}" y="${HEIGHT - 8}" text-anchor="${anchor}">${label}</text>\n`;
  });
}

const METER_WIDTH = 100;

/** A bar beside a number in a table: `share` of the widest one, from 0 to 1. The number says the same, so it is hidden from readers. */
export function meterBar(share: number): Markup {
  const width = rounded(Math.max(0, Math.min(1, Number.isFinite(share) ? share : 0)) * METER_WIDTH);
  return html`<svg class="meter-bar" viewBox="0 0 ${METER_WIDTH} 8" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="chart-bar" width="${width}" height="8"/></svg>`;
}
