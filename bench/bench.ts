import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { tenderBody } from "./bodies.ts";
import { measureFigures, writeCharts } from "./charts/charts.ts";
import { openChildProcesses } from "./children.ts";
import { type Options, readOptions } from "./options.ts";
import { profileRows } from "./profile.ts";
import { type Pace, type RowOutcome, runRounds } from "./rounds.ts";
import type { RowPlan } from "./rows.ts";
import { hasPostgres, openServers, PRODUCTS, type Servers } from "./servers.ts";
import { median, renderNotes, renderTable, renderVerdict, type UnmeasuredRow } from "./table.ts";

const BUSY_LOAD = 0.5;
const loadBefore = loadavg()[0]!;
const options = readOptions();
const children = openChildProcesses();
const logProgress = (text: string): void => void process.stderr.write(`${text}\n`);
let servers: Servers | undefined;
let isEnding = false;

for (const [signal, code] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const, ["SIGHUP", 129] as const])
  process.on(signal, () => void end(code));

async function end(code: number): Promise<never> {
  isEnding = true;
  await Promise.resolve(servers?.close()).catch(() => {});
  process.exit(code);
}

/** Measures the series of the charts, and writes docs/scale.json, the charts and the figures of docs/scale.md. */
async function drawCharts({ pace, tenders }: Options): Promise<void> {
  const rounds = Math.ceil(pace.rounds / 2);
  const seriesOptions = { children, pace: { ...pace, rounds }, tendersMax: tenders, logProgress };
  logProgress("A few minutes; nothing else should run on this machine.");
  const figures = await measureFigures(seriesOptions, measureFsync(), loadBefore);
  await children.close();
  process.stdout.write(`Written: ${writeCharts(figures).join(", ")}.\n`);
}

async function bench({ pace, plans, tenders, seeded }: Options): Promise<void> {
  const withPostgres = await hasPostgres();
  const products = PRODUCTS.filter((name) => withPostgres || name.startsWith("sqlite"));
  servers = openServers({ children, products });
  const missingReason = ({ missing }: RowPlan) => missing?.({ seeded, hasPostgres: withPostgres });
  const unmeasured = plans.flatMap((plan): readonly UnmeasuredRow[] => {
    const why = missingReason(plan);
    return why ? [{ name: plan.name, why }] : [];
  });
  const measurable = plans.filter((plan) => !missingReason(plan));
  logProgress(
    `About ${approximateDuration(durationOf(pace, measurable, products.length))}; nothing else should run on this machine.`,
  );
  if (!withPostgres) logProgress("PostgreSQL is skipped: npm has no package of it for this platform.");
  const fsyncMs = measureFsync();
  const outcomes: RowOutcome[] = [];
  for (const plan of measurable) {
    logProgress(`${plan.name}: preparing and warming up`);
    const row = await plan.prepare({ servers, children, tenders, seeded });
    outcomes.push(await runRounds(plan.name, row, paceOf(plan, pace), logProgress));
    await row.end?.();
  }
  process.stdout.write(renderReport(outcomes, unmeasured, pace, fsyncMs));
}

const paceOf = ({ hasTarget, roundsMax = Number.POSITIVE_INFINITY }: RowPlan, { rounds, seconds }: Pace): Pace => ({
  rounds: Math.min(hasTarget ? rounds : Math.ceil(rounds / 2), roundsMax),
  seconds,
});

const PREPARING_SECONDS = 7;

function durationOf(pace: Pace, plans: readonly RowPlan[], products: number): number {
  const rounds = plans.map((plan) => paceOf(plan, pace).rounds + 2).reduce((a, b) => a + b, 0);
  return rounds * pace.seconds * products + plans.length * PREPARING_SECONDS;
}

const approximateDuration = (seconds: number): string =>
  seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 10) * 10} seconds`;

/** The median duration of an fsync of 4 KiB in milliseconds: every commit takes at least this long. */
function measureFsync(): number {
  const file = openSync(join(children.folder, "fsync"), "w");
  const times = Array.from({ length: 50 }, () => {
    const started = performance.now();
    writeSync(file, Buffer.alloc(4096, 1));
    fsyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  return median(times);
}

function renderReport(
  outcomes: readonly RowOutcome[],
  unmeasured: readonly UnmeasuredRow[],
  pace: Pace,
  fsyncMs: number,
): string {
  const { rounds, seconds } = pace;
  return `
${renderTable(outcomes, unmeasured)}

Values are medians of the rounds, with minimum and maximum in brackets. The ratio is that of the medians, with minimum and maximum
of single rounds in brackets. CPU is the processor time of the contestant's processes for each request, without PostgreSQL; it
excludes waiting for the disk and varies less with other load.
Every server runs in its own process (x2: WORKERS=2, three processes). The load comes from one other process: 32 persistent
connections unless stated otherwise, each with one request in flight; every status is checked. Contestants take turns in rounds of
${seconds} s: ${rounds} rounds for rows with a target, ${Math.ceil(rounds / 2)} or fewer for the others. The product has its default settings and logs one line for each request to a file.
The data is in the temporary folder (fsync: ${fsyncMs.toFixed(2)} ms). A tender is created with a body of ${Buffer.byteLength(tenderBody())} bytes.

${renderNotes(outcomes)}

Machine: ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${process.platform}, Node ${process.version}.
Load average before the bench: ${loadBefore.toFixed(1)}${loadBefore > BUSY_LOAD ? "; THE MACHINE WAS BUSY, so the ratios are unreliable" : ""}.

${renderVerdict(outcomes)}
`;
}

try {
  if (options.profile) await profileRows(options, children, logProgress);
  else if (options.charts) await drawCharts(options);
  else await bench(options);
  await end(0);
} catch (error) {
  // A signal stops the servers, which makes the current row fail.
  if (!isEnding) {
    logProgress(`The bench failed: ${(error as Error).stack}`);
    await end(1);
  }
}
