import { test } from "node:test";
import { postgresPrograms } from "../support/postgres.ts";
import { openServersOnPostgres } from "./servers.ts";
import { testShortSoak } from "./shortSoak.ts";

const skip = (await postgresPrograms()) ? false : "npm has no PostgreSQL for this platform";

test("through several servers on PostgreSQL, killed with their database, no reader misses a change", { skip }, (t) =>
  testShortSoak(openServersOnPostgres, t),
);
