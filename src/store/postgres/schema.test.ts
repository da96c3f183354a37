import assert from "node:assert/strict";
import { test } from "node:test";
import { openSchema } from "../../../test/support/engines.ts";
import { openPostgres } from "./postgres.ts";

const skip = process.env.TEST_DATABASE_URL ? false : "there is no PostgreSQL: set TEST_DATABASE_URL";

test("a server of an older schema that still runs on PostgreSQL can no longer write", { skip }, async () => {
  const { url, query, drop } = await openSchema();
  try {
    await (await openPostgres({ url, clock: () => 1, recentBytesMax: 0 })).close();
    const asOlder = "insert into ledger (sequence, at, tender_id, act, patch) values (1, 1, 'a', 'x', '[]')";
    await assert.rejects(query(asOlder), /null value in column "kind"/);
  } finally {
    await drop();
  }
});
