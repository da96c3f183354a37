/** CSV (RFC 4180) that spreadsheets open safely. */

export const CSV_TYPE = "text/csv; charset=UTF-8; header=present";

const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell in quotes where they are needed. A text that a spreadsheet would calculate begins with an apostrophe. */
function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A file with these lines. It begins with a byte order mark, without which spreadsheets misread Cyrillic letters. */
export const csvFile = (lines: readonly (readonly string[])[]): string =>
  `\ufeff${lines.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("")}`;
