import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openCleanup } from "./cleanup.ts";

describe("what ends", () => {
  /** Ends of these names, of which some fail; answers which were come to, and what was thrown. */
  async function endedBy(names: readonly string[], failing: readonly string[]) {
    const ended: string[] = [];
    const endings = openCleanup();
    for (const name of names)
      endings.add(async () => {
        ended.push(name);
        if (failing.includes(name)) throw new Error(name);
      });
    const thrown = await endings.run().then(
      () => undefined,
      (error: Error) => error,
    );
    return { ended, thrown };
  }

  it("is what was begun, the last of it first", async () => {
    assert.deepEqual(await endedBy(["store", "files", "server"], []), {
      ended: ["server", "files", "store"],
      thrown: undefined,
    });
  });

  it("is all of it, also where one end fails, which is told after the rest", async () => {
    const { ended, thrown } = await endedBy(["store", "files", "server"], ["server"]);
    assert.deepEqual(ended, ["server", "files", "store"]);
    assert.equal(thrown?.message, "server");
  });

  it("is all of it where several fail, and each of them is told", async () => {
    const { ended, thrown } = await endedBy(["store", "files", "server"], ["server", "store"]);
    assert.deepEqual(ended, ["server", "files", "store"]);
    assert.ok(thrown instanceof AggregateError);
    assert.deepEqual(
      thrown.errors.map(({ message }: Error) => message),
      ["server", "store"],
    );
  });

  it("may also fail at once, and not by a promise", async () => {
    const endings = openCleanup();
    let isEnded = false;
    endings.add(() => {
      isEnded = true;
    });
    endings.add(() => {
      throw new Error("at once");
    });
    await assert.rejects(endings.run(), /at once/);
    assert.ok(isEnded);
  });
});
