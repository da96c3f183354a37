import { writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { chromium } from "playwright-core";
import type { GlyphTable } from "../src/portal/preview/glyphs.ts";

// Writes src/portal/preview/glyphs.txt: the letters of preview pictures, drawn once by Chromium with DejaVu Sans. Run it only to add
// characters or sizes; needs Chromium at /usr/bin/chromium and the font.

const range = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i));

const CHARACTERS = [
  ...range(0x20, 0x7e),
  ...range(0xa1, 0xff),
  ...range(0x400, 0x45f),
  ..."ҐґŁłŚśŻżŹźĆćŃńĄąĘęČčŠšŽž–—‘’“”„…№₴€•→−ʼ□",
];

/** Runs in the browser: draws each character and returns the part of the picture that is not empty, with 16 levels of opacity. */
const DRAW = `(characters, font, size) => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size * 3;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.font = font;
  context.textBaseline = "alphabetic";
  return Object.fromEntries(characters.map((character) => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillText(character, size, 2 * size);
    const { data, width } = context.getImageData(0, 0, canvas.width, canvas.height);
    let [left, top, right, bottom] = [width, width, -1, -1];
    for (let y = 0; y < width; y++)
      for (let x = 0; x < width; x++)
        if (data[4 * (y * width + x) + 3] > 7) {
          [left, top] = [Math.min(left, x), Math.min(top, y)];
          [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
        }
    let levels = "";
    for (let y = top; y <= bottom; y++)
      for (let x = left; x <= right; x++)
        levels += Math.round(data[4 * (y * width + x) + 3] / 17).toString(16);
    const advance = Math.round(context.measureText(character).width * 10) / 10;
    return [character, right < 0 ? [advance] : [advance, left - size, top - 2 * size, right - left + 1, levels]];
  }));
}`;

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
const draw = (weight: string, size: number) =>
  page.evaluate(`(${DRAW})(${JSON.stringify(CHARACTERS)}, "${weight} ${size}px 'DejaVu Sans'", ${size})`);
const table = { title: await draw("bold", 54), text: await draw("normal", 32) } as GlyphTable;
await browser.close();
const encoded = brotliCompressSync(JSON.stringify(table)).toString("base64");
writeFileSync("src/portal/preview/glyphs.txt", `${encoded.replace(/.{120}/g, "$&\n")}\n`);
console.log(`${CHARACTERS.length} characters, ${encoded.length} bytes.`);
