import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type ChartContent, isInside, layOutChart, overlaps } from "../bench/charts/chartLayout.ts";
import { renderChart } from "../bench/charts/chartSvg.ts";
import { renderCharts } from "../bench/charts/charts.ts";
import { CHART_NAMES, type ChartFigures, type ChartPoint, type Figure } from "../bench/charts/figures.ts";
import { sizesUpTo } from "../bench/charts/registries.ts";
import { chartContent, chartDescription } from "../bench/charts/scalePage.ts";
import { figureOf, partsOf } from "../bench/charts/series.ts";
import { committingProcesses } from "../bench/rows/writeCosts.ts";

const figure = (cpuMicros: number): Figure => ({
  cpuMicros,
  cpuMicrosMin: cpuMicros * 0.8,
  cpuMicrosMax: cpuMicros * 1.3,
  perSecond: 1e6 / cpuMicros,
});

const pointsAt = (xs: readonly number[]): readonly ChartPoint[] =>
  xs.map((x, i) => ({ x, write: figure(240 + 10 * i), uncached: figure(130 - 5 * i), cached: figure(20 + i) }));

const FIXED: ChartFigures = {
  measuredOn: "2026-11-16",
  machine: {
    processor: "Processor <A & B>",
    cores: 2,
    memoryGiB: 24,
    node: "26.10.0",
    fsyncMs: 0.13,
    loadBefore: 0.1,
    loadAfter: 1.5,
  },
  rounds: 5,
  seconds: 0.5,
  charts: {
    tenders: pointsAt([100, 1000, 10_000, 100_000]),
    bids: pointsAt([1, 10, 100, 300, 1000]),
    connections: pointsAt([1, 2, 8, 32, 128]),
    workers: pointsAt([1, 2, 4]),
  },
  writeParts: { mainThread: 130, writerThread: 60, otherThreads: 50 },
};

