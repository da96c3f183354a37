import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { shortLine, shortText } from "./shortText.ts";

describe("a short text", () => {
  it("is the text itself if that is short", () => {
    assert.equal(shortText(" Їдальня "), "Їдальня");
    assert.equal(shortText("я".repeat(160)), "я".repeat(160));
    assert.equal(shortText(""), "");
  });

  it("is cut between characters, and says so", () => {
    assert.equal(shortText("я".repeat(161)), `${"я".repeat(160)}…`);
    assert.equal(shortText("😀😀😀", 2), "😀😀…");
    assert.equal(shortText(`ab ${"c".repeat(100)}`, 3), "ab…");
    assert.equal([...shortText("я".repeat(65_536))].length, 161);
  });

  it("has few marks on a letter, even if it consists of little else", () => {
    assert.equal(shortText(`a${"\u0301".repeat(50)}b`), `a${"\u0301".repeat(4)}b`);
    assert.equal(shortText(`a${"\u0301".repeat(5000)}`), `a${"\u0301".repeat(4)}…`);
  });
});

describe("a short line", () => {
  it("has no line breaks and nothing that changes what stands around it", () => {
    assert.equal(shortLine("  a\r\nb\tc\u0000\u202ed\u2066 \u2028 e  "), "a b c d e");
  });

  it("is cut like a short text, also if there is only space at first", () => {
    assert.equal(shortLine("x".repeat(65_536), 5), "xxxxx…");
    assert.equal(shortLine(`\n\n${"я".repeat(9)}`, 5), "яяяяя…");
  });
});
