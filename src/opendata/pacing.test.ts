import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openPacing } from "./pacing.ts";

describe("the pacing of background work", () => {
  it("does not make up for the time in which there was nothing to do", async () => {
    let now = 0;
    const pauses: number[] = [];
    const clock = {
      now: () => now,
      pause: async (ms: number) => {
        pauses.push(ms);
        now += ms;
      },
    };
    const pacing = openPacing(() => false, clock);
    await pacing.step();
    assert.deepEqual(pauses, [], "a step pauses only at the end of a slice");
    now += 3_600_000;
    await pacing.step();
    assert.ok(pauses.length > 0);
    assert.ok(Math.max(...pauses) < 1000, `a pause of ${Math.max(...pauses)} ms after an idle hour`);
  });
});
