/** What a plain cell does not have: characters that must be quoted, NUL, and halves of surrogate pairs, which may be alone. */
const NOT_PLAIN = /[",\r\n\0\ud800-\udfff]/;
const FORMULA_START = /^[=+\-@\t\r\n]/;

/**
 * A text as a cell of CSV, by RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe in front, which spreadsheets
 * do not show. NUL, which programs take for the end of the text, is left out.
 */
export function csvCell(text: string): string {
  if (!NOT_PLAIN.test(text)) return FORMULA_START.test(text) ? `'${text}` : text;
  const clean = text.toWellFormed().replaceAll("\0", "");
  const safe = FORMULA_START.test(clean) ? `'${clean}` : clean;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
