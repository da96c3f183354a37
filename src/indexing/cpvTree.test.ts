import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { cpvAncestors, cpvChildren } from "./cpvTree.ts";

describe("the tree of the CPV", () => {
  it("is a tree: every category but the divisions is the child of its nearest prefix, and of nothing else", () => {
    const seen: string[] = [];
    const visit = (category: string, ancestors: readonly string[]): void => {
      seen.push(category);
      assert.deepEqual(cpvAncestors(category), ancestors);
      for (const child of cpvChildren(category)) {
        assert.ok(child.startsWith(category));
        visit(child, [...ancestors, category]);
      }
    };
    for (const division of cpvChildren()) visit(division, []);
    const lines = readFileSync(new URL("./cpvNamesEn.txt", import.meta.url), "utf8")
      .trimEnd()
      .split("\n");
    assert.deepEqual(
      seen.toSorted(),
      lines.map((line) => line.split(" ")[0]),
    );
  });
});
