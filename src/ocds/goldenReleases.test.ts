import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { GOLDEN_FILE, goldenLines } from "../../test/support/goldenReleases.ts";

describe("the releases of whole stories", () => {
  it("say what they said when they were stored; `npm run golden` stores a change that is meant", () => {
    const stored = readFileSync(GOLDEN_FILE, "utf8").trimEnd().split("\n");
    const made = goldenLines();
    const releaseOf = (line: string | undefined): unknown => JSON.parse(line ?? "null");
    for (const [i, line] of made.entries()) assert.deepEqual(releaseOf(line), releaseOf(stored[i]));
    // The order of fields is part of the bytes that users have stored.
    assert.deepEqual(made, stored);
  });
});
