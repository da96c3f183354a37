import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { StoreUnavailableError } from "../store.ts";
import { openSearchLimit } from "./searchLimit.ts";

describe("searches", () => {
  it("are rejected while too many are running, and accepted again afterwards", async () => {
    const gate = Promise.withResolvers<string>();
    const limit = openSearchLimit();
    const running = Array.from({ length: 32 }, () => limit(() => gate.promise));
    await assert.rejects(
      limit(async () => "one too many"),
      StoreUnavailableError,
    );
    gate.resolve("found");
    assert.deepEqual(new Set(await Promise.all(running)), new Set(["found"]));
    assert.equal(await limit(async () => "later"), "later");
  });

  it("count no longer once they have failed", async () => {
    const limit = openSearchLimit();
    for (let i = 0; i < 40; i++)
      await assert.rejects(
        limit(() => Promise.reject(new Error("failed"))),
        /^Error: failed$/,
      );
  });
});
