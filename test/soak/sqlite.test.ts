import { test } from "node:test";
import { openServerOnSqlite } from "./servers.ts";
import { testShortSoak } from "./shortSoak.ts";

test("through one process on SQLite that is killed, no reader misses a change", (t) =>
  testShortSoak(openServerOnSqlite, t));
