import { barChart, type Chart, lineChart } from "../charts/charts.ts";
import { formatDecimal, formatNumber, formatPercent } from "../layout/formats.ts";
import { LANGUAGE_ROWS, type Language, localeOf } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { html, type Markup } from "../markup.ts";
import { amountsIn, averageDays, bidsPerTender, type Figures, savingsShare, singleBidShare } from "./figures.ts";
import { formatAverage, type StatisticsRow } from "./statisticsTables.ts";

/** The charts of the months. */

const monthFormats = new Map<string, Intl.DateTimeFormat>();

/** The name of a month such as 2026-11: `November 2026`, or `11.2026` and `Nov 2026` if short. */
export function formatMonth(month: string, language: Language, style: "long" | "short" = "long"): string {
  const key = `${language} ${style}`;
  const format =
    monthFormats.get(key) ??
    new Intl.DateTimeFormat(localeOf(language), {
      year: "numeric",
      month: style === "long" ? "long" : LANGUAGE_ROWS[language].shortMonth,
      timeZone: "UTC",
    });
  monthFormats.set(key, format);
  return format.format(Date.parse(`${month}-01`));
}

const compactFormats = new Map<Language, Intl.NumberFormat>();

/** A number for the axis of a chart: `1.5M`, `1,5 млн`. */
export function formatCompact(value: number, language: Language): string {
  const format =
    compactFormats.get(language) ??
    new Intl.NumberFormat(localeOf(language), { notation: "compact", maximumFractionDigits: 1 });
  compactFormats.set(language, format);
  return format.format(value);
}

/** How a chart shows its values. */
type ChartKind = {
  readonly id: string;
  readonly title: string;
  readonly isWhole?: boolean;
  readonly draw: (chart: Chart) => Markup;
  readonly value: (figures: Figures) => number | undefined;
  readonly show: (figures: Figures, value: number) => string;
  readonly formatTick: (value: number) => string;
};

/** The charts of what has no currency. */
export function countCharts(rows: readonly StatisticsRow[], language: Language): readonly Markup[] {
  const { charts } = messagesIn(language).statistics;
  const whole = (value: number) => formatNumber(value, language);
  const average = (value: number) => formatAverage(value, language);
  const percent = (value: number) => formatPercent(value, language);
  const compact = (value: number) => formatCompact(value, language);
  const kinds: readonly ChartKind[] = [
    {
      id: "tenders",
      title: charts.tenders,
      isWhole: true,
      draw: barChart,
      value: ({ counts }) => counts.tenders,
      show: (_figures, value) => whole(value),
      formatTick: compact,
    },
    ratioChart("bidsPerTender", charts.bidsPerTender, bidsPerTender, average),
    ratioChart("singleBidShare", charts.singleBidShare, singleBidShare, percent),
    ratioChart("averageDays", charts.averageDays, averageDays, average),
    {
      id: "complaints",
      title: charts.complaints,
      isWhole: true,
      draw: barChart,
      value: ({ counts }) => counts.complaints,
      show: (_figures, value) => whole(value),
      formatTick: compact,
    },
  ];
  return kinds.flatMap((kind) => figureOf(kind, rows, language));
}

const ratioChart = (
  id: string,
  title: string,
  value: (figures: Figures) => number | undefined,
  show: (value: number) => string,
): ChartKind => ({ id, title, draw: lineChart, value, show: (_figures, ratio) => show(ratio), formatTick: show });

/** The charts of amounts in a currency. `index` tells the ids of several currencies apart. */
export function amountCharts(
  rows: readonly StatisticsRow[],
  currency: string,
  index: number,
  language: Language,
): readonly Markup[] {
  const { charts } = messagesIn(language).statistics;
  const amountChart = (measure: "value" | "contractedValue"): ChartKind => ({
    id: `${measure}-${index}`,
    title: charts[measure](currency),
    draw: barChart,
    value: (figures) => Number(amountsIn(figures, currency)[measure]),
    show: (figures) => formatDecimal(amountsIn(figures, currency)[measure], language),
    formatTick: (value) => formatCompact(value, language),
  });
  const percent = (value: number) => formatPercent(value, language);
  const shareOf = (figures: Figures) => savingsShare(amountsIn(figures, currency));
  const kinds = [
    amountChart("value"),
    amountChart("contractedValue"),
    ratioChart(`savingsShare-${index}`, charts.savingsShare(currency), shareOf, percent),
  ];
  return kinds.flatMap((kind) => figureOf(kind, rows, language));
}

/** The chart with its title; nothing if there is no value to draw. */
function figureOf(kind: ChartKind, rows: readonly StatisticsRow[], language: Language): readonly Markup[] {
  const values = rows.map(({ key, figures }) => {
    const value = kind.value(figures);
    const month = formatMonth(key, language);
    const text = value === undefined ? month : `${month}: ${kind.show(figures, value)}`;
    return { label: formatMonth(key, language, "short"), value, text };
  });
  if (values.every(({ value }) => value === undefined)) return [];
  const chart = kind.draw({ ...kind, id: `chart-${kind.id}`, points: values, description: describe(values, language) });
  return [
    html`<figure class="chart-figure">
<figcaption>${kind.title}</figcaption>
${chart}
</figure>
`,
  ];
}

/** Says the highest and the lowest value; the rest is in the table. */
function describe(points: Chart["points"], language: Language): string {
  const known = points.flatMap(({ value, text }) => (value === undefined ? [] : [{ value, text }]));
  const byValue = known.toSorted((a, b) => a.value - b.value);
  return messagesIn(language).statistics.chartRange(byValue.at(-1)?.text ?? "", byValue[0]?.text ?? "");
}
