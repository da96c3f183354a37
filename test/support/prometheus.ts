import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { METRICS_CONTENT_TYPE } from "../../src/ops/metrics.ts";

/** A time series and its value. */
export type Series = {
  readonly name: string;
  readonly labels: { readonly [name: string]: string };
  readonly value: number;
};
/** The parsed response of /metrics. */
export type MetricsSnapshot = { readonly types: ReadonlyMap<string, string>; readonly series: readonly Series[] };

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$/;

/** Parses the Prometheus text format 0.0.4 strictly. Asserts that families are contiguous and histograms consistent. */
export function readMetrics(text: string): MetricsSnapshot {
  assert.ok(text.endsWith("\n"));
  const types = new Map<string, string>();
  const series: Series[] = [];
  const seenKeys = new Set<string>();
  let family = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, name, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === "HELP") {
      assert.ok(!types.has(name!), `${name} is repeated`);
      family = name!;
    } else if (kind === "TYPE") {
      assert.equal(name, family);
      types.set(family, rest!);
    } else {
      const sample = seriesOf(line);
      const base = types.get(family) === "histogram" ? sample.name.replace(/_(bucket|sum|count)$/, "") : sample.name;
      assert.equal(base, family, line);
      const [seriesKey] = line.split(/ (?=\S+$)/);
      assert.ok(!seenKeys.has(seriesKey!), `${seriesKey} is repeated`);
      seenKeys.add(seriesKey!);
      series.push(sample);
    }
  }
  checkHistograms({ types, series });
  return { types, series };
}

function seriesOf(line: string): Series {
  const [, name, labels = "", value] = SAMPLE.exec(line) ?? assert.fail(`not a sample: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text] as const);
  return { name: name!, labels: Object.fromEntries(pairs), value: Number(value!.replace("Inf", "Infinity")) };
}

/** Asserts that buckets are cumulative and the last one has the total count. */
function checkHistograms({ types, series }: MetricsSnapshot): void {
  for (const [name, type] of types) {
    if (type !== "histogram") continue;
    const groups = Map.groupBy(
      series.filter((candidate) => candidate.name === `${name}_bucket`),
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
      const count = series.find(
        (candidate) => candidate.name === `${name}_count` && JSON.stringify(candidate.labels) === labels,
      );
      assert.equal(count?.value, values.at(-1), name);
    }
  }
}

/** The sum of all series with these labels. */
export const sumOf = (
  { series }: MetricsSnapshot,
  name: string,
  labels: { readonly [name: string]: string } = {},
): number =>
  series
    .filter(
      (candidate) =>
        candidate.name === name && Object.entries(labels).every(([label, text]) => candidate.labels[label] === text),
    )
    .reduce((sum, { value }) => sum + value, 0);

export const askForMetrics = async (url: string, headers: { readonly [name: string]: string } = {}) => {
  const response = await fetch(`${url}/metrics`, { headers: { Connection: "close", ...headers } });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
};

export async function scrape(url: string): Promise<MetricsSnapshot> {
  const { status, type, text } = await askForMetrics(url);
  assert.deepEqual([status, type], [200, METRICS_CONTENT_TYPE], text);
  return readMetrics(text);
}

/** The name and type of each metric that the documentation lists. */
export const documentedMetrics = [
  ...readFileSync("docs/operations.md", "utf8").matchAll(/^\| `((?:tenderhall|process|nodejs)_\w+)` \| (\w+) \|/gm),
].map(([, name, type]) => [name!, type!] as const);

/** The bytes of request bodies that a server has received and not responded to: shows that it has begun to read a request. */
export async function bodyBytesInFlight(url: string): Promise<number> {
  const { text } = await askForMetrics(url);
  return Number(/^tenderhall_body_bytes_in_flight (\d+)/m.exec(text)![1]);
}
