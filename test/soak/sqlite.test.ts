import { test } from "node:test";
import { NO_PROCESSES } from "../support/processes.ts";
import { openServerOnSqlite, openWorkersOnSqlite } from "./servers.ts";
import { testShortSoak } from "./shortSoak.ts";

test(
  "through three workers on SQLite, killed one by one and together, no reader misses a change",
  { skip: NO_PROCESSES },
  (t) => testShortSoak(openWorkersOnSqlite, t),
);

test("through one process on SQLite that is killed, no reader misses a change", (t) =>
  testShortSoak(openServerOnSqlite, t));
