import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openPacing } from "./pacing.ts";

/** A clock that stands still except in pauses, of which other work takes this part. */
function openTestClock(otherWork: number) {
  const pauses: number[] = [];
  const clock = {
    time: 0,
    now: () => clock.time,
    pause: async (ms: number) => {
      pauses.push(ms);
      clock.time += ms;
      return otherWork;
    },
  };
  return { clock, pauses };
}

/** The part of the time that the work gets, once it has worked for a while beside other work. */
async function shareBeside(otherWork: number): Promise<number> {
  const { clock, pauses } = openTestClock(otherWork);
  const pacing = openPacing(() => false, clock);
  for (let i = 0; i < 200; i++) {
    clock.time += 4;
    await pacing.step();
  }
  return 4 / (4 + (pauses.at(-1) ?? 0));
}

describe("the pacing of background work", () => {
  it("does not make up for the time in which there was nothing to do", async () => {
    const { clock, pauses } = openTestClock(0);
    const pacing = openPacing(() => false, clock);
    await pacing.step();
    assert.deepEqual(pauses, [], "a step pauses only at the end of a slice");
    clock.time += 3_600_000;
    await pacing.step();
    assert.ok(pauses.length > 0);
    assert.ok(Math.max(...pauses) < 1000, `a pause of ${Math.max(...pauses)} ms after an idle hour`);
  });

  it("pauses in proportion to other work: less beside more of it, and never suddenly", async () => {
    assert.equal(await shareBeside(0), 4 / 5);
    for (const work of [0.5, 1]) assert.equal(await shareBeside(work), 1 / 40);
    assert.ok((await shareBeside(0.12)) > 1 / 4, `${await shareBeside(0.12)} beside 12 %`);
    const pauseBeside = async (percent: number) => 1 / (await shareBeside(percent / 100)) - 1;
    for (let percent = 1; percent <= 100; percent++) {
      const growth = (await pauseBeside(percent)) - (await pauseBeside(percent - 1));
      assert.ok(growth >= 0 && growth <= 1.25, `${growth} slices more beside ${percent} %`);
    }
  });

  it("notices within a few slices that other work has begun, and that it has ended", async () => {
    let otherWork = 1;
    const { clock, pauses } = openTestClock(0);
    const pacing = openPacing(() => false, {
      ...clock,
      now: clock.now,
      pause: (ms) => clock.pause(ms).then(() => otherWork),
    });
    const run = async (slices: number) => {
      for (let i = 0; i < slices; i++) {
        clock.time += 4;
        await pacing.step();
      }
      return pauses.at(-1);
    };
    assert.equal(await run(10), 156);
    otherWork = 0;
    assert.equal(await run(3), 1);
  });
});
