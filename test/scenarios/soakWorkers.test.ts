import { test } from "node:test";
import { openWorkersOnSqlite } from "../soak/servers.ts";
import { testShortSoak } from "../soak/shortSoak.ts";
import { NO_PROCESSES } from "../support/processes.ts";

test(
  "through three workers on SQLite, killed one by one and together, no reader misses a change",
  { skip: NO_PROCESSES },
  (t) => testShortSoak(openWorkersOnSqlite, t),
);
