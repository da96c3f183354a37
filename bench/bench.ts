import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { tenderBody } from "./bodies.ts";
import { openChildren } from "./children.ts";
import { compete, type Outcome, type Pace } from "./rounds.ts";
import { PLANS, type Plan, type Servers } from "./rows.ts";
import { median, tableOf, verdictOf } from "./table.ts";

const HELP = `How fast the product is, as ratios to a bare node:http server in the same run.

  npm run bench -- [--rounds 15] [--seconds 0.7] [--only TEXT]

  --rounds N     rounds of each row that has a target; the others get about half as many
  --seconds S    how long each contestant is loaded in each round
  --only TEXT    only the rows whose name contains this
`;

const BUSY_LOAD = 0.5;
const loadBefore = loadavg()[0]!;

type Wishes = { readonly pace: Pace; readonly plans: readonly Plan[] };

const wishes = wishesOf();
const children = openChildren();
const say = (text: string): void => void process.stderr.write(`${text}\n`);

function wishesOf(): Wishes {
  try {
    const { values } = parseArgs({
      options: {
        rounds: { type: "string", default: "15" },
        seconds: { type: "string", default: "0.7" },
        only: { type: "string", default: "" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) {
      process.stdout.write(HELP);
      process.exit(0);
    }
    const rounds = Number(values.rounds);
    const seconds = Number(values.seconds);
    if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds must be a whole number from 1");
    if (!(seconds > 0 && seconds <= 600)) throw new Error("--seconds must be a number above 0");
    const plans = PLANS.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()));
    if (plans.length === 0) throw new Error(`--only: the rows are ${PLANS.map(({ name }) => name).join(", ")}`);
    return { pace: { rounds, seconds }, plans };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${HELP}`);
    process.exit(1);
  }
}

async function bench({ pace, plans }: Wishes): Promise<void> {
  say(`About ${Math.ceil(durationOf(pace, plans) / 10) * 10} seconds; nothing else should keep this machine busy.`);
  const fsyncMs = fsyncTime();
  const servers: Servers = {
    product: await children.start("server.ts", "product"),
    single: await children.start("server.ts", "single", ["--single"]),
    bare: await children.start("bareServer.ts", "bare"),
  };
  const outcomes: Outcome[] = [];
  for (const plan of plans) {
    say(`${plan.name}: preparing and warming up`);
    const row = { name: plan.name, ...(await plan.prepare(servers)) };
    outcomes.push(await compete(row, paceOf(plan, pace), say));
  }
  process.stdout.write(reportOf(outcomes, pace, fsyncMs));
}

const paceOf = ({ hasTarget }: Plan, { rounds, seconds }: Pace): Pace => ({
  rounds: hasTarget ? rounds : Math.ceil(rounds / 2),
  seconds,
});

const PREPARING_SECONDS = 4;

function durationOf(pace: Pace, plans: readonly Plan[]): number {
  const rounds = plans.map((plan) => paceOf(plan, pace).rounds).reduce((a, b) => a + b);
  return rounds * pace.seconds * 2.2 + plans.length * PREPARING_SECONDS;
}

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

function reportOf(outcomes: readonly Outcome[], { rounds, seconds }: Pace, fsyncMs: number): string {
  const few = Math.ceil(rounds / 2);
  const notes = outcomes.map(
    ({ row, generatorBusy }) =>
      `  ${row.name}: ${row.compared}. Load generator busy up to ${Math.round(generatorBusy * 100)} %.`,
  );
  return `
${tableOf(outcomes)}

${verdictOf(outcomes)}

Requests a second: the median of the rounds, in brackets the least and the most. Ratio: the product's median over the
other's, in brackets the least and the most within one round. CPU: processor time of the server's process for each
request, the product's and the other's; it leaves out waiting for the disk, and neighbours disturb it less.
Every server runs in a process of its own, the load comes from another one: 32 connections that are kept, each with one
request in flight, every status checked. Rounds of ${seconds} s, the contestants in turn: ${rounds} rounds for rows with a target,
${few} for the others. The product logs a line for each request to a file; its data are in the temporary folder
(fsync there: ${fsyncMs.toFixed(2)} ms).
A published tender is a body of ${Buffer.byteLength(tenderBody())} bytes.

${notes.join("\n")}

Machine: ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${process.platform}, Node ${process.version}.
Load average before the bench: ${loadBefore.toFixed(1)}${loadBefore > BUSY_LOAD ? "; OTHERS WERE BUSY, so trust the ratios little" : ""}.
`;
}

try {
  await bench(wishes);
  process.exit(0);
} catch (error) {
  say(`The bench failed: ${(error as Error).message}`);
  process.exit(1);
}
