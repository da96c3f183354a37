import { type GlyphFace, glyphOf, wrapText } from "./glyphs.ts";
import { type Colour, encodePng } from "./png.ts";

/** The pictures with which other services show a link, 1200 by 630 pixels: a band with the name of the site, and texts below it. */

/** What a picture shows. Everything is clipped to its place. */
export type PreviewTexts = {
  readonly siteName: string;
  /** The line above the title, such as the number and the status of a tender. */
  readonly overline?: string;
  readonly title: string;
  /** The line below the title, such as the buyer. */
  readonly subtitle?: string;
  /** At the bottom: the most important fact, and another one below it. */
  readonly fact?: string;
  readonly otherFact?: string;
};

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 64;
const BAND_HEIGHT = 116;
const TEXT_WIDTH = WIDTH - 2 * MARGIN;
const TITLE_LINES_MAX = 4;
const TITLE_LINE_HEIGHT = 68;

const WHITE: Colour = [255, 255, 255];
const BRAND: Colour = [11, 92, 77];
/** Texts on a background: each pair has 16 shades of the palette, from the background to the text. */
const INKS: readonly (readonly [background: Colour, text: Colour])[] = [
  [BRAND, WHITE],
  [WHITE, [15, 26, 23]],
  [WHITE, [66, 80, 75]],
  [WHITE, [9, 77, 64]],
];
const [ON_BAND, TITLE_INK, QUIET_INK, ACCENT_INK] = [0, 1, 2, 3] as const;
const SHADES = 16;

const PALETTE: readonly Colour[] = INKS.flatMap(([from, to]) =>
  Array.from({ length: SHADES }, (_, shade): Colour => {
    const mix = (i: 0 | 1 | 2) => Math.round(from[i] + ((to[i] - from[i]) * shade) / (SHADES - 1));
    return [mix(0), mix(1), mix(2)];
  }),
);

/** Draws the picture as a PNG. */
export function drawPreview(texts: PreviewTexts): Buffer {
  const pixels = new Uint8Array(WIDTH * HEIGHT).fill(TITLE_INK * SHADES);
  pixels.fill(ON_BAND * SHADES, 0, BAND_HEIGHT * WIDTH);
  pixels.fill(ON_BAND * SHADES, (HEIGHT - 12) * WIDTH);
  const write = (face: GlyphFace, text: string, x: number, baseline: number, ink: number) =>
    drawText(pixels, face, text, x, baseline, ink * SHADES);
  const oneLine = (face: GlyphFace, text: string, width: number) => wrapText(face, text, width, 1)[0] ?? "";

  drawMark(pixels);
  write("title", oneLine("title", texts.siteName, TEXT_WIDTH - 100), MARGIN + 84, 78, ON_BAND);
  let baseline = BAND_HEIGHT + 66;
  if (texts.overline) write("text", oneLine("text", texts.overline, TEXT_WIDTH), MARGIN, baseline, QUIET_INK);
  baseline += texts.overline ? 78 : 30;
  const lines = wrapText("title", texts.title, TEXT_WIDTH, texts.subtitle ? TITLE_LINES_MAX - 1 : TITLE_LINES_MAX);
  for (const line of lines) {
    write("title", line, MARGIN, baseline, TITLE_INK);
    baseline += TITLE_LINE_HEIGHT;
  }
  if (texts.subtitle) write("text", oneLine("text", texts.subtitle, TEXT_WIDTH), MARGIN, baseline - 8, QUIET_INK);
  const fact = oneLine("title", texts.fact ?? "", TEXT_WIDTH);
  write("title", fact, MARGIN, HEIGHT - (texts.otherFact ? 94 : 56), ACCENT_INK);
  write("text", oneLine("text", texts.otherFact ?? "", TEXT_WIDTH), MARGIN, HEIGHT - 42, QUIET_INK);
  return encodePng(WIDTH, HEIGHT, pixels, PALETTE);
}

/** Draws a line of text from left to right. What does not fit into the picture is left out. */
function drawText(
  pixels: Uint8Array,
  face: GlyphFace,
  text: string,
  x: number,
  baseline: number,
  firstShade: number,
): void {
  let at = x;
  for (const character of text) {
    const [advance, left, top, width, levels] = glyphOf(face, character);
    if (levels !== undefined && left !== undefined && top !== undefined && width !== undefined)
      for (let i = 0; i < levels.length; i++) {
        const level = Number.parseInt(levels.charAt(i), 16);
        const [column, row] = [Math.round(at) + left + (i % width), baseline + top + Math.floor(i / width)];
        if (level > 0 && column >= 0 && column < WIDTH && row >= 0 && row < HEIGHT)
          pixels[row * WIDTH + column] = Math.max(pixels[row * WIDTH + column] ?? 0, firstShade + level);
      }
    at += advance;
  }
}

const MARK_SIZE = 60;
/** The icon of the site on a grid of 16 by 16: a roof, three columns and a base. */
const MARK_PARTS: readonly (readonly [left: number, top: number, right: number, bottom: number])[] = [
  [2.5, 7.5, 4.9, 12.5],
  [6.8, 7.5, 9.2, 12.5],
  [11.1, 7.5, 13.5, 12.5],
  [1, 13.5, 15, 15],
];

function drawMark(pixels: Uint8Array): void {
  const top = (BAND_HEIGHT - MARK_SIZE) / 2;
  for (let y = 0; y < MARK_SIZE; y++)
    for (let x = 0; x < MARK_SIZE; x++) {
      const [column, row] = [((x + 0.5) * 16) / MARK_SIZE, ((y + 0.5) * 16) / MARK_SIZE];
      const isRoof = row >= 1 && row < 6 && Math.abs(column - 8) < ((row - 1) * 7) / 5;
      const isPart = MARK_PARTS.some(([x1, y1, x2, y2]) => column >= x1 && column < x2 && row >= y1 && row < y2);
      if (isRoof || isPart) pixels[(top + y) * WIDTH + MARGIN + x] = ON_BAND * SHADES + SHADES - 1;
    }
}
