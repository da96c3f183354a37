import { test } from "node:test";
import { openWorkersOnSqlite } from "./servers.ts";
import { provesSoaked } from "./short.ts";

test("through three workers on SQLite, killed one by one and together, no reader misses a change", (t) =>
  provesSoaked(openWorkersOnSqlite, t));
