import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { decimal } from "../../domain/values/decimal.ts";
import { openZone } from "../../domain/values/time.ts";
import type { ListedTender } from "./listedTenders.ts";
import { CSV_HEADER, csvCell, csvRow } from "./tenderCsv.ts";

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

describe("a row of the table", () => {
  const value = (amount: string, currency = "UAH") => ({ amount: decimal(amount), currency });
  const award = (status: "active" | "unsuccessful", name: string) =>
    ({ id: name, status, date: 1, documents: [], complaints: [], suppliers: [{ name }] }) as const;
  const contract = (status: "active" | "pending", amount: string, currency?: string) =>
    ({
      id: amount,
      date: 1,
      status,
      awardID: "a",
      contractID: "c",
      documents: [],
      value: value(amount, currency),
    }) as const;
  const tender: ListedTender["tender"] = {
    ...{ id: "t", tenderID: "UA-1", status: "complete", procedure: "reporting", date: 5, dateModified: 5, lots: [] },
    awards: [award("active", "ТОВ «А»"), award("unsuccessful", "Б"), award("active", "В"), award("active", "В")],
    contracts: [
      contract("active", "0.1"),
      contract("active", "0.2"),
      contract("pending", "5"),
      contract("active", "7", "EUR"),
    ],
  };

  it("ends with the publication, the winners and the signed contracts, by currency", () => {
    const publicationTimes = new Map([["t", 1_790_000_000_000_000]]);
    const context = { zone: openZone("Europe/Kyiv"), addressOf: () => "url", publicationTimes };
    const last = (line: string) => line.trimEnd().split(",").slice(-4);
    assert.deepEqual(last(CSV_HEADER), ["datePublished", "winners", "contractAmount", "contractCurrency"]);
    const [published, ...rest] = last(csvRow(tender, context));
    assert.equal(published, "2026-09-21T17:13:20+03:00");
    assert.deepEqual(rest, ["ТОВ «А»; В", "0.3; 7", "UAH; EUR"]);
    const open = csvRow({ ...tender, awards: [], contracts: [] }, { ...context, publicationTimes: new Map() });
    assert.deepEqual(last(open), ["", "", "", ""]);
  });
});
