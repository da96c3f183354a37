// `npm run seed`: fills an empty registry with as many tenders as wanted, of the sizes and in the statuses of real ones.
import { parseArgs } from "node:util";
import { openConfiguredStore, systemClock } from "../src/app/start.ts";
import { openProgress } from "../src/cli/output/progress.ts";
import { type Config, configOf } from "../src/config/config.ts";
import { SECOND } from "../src/domain/values/time.ts";
import type { PastChange, Store } from "../src/store/store.ts";
import { openSeeds } from "./seeds.ts";

const HELP = `npm run seed -- [--tenders 100000]

Fills the registry that the settings name (DATA_DIR or DATABASE_URL), which must be empty, with tenders of three years:
most are over, a fifth is under way with its deadlines ahead. For measuring, not for demonstrations: all share one owner.
`;

const ROWS_AT_ONCE = 1000;

// What it makes is for the user who makes it, as the server does.
process.umask(0o077);

const { values } = parseArgs({
  options: { tenders: { type: "string", default: "100000" }, help: { type: "boolean", short: "h" } },
});
const count = Number(values.tenders);
const config = configOf(process.env);
if (values.help) process.stdout.write(HELP);
else if (!Number.isSafeInteger(count) || count < 1) fail("--tenders must be a whole number from 1");
else if (!("port" in config)) fail(config.join("\n"));
else await seed(config, count);

function fail(problem: string): void {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

async function seed(settings: Config, tenders: number): Promise<void> {
  const store = await openConfiguredStore(settings, { clock: systemClock });
  try {
    if ((await store.position()) > 0) return fail("The registry is not empty: name another DATA_DIR or DATABASE_URL.");
    process.stderr.write("Living through some procedures, to be copied ...\n");
    await appendTenders(store, tenders, await openSeeds(settings.zone, systemClock() - 60 * SECOND));
  } finally {
    await store.close();
  }
}

async function appendTenders(
  store: Store,
  tenders: number,
  seedOf: (place: number, of: number) => PastChange,
): Promise<void> {
  const progress = openProgress({ label: "seeding", total: tenders, unit: "tenders", out: process.stderr });
  for (let from = 0; from < tenders; from += ROWS_AT_ONCE) {
    const length = Math.min(ROWS_AT_ONCE, tenders - from);
    await store.append(Array.from({ length }, (_, i) => seedOf(from + i, tenders)));
    progress.step(length);
  }
  progress.end();
}
