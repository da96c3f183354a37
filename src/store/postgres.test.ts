import { describe, test } from "node:test";
import { openSchema } from "../../test/support/engines.ts";
import { openPostgres } from "./postgres.ts";
import { storeContract } from "./store.contract.ts";

const skip = process.env.TEST_DATABASE_URL ? false : "no PostgreSQL: TEST_DATABASE_URL names none";

const WAYS = {
  "a store on PostgreSQL": { recentBytesMax: 1 << 20 },
  "a store on PostgreSQL that keeps nothing in memory": { recentBytesMax: 0 },
};
if (skip) test("a store on PostgreSQL", { skip });
else
  for (const [name, way] of Object.entries(WAYS))
    storeContract(name, async (clock) => {
      const { url, drop } = await openSchema();
      let store = await openPostgres({ url, clock, ...way });
      const reopen = async () => {
        await store.close();
        store = await openPostgres({ url, clock, ...way });
        return store;
      };
      return { store, reopen, close: () => store.close().then(drop) };
    });

describe("PostgreSQL", { skip }, () => {});
