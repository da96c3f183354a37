import { stripColours } from "./colours.ts";

/** Columns as wide as what stands in them; the last one is cut off where the line would be too long. */
export function formatTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY }: { readonly width?: number } = {},
): string {
  const widths = columnWidths([heads, ...rows]);
  return [heads, ...rows].map((row) => `${formatRow(row, widths, width)}\n`).join("");
}

/** How wide each column has to be. */
export const columnWidths = (rows: readonly (readonly string[])[]): readonly number[] =>
  (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => displayWidth(row[i] ?? ""))));

/** One line of a table whose other lines are not known yet. */
export function formatRow(
  cells: readonly string[],
  widths: readonly number[],
  width = Number.POSITIVE_INFINITY,
): string {
  const line = cells.map((cell, i) => (i < cells.length - 1 ? padCell(cell, widths[i]!) : cell)).join("  ");
  return truncate(line, width);
}

const padCell = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - displayWidth(text)));

const displayWidth = (text: string): number => [...stripColours(text)].length;

const COLOUR = /(\u001b\[\d+m)/;

export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text.trimEnd();
  // Whatever is coloured ends before the cut, or is as long as what is left of it.
  const parts = text.split(COLOUR);
  let remaining = width - 1;
  const visible = parts.map((part) => {
    if (COLOUR.test(part)) return part;
    const characters = [...part].slice(0, remaining);
    remaining -= characters.length;
    return characters.join("");
  });
  return `${visible.join("")}…`;
}

/** Controls move the cursor and colour the screen; other characters turn the direction of what stands around them. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** What others wrote must do neither. */
export const stripControls = (text: string): string => text.replace(CONTROLS, " ").replace(BIDI_CONTROLS, "");

/** The same of JSON, which means what it meant: there they can stand in texts alone. */
export const escapeControlsInJson = (json: string): string =>
  json.replace(/[\u007f-\u009f]/g, unicodeEscape).replace(BIDI_CONTROLS, unicodeEscape);

const unicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
