import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { batchesOf } from "./batches.ts";

async function* emit(groups: readonly (readonly number[])[]): AsyncGenerator<number, void> {
  for (const group of groups) {
    await pause(20);
    yield* group;
  }
}

async function collectBatches(
  source: AsyncGenerator<number, void>,
  sizeMax: number,
): Promise<readonly (readonly number[])[]> {
  const batches: (readonly number[])[] = [];
  for await (const batch of batchesOf(source, sizeMax)) batches.push(batch);
  return batches;
}

describe("batchesOf", () => {
  it("yields what arrived together, in order, in batches of at most sizeMax", async () => {
    const groups = [[1], [2, 3, 4], [5, 6, 7, 8, 9]];
    assert.deepEqual(await collectBatches(emit(groups), 4), [[1], [2, 3, 4], [5, 6, 7, 8], [9]]);
    assert.deepEqual(await collectBatches(emit([]), 4), []);
  });

  it("throws an error only after the items before it, also if it occurred while a batch was handled", async () => {
    async function* failing(): AsyncGenerator<number, void> {
      yield 1;
      yield 2;
      throw new Error("broken");
    }
    const items: number[] = [];
    const readAll = async () => {
      for await (const batch of batchesOf(failing(), 1)) {
        items.push(...batch);
        await pause(20);
      }
    };
    await assert.rejects(readAll(), /broken/);
    assert.deepEqual(items, [1, 2]);
  });
});
