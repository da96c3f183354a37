import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HEARTBEAT_GROUPS, openHeartbeatSchedule } from "./heartbeatSchedule.ts";

const READERS = Array.from({ length: 10_000 }, (_, i) => i);

const cycleOf = (schedule: { readonly next: () => Iterable<number> }): readonly (readonly number[])[] =>
  Array.from({ length: HEARTBEAT_GROUPS }, () => [...schedule.next()]);

describe("the schedule of heartbeats", () => {
  it("has each reader once in a cycle, and never more than its share at a time", () => {
    const schedule = openHeartbeatSchedule<number>();
    for (const reader of READERS) schedule.add(reader);
    const cycle = cycleOf(schedule);
    assert.deepEqual(
      cycle.flat().toSorted((a, b) => a - b),
      READERS,
    );
    assert.equal(Math.max(...cycle.map(({ length }) => length)), READERS.length / HEARTBEAT_GROUPS);
  });

  it("has a reader at the same place in every cycle, so that its interval is constant", () => {
    const schedule = openHeartbeatSchedule<number>();
    for (const reader of READERS) schedule.add(reader);
    assert.deepEqual(cycleOf(schedule), cycleOf(schedule));
  });

  it("has no reader that has left, and fills the places of those first", () => {
    const schedule = openHeartbeatSchedule<number>();
    for (const reader of READERS) schedule.add(reader);
    const left = [...schedule.next()];
    for (const reader of left) schedule.remove(reader);
    for (const reader of left) schedule.add(-1 - reader);
    const cycle = cycleOf(schedule);
    assert.deepEqual(new Set(cycle.at(-1)), new Set(left.map((reader) => -1 - reader)));
    assert.ok(left.every((reader) => !cycle.flat().includes(reader)));
  });
});