/** Throws unless every element is closed in order and every attribute is quoted. */
function assertWellFormed(svg: string): void {
  const open: string[] = [];
  const rest = svg.replace(
    /<(\/?)(\w+)((?:\s[\w:-]+="[^"<]*")*)\s*(\/?)>/g,
    (_, closes, name, _attributes, isEmpty) => {
      if (closes) assert.equal(open.pop(), name);
      else if (!isEmpty) open.push(name);
      return "";
    },
  );
  assert.deepEqual(open, []);
  assert.doesNotMatch(rest, /[<>]|&(?!(amp|lt|gt|quot);)/);
}

function assertReadable(content: ChartContent): void {
  const { frame, plot, texts, lines } = layOutChart(content);
  for (const [i, a] of texts.entries()) {
    assert.ok(isInside(a, frame), `${a.text} leaves the chart`);
    for (const b of texts.slice(i + 1)) assert.ok(!overlaps(a, b), `${a.text} overlaps ${b.text}`);
    for (const { legend } of lines) assert.ok(!overlaps(a, legend), `${a.text} overlaps a legend`);
  }
  // Computing with logarithms rounds.
  const isBetween = (low: number, value: number, high: number) => low - 0.001 <= value && value <= high + 0.001;
  for (const { points } of lines)
    for (const { x, y, lowY, highY } of points) {
      assert.ok(isBetween(plot.x, x, plot.x + plot.width));
      for (const each of [y, lowY, highY]) assert.ok(isBetween(plot.y, each, plot.y + plot.height));
      assert.ok(highY <= y && y <= lowY);
    }
}

describe("the charts of docs/scale.md", () => {
  for (const chart of CHART_NAMES)
    it(`have no overlapping labels, and every point in the plot area: ${chart}`, () => {
      const content = chartContent(chart, FIXED.charts[chart]);
      assertReadable(content);
      const texts = layOutChart(content).texts.map(({ text }) => text);
      for (const expected of [content.xLabel, content.yLabel, ...content.lines.map(({ name }) => name)])
        assert.ok(texts.includes(expected), expected);
      assert.match(content.yLabel, /µs/);
    });

  it("are well-formed SVG with a title and a description, in light and dark colours", () => {
    for (const [file, svg] of renderCharts(FIXED)) {
      assertWellFormed(svg);
      assert.match(
        svg,
        /^<svg [^>]*role="img" aria-labelledby="title desc">\n<title id="title">[^<]+<\/title>\n<desc id="desc">/,
      );
      assert.match(svg, /prefers-color-scheme: dark/);
      assert.doesNotMatch(svg, /NaN|undefined|Infinity/, file);
    }
    assert.throws(() => assertWellFormed("<svg><g></svg>"));
    assert.throws(() => assertWellFormed("<svg>a & b</svg>"));
  });

  it("are described by their first and last values", () => {
    assert.match(
      chartDescription("bids", FIXED.charts.bids),
      /POST of a bid: 240 µs at 1 bids, 280 µs at 1,000\. GET of a tender, from the database: 130 µs/,
    );
  });

  it("escape XML characters", () => {
    const svg = renderChart({ ...chartContent("bids", FIXED.charts.bids), title: "a < b & c" }, '"x"');
    assertWellFormed(svg);
    assert.match(svg, /a &lt; b &amp; c.*\n.*&quot;x&quot;/);
  });

  it("are readable with any figures", () => {
    const value = fc.double({ min: 1, max: 100_000, noNaN: true });
    const anyFigure = fc.record({ cpuMicros: value, low: fc.double({ min: 0.1, max: 1, noNaN: true }) }).map(
      ({ cpuMicros, low }): Figure => ({
        cpuMicros,
        cpuMicrosMin: cpuMicros * low,
        cpuMicrosMax: cpuMicros / low,
        perSecond: 1,
      }),
    );
    const point = fc.record({
      x: fc.integer({ min: 1, max: 1_000_000 }),
      write: anyFigure,
      uncached: anyFigure,
      cached: anyFigure,
    });
    const points = fc.uniqueArray(point, { minLength: 1, maxLength: 8, selector: ({ x }) => x });
    fc.assert(
      fc.property(points, (any) => {
        const sorted = any.toSorted((a, b) => a.x - b.x);
        assertReadable(chartContent("tenders", sorted));
        assertWellFormed(renderChart(chartContent("tenders", sorted), chartDescription("tenders", sorted)));
      }),
    );
  });
});

describe("the figures of the charts", () => {
  it("are medians with their spread, in three digits", () => {
    const contestant = { name: "write 1", run: () => Promise.reject(new Error("not run")) };
    const samples = [100.04, 300, 200.49].map((cpuMicros) => ({ value: 1e6 / cpuMicros, cpuMicros }));
    assert.deepEqual(figureOf({ contestant, samples }), {
      cpuMicros: 200,
      cpuMicrosMin: 100,
      cpuMicrosMax: 300,
      perSecond: 4990,
    });
    assert.throws(() => figureOf({ contestant, samples: [{ value: 1 }] }), /write 1: this platform/);
  });

  it("divide a write by the threads of the process", () => {
    const threads = [
      ["node-MainThread", 130],
      ["WorkerThread", 60],
      ["node-V8Worker", 30],
      ["libuv-worker", 5],
    ] as const;
    assert.deepEqual(partsOf(threads), { mainThread: 130, writerThread: 60, otherThreads: 35 });
  });

  it("have registries of powers of ten up to the largest", () => {
    assert.deepEqual(sizesUpTo(100_000), [100, 1000, 10_000, 100_000]);
    assert.deepEqual(sizesUpTo(2000), [100, 1000, 2000]);
    assert.deepEqual(sizesUpTo(50), [50]);
  });
});

describe("the processes that commit", () => {
  const used = (pid: number, writtenBytes: number) => ({ pid, cpuMicros: 1, writtenBytes });
  const pidsOf = (...usages: readonly ReturnType<typeof used>[]) => committingProcesses(usages).map(({ pid }) => pid);

  it("are those that write more than log lines", () => {
    assert.deepEqual(pidsOf(used(1, 0), used(2, 900_000), used(3, 30_000)), [2]);
    assert.deepEqual(pidsOf(used(1, 0), used(2, 500_000), used(3, 480_000)), [2, 3]);
    assert.throws(() => pidsOf(used(1, 0)), /does not say/);
  });
});
