import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileSizeText } from "./fileSize.ts";

describe("the size of a file", () => {
  it("has the largest unit of which there is at least one, as each language writes it", () => {
    const sizes = [0, 999, 1000, 1550, 2_000_000, 999_900_000, 1_250_000_000_000];
    assert.deepEqual(
      sizes.map((bytes) => fileSizeText(bytes, "en")),
      ["0 B", "999 B", "1 kB", "1.6 kB", "2 MB", "999.9 MB", "1,250 GB"],
    );
    assert.equal(fileSizeText(1550, "uk"), "1,6 КБ");
  });
});
