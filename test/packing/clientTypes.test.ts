import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

/** The client's types, checked with the compiler that other projects use. */

const SAMPLE = "test/typed/client.ts";
const TSC = "node_modules/typescript/bin/tsc";
const COMMON =
  "--noEmit --strict --ignoreConfig --target esnext --module nodenext --allowImportingTsExtensions --types node";

function compile() {
  return spawnSync(process.execPath, [TSC, ...COMMON.split(" "), SAMPLE], { encoding: "utf8" });
}

describe("the client's types", () => {
  it("accept what the registry accepts, and nothing that lacks a required field", () => {
    const { status, stdout } = compile();
    assert.equal(status, 0, stdout);
    assert.ok(readFileSync(SAMPLE, "utf8").split("@ts-expect-error").length > 20);
  });
});
