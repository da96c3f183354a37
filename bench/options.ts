import { parseArgs } from "node:util";
import type { Pace } from "./rounds.ts";
import { DOCUMENTS } from "./rows/documents.ts";
import { PROCEDURE } from "./rows/procedure.ts";
import { READS } from "./rows/reads.ts";
import { SEEDED } from "./rows/seeded.ts";
import { STREAMS } from "./rows/streams.ts";
import { TRANSITIONS } from "./rows/transitions.ts";
import { WRITES } from "./rows/writes.ts";
import type { RowPlan } from "./rows.ts";

/** Large files come last: the disk is busy with them for a while after. */
export const PLANS: readonly RowPlan[] = [
  ...READS,
  ...WRITES,
  ...TRANSITIONS,
  ...PROCEDURE,
  ...STREAMS,
  ...SEEDED,
  ...DOCUMENTS,
];

const PROFILED = ["GET tender, hot", "POST tender"];

const HELP = `How fast the product is, side by side with a bare node:http server and others, in one run.

  npm run bench -- [options]

  --rounds N          rounds of each row that has a target [9]; the others get about half as many
  --seconds S         how long each contestant is loaded in each round [0.5]
  --only TEXT         only the rows whose name contains this; several are separated by |
  --tenders N         how many different tenders "many" are [100000]
  --seeded DIR        a DATA_DIR that npm run seed has filled, for the rows that need one; it is written to
  --seeded-url URL    the same in PostgreSQL; a schema beside it is made and dropped
  --profile           where the time goes: the rows (default: ${PROFILED.join(" and ")}) on SQLite under --cpu-prof
  --help

Examples:

  npm run bench                                             all rows, about six minutes on a quiet machine
  npm run bench -- --rounds 2 --seconds 0.3 --tenders 2000  a quick look
  npm run bench -- --only "GET tender, hot|POST tender"     some rows
  npm run bench -- --profile --only bid                     the profile of a row
  DATA_DIR=/tmp/million npm run seed -- --tenders 1000000 && npm run bench -- --only seeded --seeded /tmp/million

The rows:
${PLANS.map(({ name, hasTarget }) => `  ${name}${hasTarget ? " *" : ""}`).join("\n")}
Those with * have a target.
`;

export type Options = {
  readonly pace: Pace;
  readonly plans: readonly RowPlan[];
  readonly tenders: number;
  readonly seeded: { readonly folder: string | undefined; readonly url: string | undefined };
  readonly profile: boolean;
};

/** What the command line asks for; where that cannot be read, says so and ends. */
export function readOptions(): Options {
  try {
    return parseOptions();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${HELP}`);
    process.exit(1);
  }
}

function parseOptions(): Options {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "9" },
      seconds: { type: "string", default: "0.5" },
      only: { type: "string" },
      tenders: { type: "string", default: "100000" },
      seeded: { type: "string" },
      "seeded-url": { type: "string" },
      profile: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const seconds = Number(values.seconds);
  if (!(seconds > 0 && seconds <= 600)) throw new Error("--seconds must be a number above 0");
  return {
    pace: { rounds: integerOption("rounds", values.rounds), seconds },
    plans: plansOf(values.only, values.profile),
    tenders: integerOption("tenders", values.tenders),
    seeded: { folder: values.seeded, url: values["seeded-url"] },
    profile: values.profile,
  };
}

function integerOption(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1`);
  return value;
}

function plansOf(only: string | undefined, profile: boolean): readonly RowPlan[] {
  if (only === undefined) return profile ? PLANS.filter(({ name }) => PROFILED.includes(name)) : PLANS;
  const wanted = only.toLowerCase().split("|");
  const plans = PLANS.filter(({ name }) => wanted.some((part) => name.toLowerCase().includes(part.trim())));
  if (plans.length === 0) throw new Error(`--only: the rows are ${PLANS.map(({ name }) => name).join("; ")}`);
  return plans;
}
