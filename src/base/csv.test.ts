import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { csvCell } from "./csv.ts";

/** Reads one cell as RFC 4180 says. */
function readCell(cell: string): string {
  if (!cell.startsWith('"')) {
    assert.doesNotMatch(cell, /[",\r\n]/);
    return cell;
  }
  assert.match(cell, /^"(?:[^"]|"")*"$/);
  return cell.slice(1, -1).replaceAll('""', '"');
}

describe("a cell of a table", () => {
  it("is the text, without NUL, for any text that no spreadsheet runs", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" })), (text) => {
        const clean = text.toWellFormed().replaceAll("\0", "");
        const cell = readCell(csvCell(text));
        assert.equal(cell, /^[=+\-@\t\r\n]/.test(clean) ? `'${clean}` : clean);
      }),
    );
  });

  it("begins with an apostrophe if a spreadsheet would run it", () => {
    for (const formula of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\0=1", '=HYPERLINK("x")'])
      assert.ok(readCell(csvCell(formula)).startsWith("'"), JSON.stringify(formula));
    assert.equal(csvCell('a,"b"'), '"a,""b"""');
    assert.equal(csvCell("два\nрядки"), '"два\nрядки"');
  });
});
