import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { parseOwnJson } from "../../base/ownJson.ts";

/**
 * The letters of preview pictures: Latin and Cyrillic in two sizes, drawn in advance by `scripts/glyphs.ts`, because Node has no
 * rasteriser of fonts.
 */

/** A letter: how far the next one is, and its picture: the offset from the base line, the width, and a hex digit of opacity per pixel. */
export type Glyph =
  | readonly [advance: number]
  | readonly [advance: number, left: number, top: number, width: number, levels: string];

/** "title" is bold and 54 pixels high, "text" is 32 pixels high. */
export type GlyphFace = "title" | "text";
export type GlyphTable = { readonly [face in GlyphFace]: { readonly [character: string]: Glyph } };

let loaded: GlyphTable | undefined;

function glyphTable(): GlyphTable {
  // The file is written by our own script.
  loaded ??= parseOwnJson<GlyphTable>(
    brotliDecompressSync(
      Buffer.from(readFileSync(new URL("./glyphs.txt", import.meta.url), "latin1"), "base64"),
    ).toString(),
  );
  return loaded;
}

/** Stands for every character that there is no picture of. */
const UNKNOWN = "□";
const NO_GLYPH: Glyph = [0];

/** The picture of a character. */
export function glyphOf(face: GlyphFace, character: string): Glyph {
  const glyphs = glyphTable()[face];
  const shown = /\s/u.test(character) ? " " : character;
  return (Object.hasOwn(glyphs, shown) ? glyphs[shown] : glyphs[UNKNOWN]) ?? NO_GLYPH;
}

/** The width of a text in pixels. */
export const textWidth = (face: GlyphFace, text: string): number =>
  [...text].reduce((width, character) => width + glyphOf(face, character)[0], 0);

/**
 * The lines of a text that fit into this width, at most so many. A word that is wider than a line is divided; the last line ends with
 * an ellipsis if there is more.
 */
export function wrapText(face: GlyphFace, text: string, width: number, linesMax: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  const isTooWide = (candidate: string) => textWidth(face, candidate) > width;
  for (const word of text.split(/\s+/u).filter(Boolean)) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (!isTooWide(joined)) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = "";
    for (const character of word) {
      if (isTooWide(line + character)) {
        lines.push(line);
        line = "";
      }
      line += character;
    }
    if (lines.length > linesMax) break;
  }
  if (line !== "") lines.push(line);
  return lines.length <= linesMax ? lines : [...lines.slice(0, linesMax - 1), ellipsized(lines[linesMax - 1] ?? "")];

  function ellipsized(last: string): string {
    let letters = [...last];
    while (letters.length > 0 && isTooWide(`${letters.join("")}…`)) letters = letters.slice(0, -1);
    return `${letters.join("").trimEnd()}…`;
  }
}
