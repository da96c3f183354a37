// `npm run soak`: runs a soak test on one engine. Exits with 1 if an acknowledged write was lost.
import { parseArgs } from "node:util";
import { openServerOnSqlite, openServersOnPostgres, openWorkersOnSqlite, type SoakTarget } from "./servers.ts";
import { soak } from "./soak.ts";

const HELP = `npm run soak -- [--seconds 60] [--engine postgres|sqlite|sqlite-alone] [--writers 6] [--fault-every 3]

Writers write at full speed through three servers, readers follow the feed in both directions and several versions, and servers
and the database are killed at random. Every reader must see every acknowledged change, in order.
`;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    engine: { type: "string", default: "postgres" },
    writers: { type: "string", default: "6" },
    "fault-every": { type: "string", default: "3" },
    help: { type: "boolean" },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
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
  const result = await soak(target, {
    seconds: Number(values.seconds),
    writers: Number(values.writers),
    faultEveryMs: Number(values["fault-every"]) * 1000,
    onProgress: (message) => console.log(message),
  });
  console.log(`No acknowledged write was lost: ${JSON.stringify(result)}`);
} finally {
  await target.close();
}
