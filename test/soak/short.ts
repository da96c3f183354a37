import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { House } from "./servers.ts";
import { soak } from "./soak.ts";

/** Seconds of what `npm run soak` does for as long as wanted. */
export async function provesSoaked(open: () => Promise<House>, t: TestContext): Promise<void> {
  const house = await open();
  try {
    const soaked = await soak(house, { seconds: 5, writers: 4, blowEveryMs: 1200 });
    t.diagnostic(JSON.stringify(soaked));
    assert.ok(soaked.acknowledged > 0 && soaked.pages > 0 && soaked.blows > 0, JSON.stringify(soaked));
  } finally {
    await house.close();
  }
}
