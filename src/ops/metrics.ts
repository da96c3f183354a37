/**
 * Metrics in the format of Prometheus. An observation only adds to a number: labels are looked up once, by `with`, and text is
 * formatted only when metrics are read.
 *
 *   const sent = metrics.counter("tenderhall_webhooks_sent_total", "Deliveries that were sent", ["outcome"]);
 *   const delivered = sent.with("delivered");      // once
 *   delivered.add();                               // as often as it happens
 *   metrics.gauge("tenderhall_webhook_queue", "Deliveries that wait", () => queue.length);
 */

export type MetricLabels = readonly (readonly [name: string, value: string])[];

/** A line of the output; `suffix` is appended to the name of the family, such as `_bucket`. */
export type MetricSample = { readonly suffix?: string; readonly labels: MetricLabels; readonly value: number };
export type MetricFamily = {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly MetricSample[];
};

export type Counter = { readonly add: (by?: number) => void };
export type Histogram = { readonly observe: (value: number) => void };

/** A metric for each combination of label values, in the order of the label names. The values must come from a small set. */
export type LabelledMetric<Metric> = { readonly with: (...values: readonly string[]) => Metric };

/** A value that is read when the metrics are; `undefined` if it is not available then. */
export type GaugeValue = number | undefined | readonly MetricSample[];

export type Metrics = {
  readonly counter: (name: string, help: string, labels?: readonly string[]) => LabelledMetric<Counter>;
  readonly histogram: (
    name: string,
    help: string,
    bounds: readonly number[],
    labels?: readonly string[],
  ) => LabelledMetric<Histogram>;
  /** Registers a gauge. `read` is called whenever the metrics are collected; if it fails or takes too long, the gauge has no value. */
  readonly gauge: (name: string, help: string, read: () => GaugeValue | Promise<GaugeValue>) => void;
  /** As `gauge`, for a number that only increases and is counted elsewhere. */
  readonly observableCounter: (name: string, help: string, read: () => GaugeValue | Promise<GaugeValue>) => void;
  readonly collect: () => Promise<readonly MetricFamily[]>;
};

/** Upper bounds in seconds, from reads of memory to waits that people notice. */
export const DURATION_BUCKETS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

/** A gauge that takes longer to read has no value. */
const READ_MS_MAX = 1000;

type RegisteredFamily = Omit<MetricFamily, "samples"> & {
  readonly samples: () => readonly MetricSample[] | Promise<readonly MetricSample[]>;
};

/** Opens an empty set of metrics. Registering a name twice throws. */
export function openMetrics(): Metrics {
  const families = new Map<string, RegisteredFamily>();

  function register(family: RegisteredFamily): void {
    if (families.has(family.name)) throw new Error(`metric ${family.name} is already registered`);
    families.set(family.name, family);
  }

  function observable(type: "gauge" | "counter") {
    return (name: string, help: string, read: () => GaugeValue | Promise<GaugeValue>) =>
      register({ name, help, type, samples: async () => gaugeSamples(await readInTime(read)) });
  }

  return {
    counter(name, help, labels = []) {
      const { cells, labelledMetric } = openLabelledMetric(labels, newCounter);
      register({
        name,
        help,
        type: "counter",
        samples: () => cells().map(([cellLabels, { value }]) => ({ labels: cellLabels, value })),
      });
      return labelledMetric;
    },
    histogram(name, help, bounds, labels = []) {
      const { cells, labelledMetric } = openLabelledMetric(labels, () => newHistogram(bounds));
      const samples = () =>
        cells().flatMap(([cellLabels, histogram]) => histogramSamples(histogram, bounds, cellLabels));
      register({ name, help, type: "histogram", samples });
      return labelledMetric;
    },
    gauge: observable("gauge"),
    observableCounter: observable("counter"),
    collect: () =>
      Promise.all([...families.values()].map(async (family) => ({ ...family, samples: await family.samples() }))),
  };
}

function openLabelledMetric<Metric>(labels: readonly string[], create: () => Metric) {
  const cells = new Map<string, readonly [MetricLabels, Metric]>();
  const labelledMetric: LabelledMetric<Metric> = {
    with(...values) {
      const key = values.join("\n");
      const found = cells.get(key);
      if (found) return found[1];
      const metric = create();
      cells.set(key, [labels.map((name, i) => [name, values[i] ?? ""] as const), metric]);
      return metric;
    },
  };
  // A metric without labels is reported as zero from the start.
  if (labels.length === 0) labelledMetric.with();
  return { cells: () => [...cells.values()], labelledMetric };
}

function newCounter() {
  const counter = {
    value: 0,
    add: (by = 1) => {
      counter.value += by;
    },
  };
  return counter;
}

function newHistogram(bounds: readonly number[]) {
  const histogram = {
    counts: new Array<number>(bounds.length + 1).fill(0),
    sum: 0,
    observe: (value: number) => {
      // `i` ends at most at `bounds.length`, which is the last index of `counts`.
      let i = 0;
      while (i < bounds.length && value > bounds[i]!) i++;
      histogram.counts[i]! += 1;
      histogram.sum += value;
    },
  };
  return histogram;
}

function histogramSamples(
  { counts, sum }: ReturnType<typeof newHistogram>,
  bounds: readonly number[],
  labels: MetricLabels,
): readonly MetricSample[] {
  let value = 0;
  const buckets = counts.map((count, i) => {
    value += count;
    const le = i < bounds.length ? String(bounds[i]) : "+Inf";
    return { suffix: "_bucket", labels: [...labels, ["le", le] as const], value };
  });
  return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value }];
}

const gaugeSamples = (value: GaugeValue): readonly MetricSample[] =>
  typeof value === "number" ? [{ labels: [], value }] : (value ?? []);

async function readInTime(read: () => GaugeValue | Promise<GaugeValue>): Promise<GaugeValue> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, READ_MS_MAX, undefined);
  });
  try {
    return await Promise.race([read(), timeout]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Merges the families of several processes; each sample gets the label `worker`. */
export function mergeByWorker(
  workers: readonly { readonly worker: string; readonly families: readonly MetricFamily[] }[],
) {
  const byName = new Map<string, MetricFamily>();
  for (const { worker, families } of workers)
    for (const family of families) {
      const merged = byName.get(family.name);
      const labelledSamples = family.samples.map((sample) => ({
        ...sample,
        labels: [["worker", worker] as const, ...sample.labels],
      }));
      byName.set(family.name, { ...family, samples: [...(merged?.samples ?? []), ...labelledSamples] });
    }
  return [...byName.values()];
}

export const METRICS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The Prometheus text format 0.0.4. A family without samples has its HELP and TYPE lines only. */
export const formatMetrics = (families: readonly MetricFamily[]): string =>
  families
    .map(
      ({ name, help, type, samples }) =>
        `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n` +
        samples
          .map((sample) => `${name}${sample.suffix ?? ""}${formatLabels(sample)} ${formatNumber(sample.value)}\n`)
          .join(""),
    )
    .join("");

function formatLabels({ labels }: MetricSample): string {
  if (labels.length === 0) return "";
  const escaped = (value: string) => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `{${labels.map(([name, value]) => `${name}="${escaped(value)}"`).join(",")}}`;
}

function formatNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
