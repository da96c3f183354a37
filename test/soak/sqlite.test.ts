import { test } from "node:test";
import { openServerOnSqlite } from "./servers.ts";
import { testShortSoak } from "./shortSoak.ts";

test("no reader misses a change on one SQLite process that is killed", (t) => testShortSoak(openServerOnSqlite, t));
