/**
 * What is counted and measured, and how it is told to Prometheus. An observation adds to a number that is at hand: names
 * and labels are looked up once, when a cell is asked for, and text is made only for whoever reads.
 *
 *   const sent = metrics.counter("tenderhall_webhooks_sent_total", "Deliveries that were sent", ["outcome"]);
 *   const delivered = sent.with("delivered");      // once
 *   delivered.add();                               // as often as it happens
 *   metrics.gauge("tenderhall_webhook_queue", "Deliveries that wait", () => queue.length);
 */

export type Labels = readonly (readonly [name: string, value: string])[];

/** One line: `suffix` follows the family's name, as in `_bucket`. */
export type Sample = { readonly suffix?: string; readonly labels: Labels; readonly value: number };
export type Family = {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
};

export type Cell = { readonly add: (by?: number) => void };
export type Timing = { readonly observe: (value: number) => void };

/** A cell for each combination of labels; their values must come from a small set. */
export type Labelled<One> = { readonly with: (...values: readonly string[]) => One };

/** Asked when somebody reads; what cannot be told at that moment is left out. */
export type Told = number | undefined | readonly Sample[];

export type Metrics = {
  readonly counter: (name: string, help: string, labels?: readonly string[]) => Labelled<Cell>;
  readonly histogram: (
    name: string,
    help: string,
    bounds: readonly number[],
    labels?: readonly string[],
  ) => Labelled<Timing>;
  readonly gauge: (name: string, help: string, ask: () => Told | Promise<Told>) => void;
  /** As a gauge, for what only rises and is counted elsewhere. */
  readonly counted: (name: string, help: string, ask: () => Told | Promise<Told>) => void;
  readonly collect: () => Promise<readonly Family[]>;
};

/** In seconds; from what comes out of memory to what somebody waits for. */
export const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

/** Whoever reads is told what can be told within this time. */
const ASKED_MS_MAX = 1000;

type Kept = Omit<Family, "samples"> & { readonly samples: () => readonly Sample[] | Promise<readonly Sample[]> };

export function openMetrics(): Metrics {
  const families = new Map<string, Kept>();

  function add(family: Kept): void {
    if (families.has(family.name)) throw new Error(`${family.name} is measured already`);
    families.set(family.name, family);
  }

  function asked(type: "gauge" | "counter") {
    return (name: string, help: string, ask: () => Told | Promise<Told>) =>
      add({ name, help, type, samples: async () => samplesOf(await inTime(ask)) });
  }

  return {
    counter(name, help, labels = []) {
      const { cells, labelled } = openCells(labels, newCell);
      add({ name, help, type: "counter", samples: () => cells().map(([of, { value }]) => ({ labels: of, value })) });
      return labelled;
    },
    histogram(name, help, bounds, labels = []) {
      const { cells, labelled } = openCells(labels, () => newTiming(bounds));
      const samples = () => cells().flatMap(([of, timing]) => samplesOfTiming(timing, bounds, of));
      add({ name, help, type: "histogram", samples });
      return labelled;
    },
    gauge: asked("gauge"),
    counted: asked("counter"),
    collect: () =>
      Promise.all([...families.values()].map(async (family) => ({ ...family, samples: await family.samples() }))),
  };
}

function openCells<One>(labels: readonly string[], make: () => One) {
  const known = new Map<string, readonly [Labels, One]>();
  const labelled: Labelled<One> = {
    with(...values) {
      const key = values.join("\n");
      const found = known.get(key);
      if (found) return found[1];
      const one = make();
      known.set(key, [labels.map((name, i) => [name, values[i] ?? ""] as const), one]);
      return one;
    },
  };
  // What has no labels is told from the start, as nought.
  if (labels.length === 0) labelled.with();
  return { cells: () => [...known.values()], labelled };
}

function newCell() {
  const cell = {
    value: 0,
    add: (by = 1) => {
      cell.value += by;
    },
  };
  return cell;
}

function newTiming(bounds: readonly number[]) {
  const timing = {
    counts: new Array<number>(bounds.length + 1).fill(0),
    sum: 0,
    observe: (value: number) => {
      let i = 0;
      while (i < bounds.length && value > bounds[i]!) i++;
      timing.counts[i]! += 1;
      timing.sum += value;
    },
  };
  return timing;
}

function samplesOfTiming(
  { counts, sum }: ReturnType<typeof newTiming>,
  bounds: readonly number[],
  labels: Labels,
): readonly Sample[] {
  let value = 0;
  const buckets = counts.map((count, i) => {
    value += count;
    const le = i < bounds.length ? String(bounds[i]) : "+Inf";
    return { suffix: "_bucket", labels: [...labels, ["le", le] as const], value };
  });
  return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value }];
}

const samplesOf = (told: Told): readonly Sample[] =>
  typeof told === "number" ? [{ labels: [], value: told }] : (told ?? []);

async function inTime(ask: () => Told | Promise<Told>): Promise<Told> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ASKED_MS_MAX, undefined);
  });
  try {
    return await Promise.race([ask(), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** The families of several processes as one list, each sample under the name of its process. */
export function joined(all: readonly { readonly worker: string; readonly families: readonly Family[] }[]) {
  const byName = new Map<string, Family>();
  for (const { worker, families } of all)
    for (const family of families) {
      const before = byName.get(family.name);
      const own = family.samples.map((one) => ({ ...one, labels: [["worker", worker] as const, ...one.labels] }));
      byName.set(family.name, { ...family, samples: [...(before?.samples ?? []), ...own] });
    }
  return [...byName.values()];
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The text format 0.0.4. A family of which nothing is known says so by its head alone. */
export const print = (families: readonly Family[]): string =>
  families
    .map(
      ({ name, help, type, samples }) =>
        `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n` +
        samples
          .map((sample) => `${name}${sample.suffix ?? ""}${labelsOf(sample)} ${numberOf(sample.value)}\n`)
          .join(""),
    )
    .join("");

function labelsOf({ labels }: Sample): string {
  if (labels.length === 0) return "";
  const escaped = (value: string) => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `{${labels.map(([name, value]) => `${name}="${escaped(value)}"`).join(",")}}`;
}

function numberOf(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
