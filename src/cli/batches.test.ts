import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { batchesOf } from "./batches.ts";

const nextTick = () => new Promise(setImmediate);

/** Collects the batches of a source that emits each group only after the group before has been consumed. */
async function collectBatches(
  groups: readonly (readonly number[])[],
  sizeMax: number,
): Promise<readonly (readonly number[])[]> {
  let [emitted, consumed] = [0, 0];
  async function* emit(): AsyncGenerator<number, void> {
    for (const group of groups) {
      while (consumed < emitted) await nextTick();
      emitted += group.length;
      yield* group;
    }
  }
  const batches: (readonly number[])[] = [];
  for await (const batch of batchesOf(emit(), sizeMax)) {
    batches.push(batch);
    consumed += batch.length;
  }
  return batches;
}

describe("batchesOf", () => {
  it("yields what arrived together, in order, in batches of at most sizeMax", async () => {
    const groups = [[1], [2, 3, 4], [5, 6, 7, 8, 9]];
    assert.deepEqual(await collectBatches(groups, 4), [[1], [2, 3, 4], [5, 6, 7, 8], [9]]);
    assert.deepEqual(await collectBatches([], 4), []);
  });

  it("throws an error only after the items before it, also if it occurred while a batch was handled", async () => {
    const failed = Promise.withResolvers<void>();
    async function* failing(): AsyncGenerator<number, void> {
      yield 1;
      yield 2;
      failed.resolve();
      throw new Error("broken");
    }
    const items: number[] = [];
    const readAll = async () => {
      for await (const batch of batchesOf(failing(), 1)) {
        items.push(...batch);
        if (items.length === 2) await failed.promise.then(nextTick);
      }
    };
    await assert.rejects(readAll(), /broken/);
    assert.deepEqual(items, [1, 2]);
  });
});
