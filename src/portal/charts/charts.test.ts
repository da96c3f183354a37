import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { barChart, type Chart, lineChart, meterBar } from "./charts.ts";
import { positionOn, scaleFor } from "./scale.ts";

const chartOf = (values: readonly (number | undefined)[], more: Partial<Chart> = {}): Chart => ({
  id: "c",
  title: "Закупівлі",
  description: "Найбільше — 5",
  points: values.map((value, i) => ({ label: `m${i}`, value, text: `m${i}: ${value}` })),
  formatTick: String,
  ...more,
});

const count = (markup: string, part: string) => markup.split(part).length - 1;

describe("the scale of an axis", () => {
  it("has round ticks, zero and all values", () => {
    assert.deepEqual(scaleFor([3, 7, 19]).ticks, [0, 5, 10, 15, 20]);
    assert.deepEqual(scaleFor([0.12, 0.34]).ticks, [0, 0.1, 0.2, 0.3, 0.4]);
    assert.deepEqual(scaleFor([-4, 9]).ticks, [-5, 0, 5, 10]);
    assert.deepEqual(scaleFor([2], { isWhole: true }).ticks, [0, 1, 2]);
    assert.deepEqual(scaleFor([0, 0]).ticks, [0, 1]);
    assert.deepEqual(scaleFor([]).ticks, [0, 1]);
  });

  it("has few ticks for any values, and each value on it", () => {
    const values = fc.array(fc.double({ noNaN: true, min: -1e34, max: 1e34 }), { maxLength: 20 });
    fc.assert(
      fc.property(values, fc.boolean(), (numbers, isWhole) => {
        const usable = numbers.filter((value) => value === 0 || Math.abs(value) > 1e-6);
        const scale = scaleFor(usable, { isWhole });
        assert.ok(scale.ticks.length >= 2 && scale.ticks.length <= 7, String(scale.ticks));
        for (const value of usable) {
          const position = positionOn(scale, value);
          assert.ok(position >= -1e-9 && position <= 1 + 1e-9, `${value} at ${position}`);
        }
      }),
    );
  });
});

describe("a bar chart", () => {
  it("has a bar as high as each value", () => {
    const { markup } = barChart(chartOf([10, 5, 0]));
    const heights = [...markup.matchAll(/<rect class="chart-bar"[^>]* height="([\d.]+)"/g)].map(([, height]) =>
      Number(height),
    );
    assert.equal(heights.length, 3);
    assert.equal(heights[2], 0);
    assert.ok(Math.abs((heights[0] ?? 0) - 2 * (heights[1] ?? 0)) < 0.2);
  });

  it("has a name and a description for those who do not see it", () => {
    const { markup } = barChart(chartOf([1]));
    assert.match(markup, /role="img" aria-labelledby="c-title c-description"/);
    assert.match(markup, /<title id="c-title">Закупівлі<\/title>\s*<desc id="c-description">Найбільше — 5<\/desc>/);
  });

  it("draws bars of negative values below zero", () => {
    const { markup } = barChart(chartOf([-5, 5]));
    const bars = [...markup.matchAll(/<rect class="chart-bar"[^>]* y="([\d.]+)"/g)].map(([, y]) => Number(y));
    assert.ok((bars[0] ?? 0) > (bars[1] ?? 0));
    assert.match(markup, /class="chart-zero"/);
  });

  it("has no style attributes, which the policy of the pages forbids, and escapes texts", () => {
    const hostile = { title: "<script>", description: '"><script>', formatTick: () => "<b>" };
    for (const { markup } of [barChart(chartOf([1], hostile)), lineChart(chartOf([1], hostile)), meterBar(1)])
      assert.doesNotMatch(markup, /style=|<script|<b>/);
  });

  it("labels the last point and no more points than there is room for", () => {
    const { markup } = barChart(chartOf(Array(120).fill(1)));
    assert.match(markup, />m119</);
    assert.ok(count(markup, `y="182"`) <= 5);
  });

  it("leaves room between labels, and cuts none at the edge", () => {
    const LETTER = 6.8;
    for (const length of [1, 2, 3, 6, 12, 13, 24, 37, 120]) {
      const points = Array.from({ length }, (_, i) => ({ label: "Nov 2026", value: i, text: "" }));
      const { markup } = barChart(chartOf([], { points }));
      const labels = [...markup.matchAll(/x="([\d.]+)" y="182" text-anchor="(end|middle)">([^<]+)</g)].map(
        ([, x, anchor, text = ""]) => {
          const width = text.length * LETTER;
          const from = Number(x) - (anchor === "end" ? width : width / 2);
          return { from, to: from + width };
        },
      );
      assert.ok(labels.length >= Math.min(length, 3), `${labels.length} labels of ${length}`);
      for (const [i, { from, to }] of labels.entries()) {
        assert.ok(from >= (labels[i - 1]?.to ?? -Infinity) + 6, `${length} points: label ${i} touches the one before`);
        assert.ok(to <= 360, `${length} points: label ${i} leaves the picture`);
      }
    }
  });

  it("is drawn without points", () => {
    assert.doesNotMatch(barChart(chartOf([])).markup + lineChart(chartOf([])).markup, /NaN|Infinity/);
  });
});

describe("a line chart", () => {
  it("has gaps where there is no value", () => {
    const { markup } = lineChart(chartOf([1, 2, undefined, 3, undefined]));
    const [, path = ""] = / d="([^"]+)"/.exec(markup) ?? [];
    assert.equal(count(path, "M"), 2);
    assert.equal(count(path, "L"), 1);
    assert.equal(count(markup, "<circle"), 3);
  });
});

describe("a bar in a table", () => {
  it("is as wide as the share, within its bounds", () => {
    const widthOf = (share: number) => /rect class="chart-bar" width="([\d.]+)"/.exec(meterBar(share).markup)?.[1];
    assert.deepEqual([0, 0.255, 1, 2, -1, Number.NaN].map(widthOf), ["0", "25.5", "100", "100", "0", "0"]);
  });
});
