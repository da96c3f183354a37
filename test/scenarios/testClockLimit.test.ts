import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CLOCKS_MAX } from "../../src/registry/clocks.ts";
import { expectStatus, oneWorld } from "../support/world.ts";

describe("the test clocks of an account", () => {
  it("are so many at most, whatever others have", async () => {
    const world = await oneWorld();
    const api = world.api("2.5");
    const make = (key: string) => api.post(`${world.url}/sandbox/clocks`, {}, { key });
    expectStatus(201, await make("broker"));
    // Whose name sorts after it has as many as one may.
    await world.database.ask(
      `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${CLOCKS_MAX})
       insert into notes (kind, id, revision, due_at, text) select 'clock of', '"broker1" ' || i, 1, null, '' from numbers`,
    );
    const refused = expectStatus(403, await make("broker1"));
    assert.equal(refused.body.errors[0].rule, "too-many-clocks");
    expectStatus(201, await make("broker"));
  });
});
