import { stripColours } from "./colours.ts";
import type { OutputStream } from "./progress.ts";

/** A table whose columns are as wide as their contents. Lines longer than `width` are truncated. */
export function formatTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  const widths = columnWidths([heads, ...rows]);
  return [heads, ...rows].map((row) => `${formatRow(row, widths, width)}\n`).join("");
}

/** How long the lines of a table may be: as long as those of a terminal, and as long as they are in a file. */
export const lineWidth = ({ isTTY, columns }: OutputStream): number =>
  // Some terminals report a width of 0.
  isTTY ? columns || 80 : Number.POSITIVE_INFINITY;

/** The width of each column. */
export const columnWidths = (rows: readonly (readonly string[])[]): readonly number[] =>
  (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => displayWidth(row[i] ?? ""))));

/** One line of a table, with given column widths. */
export function formatRow(
  cells: readonly string[],
  widths: readonly number[],
  width = Number.POSITIVE_INFINITY,
): string {
  const line = cells.map((cell, i) => (i < cells.length - 1 ? padCell(cell, widths[i] ?? 0) : cell)).join("  ");
  return truncate(line, width);
}

const padCell = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - displayWidth(text)));

const displayWidth = (text: string): number => [...stripColours(text)].length;

const COLOUR = /(\u001b\[\d+m)/;

/** Shortens a text to `width` visible characters, with an ellipsis. Keeps all colour codes. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text.trimEnd();
  // Codes after the cut stay too, so that every colour is switched off.
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

/** Control characters, which can move the cursor or colour the screen. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;
/** Invisible characters that change the direction of the text around them. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Makes text from others safe to print on a terminal. */
export const stripControls = (text: string): string => text.replace(CONTROLS, " ").replace(BIDI_CONTROLS, "");

/** Makes JSON safe to print on a terminal without changing its meaning: such characters occur only in strings. */
export const escapeControlsInJson = (json: string): string =>
  json.replace(/[\u007f-\u009f]/g, unicodeEscape).replace(BIDI_CONTROLS, unicodeEscape);

const unicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
