// `npm run soak`: runs as long as requested on the requested engine, and exits with 1 at the first loss.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { openServerOnSqlite, openServersOnPostgres, openWorkersOnSqlite, type SoakTarget } from "./servers.ts";
import { soak } from "./soak.ts";

const HELP = `npm run soak -- [--seconds 60] [--engine postgres|sqlite|sqlite-alone] [--writers 6] [--fault-every 3]
npm run soak -- --auctions 100000

Writers at full speed through three servers, readers following the feed in all directions and versions, servers and
database killed at random: every acknowledged change must be seen by every reader, in order.

With --auctions, so many random auctions: each must end as an independent computation says, and its replay must be the same.
`;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    engine: { type: "string", default: "postgres" },
    writers: { type: "string", default: "6" },
    "fault-every": { type: "string", default: "3" },
    auctions: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
if (values.auctions !== undefined) {
  const env = { ...process.env, TEST_SEED: "random", AUCTION_RUNS: values.auctions };
  const { status } = spawnSync(process.execPath, ["test/run.ts", "test/properties/auctions"], {
    env,
    stdio: "inherit",
  });
  process.exit(status ?? 1);
}
const targets: { readonly [engine: string]: () => Promise<SoakTarget> } = {
  postgres: openServersOnPostgres,
  sqlite: openWorkersOnSqlite,
  "sqlite-alone": openServerOnSqlite,
};
const open = targets[values.engine];
if (!open) {
  process.stderr.write(HELP);
  process.exit(2);
}
const target = await open();
try {
  const soaked = await soak(target, {
    writers: Number(values.writers),
    length: { seconds: Number(values.seconds), faultEveryMs: Number(values["fault-every"]) * 1000 },
    onProgress: (line) => console.log(line),
  });
  console.log(`Nothing was lost, nothing was skipped: ${JSON.stringify(soaked)}`);
} finally {
  await target.close();
}
