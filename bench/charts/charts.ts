import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { renderChart } from "./chartSvg.ts";
import { CHART_NAMES, type ChartFigures, chartFile, FIGURES_FILE } from "./figures.ts";
import { chartContent, chartDescription, SCALE_PAGE, withFigures } from "./scalePage.ts";
import { measureSeries, type SeriesOptions } from "./series.ts";

/** Measures the series of the charts. */
export async function measureFigures(
  options: SeriesOptions,
  fsyncMs: number,
  loadBefore: number,
): Promise<ChartFigures> {
  const series = await measureSeries(options);
  return {
    measuredOn: new Date().toISOString().slice(0, 10),
    machine: {
      processor: cpus()[0]?.model.trim() ?? "unknown",
      cores: availableParallelism(),
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      node: process.version.slice(1),
      fsyncMs: Number(fsyncMs.toFixed(2)),
      loadBefore: Number(loadBefore.toFixed(1)),
      loadAfter: Number(loadavg()[0]!.toFixed(1)),
    },
    ...options.pace,
    ...series,
  };
}

/** The charts of these figures by file. */
export const renderCharts = ({ charts }: ChartFigures): ReadonlyMap<string, string> =>
  new Map(
    CHART_NAMES.map((chart) => [
      chartFile(chart),
      renderChart(chartContent(chart, charts[chart]), chartDescription(chart, charts[chart])),
    ]),
  );

/** Writes the figures, the charts and the generated parts of the page. Returns the names of the files. */
export function writeCharts(figures: ChartFigures): readonly string[] {
  const files = new Map([
    [FIGURES_FILE, `${JSON.stringify(figures, undefined, 2)}\n`],
    ...renderCharts(figures),
    [SCALE_PAGE, withFigures(readFileSync(SCALE_PAGE, "utf8"), figures)],
  ]);
  for (const [file, text] of files) writeFileSync(file, text);
  return [...files.keys()];
}
