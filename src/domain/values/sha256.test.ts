import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import { sha256Hex } from "./sha256.ts";

const byPlatform = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

describe("sha256Hex", () => {
  it("equals the platform's SHA-256 at every length around a block", () => {
    for (let length = 0; length < 200; length++) {
      const text = "a".repeat(length);
      assert.equal(sha256Hex(text), byPlatform(text), String(length));
    }
  });

  it("equals the platform's SHA-256 for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => sha256Hex(text) === byPlatform(text)),
    );
  });
});
