/** Columns as wide as what stands in them; the last one is cut off where the line would be too long. */
export function tableOf(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY }: { readonly width?: number } = {},
): string {
  const widths = heads.map((head, i) => Math.max(lengthOf(head), ...rows.map((row) => lengthOf(row[i] ?? ""))));
  return [heads, ...rows].map((row) => `${lineOf(row, widths, width)}\n`).join("");
}

/** One line of a table whose other lines are not known yet. */
export function lineOf(cells: readonly string[], widths: readonly number[], width = Number.POSITIVE_INFINITY): string {
  const line = cells.map((cell, i) => (i < cells.length - 1 ? padded(cell, widths[i]!) : cell)).join("  ");
  return cut(line, width);
}

const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - lengthOf(text)));

const lengthOf = (text: string): number => [...text].length;

export function cut(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text.trimEnd() : `${characters.slice(0, width - 1).join("")}…`;
}

/** What others wrote must not move the cursor or colour the screen. */
export const plain = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
