import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { batchesOf } from "./batches.ts";

async function* numbers(pieces: readonly (readonly number[])[]): AsyncGenerator<number, void> {
  for (const piece of pieces) {
    await pause(20);
    yield* piece;
  }
}

async function collected(all: AsyncGenerator<number, void>, most: number): Promise<readonly (readonly number[])[]> {
  const batches: (readonly number[])[] = [];
  for await (const batch of batchesOf(all, most)) batches.push(batch);
  return batches;
}

describe("batches", () => {
  it("hold what came together, in order, and no more than wanted", async () => {
    const pieces = [[1], [2, 3, 4], [5, 6, 7, 8, 9]];
    assert.deepEqual(await collected(numbers(pieces), 4), [[1], [2, 3, 4], [5, 6, 7, 8], [9]]);
    assert.deepEqual(await collected(numbers([]), 4), []);
  });

  it("tell what goes wrong after all that came before it, also if that was while nobody looked", async () => {
    async function* failing(): AsyncGenerator<number, void> {
      yield 1;
      yield 2;
      throw new Error("broken");
    }
    const seen: number[] = [];
    const reading = async () => {
      for await (const batch of batchesOf(failing(), 1)) {
        seen.push(...batch);
        await pause(20);
      }
    };
    await assert.rejects(reading(), /broken/);
    assert.deepEqual(seen, [1, 2]);
  });
});
