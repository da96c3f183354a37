import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openCleanup } from "./cleanup.ts";

describe("cleanup", () => {
  /** Adds a step for each name and runs them all. Returns the names of the steps that ran, in order, and what was thrown. */
  async function runSteps(names: readonly string[], failing: readonly string[]) {
    const completed: string[] = [];
    const cleanup = openCleanup();
    for (const name of names)
      cleanup.add(async () => {
        completed.push(name);
        if (failing.includes(name)) throw new Error(name);
      });
    const thrown = await cleanup.run().then(
      () => undefined,
      (error: Error) => error,
    );
    return { completed, thrown };
  }

  it("runs the steps in reverse order", async () => {
    assert.deepEqual(await runSteps(["store", "files", "server"], []), {
      completed: ["server", "files", "store"],
      thrown: undefined,
    });
  });

  it("runs all steps even if one fails, and then throws its error", async () => {
    const { completed, thrown } = await runSteps(["store", "files", "server"], ["server"]);
    assert.deepEqual(completed, ["server", "files", "store"]);
    assert.equal(thrown?.message, "server");
  });

  it("runs all steps if several fail, and throws all their errors", async () => {
    const { completed, thrown } = await runSteps(["store", "files", "server"], ["server", "store"]);
    assert.deepEqual(completed, ["server", "files", "store"]);
    assert.ok(thrown instanceof AggregateError);
    assert.deepEqual(
      thrown.errors.map(({ message }: Error) => message),
      ["server", "store"],
    );
  });

  it("also handles steps that throw synchronously", async () => {
    const cleanup = openCleanup();
    let hasRun = false;
    cleanup.add(() => {
      hasRun = true;
    });
    cleanup.add(() => {
      throw new Error("synchronous");
    });
    await assert.rejects(cleanup.run(), /synchronous/);
    assert.ok(hasRun);
  });
});
