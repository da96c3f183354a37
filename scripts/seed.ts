// `npm run seed`: fills an empty registry with tenders of realistic sizes and statuses.
import { parseArgs } from "node:util";
import { openConfiguredStore } from "../src/app/adapters.ts";
import { systemClock } from "../src/app/systemClock.ts";
import { openProgress } from "../src/cli/output/progress.ts";
import { type Config, configOf } from "../src/config/config.ts";
import { SECOND } from "../src/domain/values/time.ts";
import type { PastChange, Store } from "../src/store/store.ts";
import { openSeeds } from "./seeds.ts";

const HELP = `npm run seed -- [--tenders 100000]

Fills the empty registry in DATA_DIR or DATABASE_URL with tenders from three years: most have ended, a fifth is active with
deadlines in the future. This is for benchmarks, not for demos: all tenders have the same owner.
`;

const BATCH_ROWS = 1000;

// Only the current user may read the files, as with the server.
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
    if ((await store.position()) > 0) return fail("The registry is not empty: use another DATA_DIR or DATABASE_URL.");
    process.stderr.write("Creating the tenders to copy ...\n");
    await appendTenders(store, tenders, await openSeeds(settings.zone, systemClock() - 60 * SECOND));
  } finally {
    await store.close();
  }
}

async function appendTenders(
  store: Store,
  tenders: number,
  seedAt: (index: number, total: number) => PastChange,
): Promise<void> {
  const progress = openProgress({ label: "seeding", total: tenders, unit: "tenders", out: process.stderr });
  for (let from = 0; from < tenders; from += BATCH_ROWS) {
    const length = Math.min(BATCH_ROWS, tenders - from);
    await store.append(Array.from({ length }, (_, i) => seedAt(from + i, tenders)));
    progress.step(length);
  }
  progress.end();
}
