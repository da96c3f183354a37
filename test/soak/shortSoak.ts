import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { runs } from "../support/tier.ts";
import type { SoakTarget } from "./servers.ts";
import { soak } from "./soak.ts";

/** A soak of a few seconds, for the tests. */
export async function testShortSoak(open: () => Promise<SoakTarget>, t: TestContext): Promise<void> {
  const target = await open();
  try {
    const result = await soak(target, { writers: 4, length: { faults: runs(8), writesBetween: runs(150) } });
    t.diagnostic(JSON.stringify(result));
    assert.ok(result.acknowledged > 0 && result.pages > 0 && result.faults > 0, JSON.stringify(result));
  } finally {
    await target.close();
  }
}
