import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { CLOCKS_MAX } from "../../src/registry/testClocks.ts";
import { expectStatus, openWorld } from "../support/world.ts";

describe("the test clocks of an account", () => {
  it("are limited in number, independently of other accounts", async () => {
    const before = await openWorld();
    await before.halt();
    // broker1 has as many as allowed. Its name starts with "broker", for which they must not count.
    await before.database.query(
      `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${CLOCKS_MAX})
       insert into test_clocks (id, revision, owner, value)
       select 'c' || i, 1, 'broker1', '{"owner":"broker1","now":1}' from numbers`,
    );
    const world = await openWorld({ DATA_DIR: before.dataDir, ...before.database.environment });
    after(async () => {
      await world.stop();
      await before.stop();
    });
    const make = (key: string) => world.api("2.5").post(`${world.url}/sandbox/clocks`, {}, { key });
    expectStatus(201, await make("broker"));
    const refused = expectStatus(403, await make("broker1"));
    assert.equal(refused.body.errors[0].rule, "too-many-clocks");
    expectStatus(201, await make("broker"));
  });
});
