import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inflateSync } from "node:zlib";
import { glyphOf, textWidth, wrapText } from "./glyphs.ts";
import { drawPreview, type PreviewTexts } from "./previewPicture.ts";

const TEXTS: PreviewTexts = { siteName: "Закупівлі", title: "Папір офісний", fact: "1 000,00 грн" };

/** The pixels of a PNG with a palette and without filters, checked as far as a decoder would. */
function pixelsOf(png: Buffer): Buffer {
  assert.equal(png.subarray(0, 8).toString("latin1"), "\x89PNG\r\n\x1a\n");
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const rows = inflateSync(Buffer.concat(parts));
  assert.equal(rows.length, 1201 * 630);
  return rows;
}

describe("a preview picture", () => {
  it("is a PNG of 1200 by 630 pixels that depends on every text", () => {
    const first = drawPreview({ ...TEXTS, overline: "a", subtitle: "b", otherFact: "c" });
    pixelsOf(first);
    assert.ok(first.length < 60_000, `${first.length}`);
    for (const name of ["siteName", "overline", "title", "subtitle", "fact", "otherFact"] as const) {
      const other = drawPreview({ ...TEXTS, overline: "a", subtitle: "b", otherFact: "c", [name]: "x" });
      assert.notDeepEqual(pixelsOf(other), pixelsOf(first), name);
    }
  });

  it("is drawn of any text", () => {
    const hostile = [
      "",
      " ",
      "\u0000\u202e\ud800",
      "שלום",
      "🏛".repeat(500),
      "Ж".repeat(10_000),
      "a ".repeat(5000),
      "\u0300".repeat(99),
    ];
    for (const text of hostile)
      pixelsOf(
        drawPreview({ siteName: text, overline: text, title: text, subtitle: text, fact: text, otherFact: text }),
      );
  });
});

describe("the letters of preview pictures", () => {
  it("include those of Ukrainian and of prices; others have one picture", () => {
    const unknown = glyphOf("text", "□");
    for (const character of "АБВГҐДЕЄЖЗИІЇЙКЛМНОПРСТУФХЦЧШЩЬЮЯабвгґдеєжзиіїйклмнопрстуфхцчшщьюя’ʼ«»—№₴€0123456789")
      for (const face of ["title", "text"] as const)
        assert.notDeepEqual(glyphOf(face, character), unknown, `${face} ${character}`);
    for (const character of ["🏛", "ש", "constructor"]) assert.deepEqual(glyphOf("text", character), unknown);
    assert.deepEqual(glyphOf("text", "\u00a0"), glyphOf("text", " "));
  });

  it("are wrapped by words, and end with an ellipsis where there is more", () => {
    const lines = wrapText("title", "Дизельне паливо за картками для громади", 600, 2);
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? "", /…$/);
    for (const line of lines) assert.ok(textWidth("title", line) <= 600, line);
    assert.deepEqual(wrapText("text", "одне слово", 600, 2), ["одне слово"]);
    assert.deepEqual(wrapText("text", " ", 600, 2), []);
  });
});
