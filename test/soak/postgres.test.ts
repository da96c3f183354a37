import { test } from "node:test";
import { postgresPrograms } from "../support/postgres.ts";
import { openServersOnPostgres } from "./servers.ts";
import { testShortSoak } from "./shortSoak.ts";

const skip = (await postgresPrograms()) ? false : "npm has no PostgreSQL for this platform";

test(
  "no reader misses a change on several servers with PostgreSQL that are killed with their database",
  // As long as a number of faults and writes, which a busy machine needs longer for than any other test.
  { skip, timeout: 600_000 },
  (t) => testShortSoak(openServersOnPostgres, t),
);
