import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { tenderBody } from "./bodies.ts";
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

async function bench({ pace, plans, tenders, seeded }: Options): Promise<void> {
  const withPostgres = await hasPostgres();
  const products = PRODUCTS.filter((name) => withPostgres || name.startsWith("sqlite"));
  servers = openServers({ children, products });
  const missingReason = ({ missing }: RowPlan) => missing?.({ seeded, hasPostgres: withPostgres });
  const unmeasured = plans.flatMap((plan): readonly UnmeasuredRow[] => {
    const why = missingReason(plan);
    return why ? [{ name: plan.name, why }] : [];
  });
  const possible = plans.filter((plan) => !missingReason(plan));
  logProgress(
    `About ${approximateDuration(durationOf(pace, possible, products.length))}; nothing else should keep this machine busy.`,
  );
  if (!withPostgres) logProgress("npm has no PostgreSQL for this platform: it is left out.");
  const fsyncMs = measureFsync();
  const outcomes: RowOutcome[] = [];
  for (const plan of possible) {
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

/** What the disk takes to make a few kilobytes durable: every commit waits at least this long. */
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

Medians of the rounds, in brackets the least and the most. Ratio: of the medians, in brackets the least and the most within
one round. CPU: processor time of the contestant's processes for each request, without PostgreSQL's own; waiting for the disk
is not in it, and neighbours disturb it less; with two workers it is counted in steps of 10 ms.
Every server runs in a process of its own (x2: WORKERS=2, three), the load comes from one other: 32 connections that are kept
where nothing else is said, each with one request in flight, every status checked. Rounds of ${seconds} s, the contestants in turn:
${rounds} for rows with a target, ${Math.ceil(rounds / 2)} or fewer for the others. The product runs as it comes: one log line for each request, to a file.
Data are in the temporary folder (fsync there: ${fsyncMs.toFixed(2)} ms). A published tender is a body of ${Buffer.byteLength(tenderBody())} bytes.

${renderNotes(outcomes)}

Machine: ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${process.platform}, Node ${process.version}.
Load average before the bench: ${loadBefore.toFixed(1)}${loadBefore > BUSY_LOAD ? "; OTHERS WERE BUSY, so trust the ratios little" : ""}.

${renderVerdict(outcomes)}
`;
}

try {
  if (options.profile) await profileRows(options, children, logProgress);
  else await bench(options);
  await end(0);
} catch (error) {
  // Whoever is told to end takes away what the rows are about.
  if (!isEnding) {
    logProgress(`The bench failed: ${(error as Error).stack}`);
    await end(1);
  }
}
