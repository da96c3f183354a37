import { uncoloured } from "./colours.ts";

/** Columns as wide as what stands in them; the last one is cut off where the line would be too long. */
export function tableOf(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY }: { readonly width?: number } = {},
): string {
  const widths = widthsOf([heads, ...rows]);
  return [heads, ...rows].map((row) => `${lineOf(row, widths, width)}\n`).join("");
}

/** How wide each column has to be. */
export const widthsOf = (rows: readonly (readonly string[])[]): readonly number[] =>
  (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => lengthOf(row[i] ?? ""))));

/** One line of a table whose other lines are not known yet. */
export function lineOf(cells: readonly string[], widths: readonly number[], width = Number.POSITIVE_INFINITY): string {
  const line = cells.map((cell, i) => (i < cells.length - 1 ? padded(cell, widths[i]!) : cell)).join("  ");
  return cut(line, width);
}

const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - lengthOf(text)));

const lengthOf = (text: string): number => [...uncoloured(text)].length;

const COLOUR = /(\u001b\[\d+m)/;

export function cut(text: string, width: number): string {
  if (lengthOf(text) <= width) return text.trimEnd();
  // Whatever is coloured ends before the cut, or is as long as what is left of it.
  const parts = text.split(COLOUR);
  let room = width - 1;
  const kept = parts.map((part) => {
    if (COLOUR.test(part)) return part;
    const characters = [...part].slice(0, room);
    room -= characters.length;
    return characters.join("");
  });
  return `${kept.join("")}…`;
}

/** Controls move the cursor and colour the screen; other characters turn the direction of what stands around them. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** What others wrote must do neither. */
export const plain = (text: string): string => text.replace(CONTROLS, " ").replace(TURNING, "");

/** The same of JSON, which means what it meant: there they can stand in texts alone. */
export const plainJson = (json: string): string => json.replace(/[\u007f-\u009f]/g, escaped).replace(TURNING, escaped);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
