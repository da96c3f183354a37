import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { escapeHtml, html } from "./markup.ts";

describe("a text in HTML", () => {
  it("cannot reverse what is read: a file gpj.exe does not seem to be a picture", () => {
    assert.equal(html`<bdi>${"\u202egpj.exe"}</bdi>`.markup, "<bdi>gpj.exe</bdi>");
    for (const control of "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
      assert.equal(escapeHtml(`a${control}<${control}b${"c".repeat(40)}`), `a&lt;b${"c".repeat(40)}`);
  });

  it("keeps marks that scripts written from right to left need", () => {
    assert.equal(escapeHtml("א\u200fב\u200d"), "א\u200fב\u200d");
  });

  it("shows that it has control characters", () => {
    assert.equal(escapeHtml("a\u0000b\u009f"), "a\ufffdb\ufffd");
  });
});
