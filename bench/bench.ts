import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { tenderBody } from "./bodies.ts";
import { openChildren } from "./children.ts";
import { type Options, optionsOf } from "./options.ts";
import { profileRows } from "./profile.ts";
import { compete, type Outcome, type Pace } from "./rounds.ts";
import type { Plan } from "./rows.ts";
import { hasPostgres, openServers, PRODUCTS, type Servers } from "./servers.ts";
import { type Left, median, notesOf, tableOf, verdictOf } from "./table.ts";

const BUSY_LOAD = 0.5;
const loadBefore = loadavg()[0]!;
const options = optionsOf();
const children = openChildren();
const say = (text: string): void => void process.stderr.write(`${text}\n`);
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
  const whyNot = ({ missing }: Plan) => missing?.({ seeded, hasPostgres: withPostgres });
  const left = plans.flatMap((plan): readonly Left[] => {
    const why = whyNot(plan);
    return why ? [{ name: plan.name, why }] : [];
  });
  const possible = plans.filter((plan) => !whyNot(plan));
  say(`About ${roughly(durationOf(pace, possible, products.length))}; nothing else should keep this machine busy.`);
  if (!withPostgres) say("npm has no PostgreSQL for this platform: it is left out.");
  const fsyncMs = fsyncTime();
  const outcomes: Outcome[] = [];
  for (const plan of possible) {
    say(`${plan.name}: preparing and warming up`);
    const row = await plan.prepare({ servers, children, tenders, seeded });
    outcomes.push(await compete(plan.name, row, paceOf(plan, pace), say));
    await row.end?.();
  }
  process.stdout.write(reportOf(outcomes, left, pace, fsyncMs));
}

const paceOf = ({ hasTarget, roundsMax = Number.POSITIVE_INFINITY }: Plan, { rounds, seconds }: Pace): Pace => ({
  rounds: Math.min(hasTarget ? rounds : Math.ceil(rounds / 2), roundsMax),
  seconds,
});

const PREPARING_SECONDS = 7;

function durationOf(pace: Pace, plans: readonly Plan[], products: number): number {
  const rounds = plans.map((plan) => paceOf(plan, pace).rounds + 2).reduce((a, b) => a + b, 0);
  return rounds * pace.seconds * products + plans.length * PREPARING_SECONDS;
}

const roughly = (seconds: number): string =>
  seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 10) * 10} seconds`;

/** What the disk takes to make a few kilobytes durable: every commit waits at least this long. */
function fsyncTime(): number {
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

function reportOf(outcomes: readonly Outcome[], left: readonly Left[], pace: Pace, fsyncMs: number): string {
  const { rounds, seconds } = pace;
  return `
${tableOf(outcomes, left)}

Medians of the rounds, in brackets the least and the most. Ratio: of the medians, in brackets the least and the most within
one round. CPU: processor time of the contestant's processes for each request, without PostgreSQL's own; waiting for the disk
is not in it, and neighbours disturb it less; with two workers it is counted in steps of 10 ms.
Every server runs in a process of its own (x2: WORKERS=2, three), the load comes from one other: 32 connections that are kept
where nothing else is said, each with one request in flight, every status checked. Rounds of ${seconds} s, the contestants in turn:
${rounds} for rows with a target, ${Math.ceil(rounds / 2)} or fewer for the others. The product runs as it comes: one log line for each request, to a file.
Data are in the temporary folder (fsync there: ${fsyncMs.toFixed(2)} ms). A published tender is a body of ${Buffer.byteLength(tenderBody())} bytes.

${notesOf(outcomes)}

Machine: ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${process.platform}, Node ${process.version}.
Load average before the bench: ${loadBefore.toFixed(1)}${loadBefore > BUSY_LOAD ? "; OTHERS WERE BUSY, so trust the ratios little" : ""}.

${verdictOf(outcomes)}
`;
}

try {
  if (options.profile) await profileRows(options, children, say);
  else await bench(options);
  await end(0);
} catch (error) {
  // Whoever is told to end takes away what the rows are about.
  if (!isEnding) {
    say(`The bench failed: ${(error as Error).stack}`);
    await end(1);
  }
}
