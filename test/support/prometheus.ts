import assert from "node:assert/strict";

/** Reads the text format 0.0.4 as strictly as Prometheus does, and holds it to its own rules. */

export type Series = {
  readonly name: string;
  readonly labels: { readonly [name: string]: string };
  readonly value: number;
};
export type Scraped = { readonly types: ReadonlyMap<string, string>; readonly series: readonly Series[] };

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$/;

export function readMetrics(text: string): Scraped {
  assert.ok(text.endsWith("\n"));
  const types = new Map<string, string>();
  const series: Series[] = [];
  const seen = new Set<string>();
  let family = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, name, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === "HELP") {
      assert.ok(!types.has(name!), `${name} comes twice`);
      family = name!;
    } else if (kind === "TYPE") {
      assert.equal(name, family);
      types.set(family, rest!);
    } else {
      const one = seriesOf(line);
      const base = types.get(family) === "histogram" ? one.name.replace(/_(bucket|sum|count)$/, "") : one.name;
      assert.equal(base, family, line);
      const [place] = line.split(/ (?=\S+$)/);
      assert.ok(!seen.has(place!), `${place} comes twice`);
      seen.add(place!);
      series.push(one);
    }
  }
  checkHistograms({ types, series });
  return { types, series };
}

function seriesOf(line: string): Series {
  const [, name, labels = "", value] = SAMPLE.exec(line) ?? assert.fail(`this is no sample: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text] as const);
  return { name: name!, labels: Object.fromEntries(pairs), value: Number(value!.replace("Inf", "Infinity")) };
}

/** Buckets never fall, and the last holds all. */
function checkHistograms({ types, series }: Scraped): void {
  for (const [name, type] of types) {
    if (type !== "histogram") continue;
    const groups = Map.groupBy(
      series.filter((one) => one.name === `${name}_bucket`),
      ({ labels: { le: _le, ...rest } }) => JSON.stringify(rest),
    );
    for (const [labels, buckets] of groups) {
      const values = buckets.map(({ value }) => value);
      assert.deepEqual(
        values,
        values.toSorted((a, b) => a - b),
        name,
      );
      assert.equal(buckets.at(-1)!.labels.le, "+Inf");
      const count = series.find((one) => one.name === `${name}_count` && JSON.stringify(one.labels) === labels);
      assert.equal(count?.value, values.at(-1), name);
    }
  }
}

/** The sum of what has these labels. */
export const sumOf = ({ series }: Scraped, name: string, labels: { readonly [name: string]: string } = {}): number =>
  series
    .filter((one) => one.name === name && Object.entries(labels).every(([label, text]) => one.labels[label] === text))
    .reduce((sum, { value }) => sum + value, 0);
