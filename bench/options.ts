import { parseArgs } from "node:util";
import type { Pace } from "./rounds.ts";
import { AUCTIONS } from "./rows/auctions.ts";
import { DOCUMENTS } from "./rows/documents.ts";
import { HISTORY } from "./rows/history.ts";
import { OPEN_DATA } from "./rows/openData.ts";
import { PROCEDURE } from "./rows/procedure.ts";
import { READS } from "./rows/reads.ts";
import { SEARCH } from "./rows/search.ts";
import { SEEDED } from "./rows/seeded.ts";
import { STREAMS } from "./rows/streams.ts";
import { TENDER_PAGES } from "./rows/tenderPages.ts";
import { TRANSITIONS } from "./rows/transitions.ts";
import { WRITE_COSTS } from "./rows/writeCosts.ts";
import { WRITES } from "./rows/writes.ts";
import type { RowPlan } from "./rows.ts";

/** All rows. Large files come last, because they keep the disk busy for a while. */
export const PLANS: readonly RowPlan[] = [
  ...READS,
  ...TENDER_PAGES,
  ...HISTORY,
  ...OPEN_DATA,
  ...SEARCH,
  ...WRITES,
  ...WRITE_COSTS,
  ...TRANSITIONS,
  ...PROCEDURE,
  ...STREAMS,
  ...AUCTIONS,
  ...SEEDED,
  ...DOCUMENTS,
];

const PROFILED = ["GET tender, hot", "POST tender"];

const HELP = `Measures the product side by side with a bare node:http server and other baselines.

  npm run bench -- [options]

  --rounds N          rounds of each row that has a target [9]; the others get about half as many
  --seconds S         how long each contestant is loaded in each round [0.5]
  --only TEXT         only rows whose name contains TEXT; separate several by |
  --tenders N         the number of tenders in rows with many tenders [100000]
  --seeded DIR        a DATA_DIR filled by npm run seed, for the rows that need one; the bench writes to it
  --seeded-url URL    the same in PostgreSQL; the bench creates and drops a schema beside it
  --charts            measure the series of docs/scale.md instead, with half as many rounds, and write its charts and figures
  --profile           profile the rows instead (default: ${PROFILED.join(" and ")}) on SQLite under --cpu-prof
  --help              show this text

Examples:

  npm run bench                                             all rows, about ten minutes on a quiet machine
  npm run bench -- --rounds 2 --seconds 0.3 --tenders 2000  a quick run
  npm run bench -- --only "GET tender, hot|POST tender"     some rows
  npm run bench -- --charts                                 the charts of docs/scale.md, a few minutes
  npm run bench -- --profile --only bid                     the profile of a row
  DATA_DIR=/tmp/million npm run seed -- --tenders 1000000 && npm run bench -- --only seeded --seeded /tmp/million

The rows:
${PLANS.map(({ name, hasTarget }) => `  ${name}${hasTarget ? " *" : ""}`).join("\n")}
Rows marked * have a target.
`;

/** The parsed command line. */
export type Options = {
  readonly pace: Pace;
  readonly plans: readonly RowPlan[];
  readonly tenders: number;
  readonly seeded: { readonly folder: string | undefined; readonly url: string | undefined };
  readonly charts: boolean;
  readonly profile: boolean;
};

/** Parses the command line. Prints the problem and exits if it is invalid. */
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
      charts: { type: "boolean", default: false },
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
    charts: values.charts,
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
  const parts = only.toLowerCase().split("|");
  const plans = PLANS.filter(({ name }) => parts.some((part) => name.toLowerCase().includes(part.trim())));
  if (plans.length === 0)
    throw new Error(`--only matches no row; the rows are ${PLANS.map(({ name }) => name).join("; ")}`);
  return plans;
}
