import { csvCell } from "../../base/csv.ts";

/** CSV (RFC 4180) that spreadsheets open safely. */

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A cell. A negative number is no formula, although it begins like one. */
const cellOf = (text: string): string => (NUMBER.test(text) ? text : csvCell(text));

/** A file with these lines. It begins with a byte order mark, without which spreadsheets misread Cyrillic letters. */
export const csvFile = (lines: readonly (readonly string[])[]): string =>
  `\ufeff${lines.map((cells) => `${cells.map(cellOf).join(",")}\r\n`).join("")}`;
