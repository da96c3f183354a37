import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExactNumber, type OcdsObject } from "../../ocds/ocdsValues.ts";
import { BULK_TABLES, type BulkTableName, headerLine, linesOf } from "./tables.ts";

describe("the tables of bulk files", () => {
  const compiled: OcdsObject = {
    ocid: "o",
    tender: {
      id: "t",
      title: "=1+1",
      value: { amount: -5, currency: "UAH" },
      items: [{ id: "1", description: 'a "b", c', quantity: new ExactNumber("0.10000000000000000001") }, { id: "2" }],
      documents: [{ id: "d1", title: "Умови" }, { id: "d2" }],
      complaints: [{ id: "c1", documents: [{ id: "d3", title: "Скарга" }] }],
    },
    bids: {
      details: [
        {
          id: "b",
          value: { amount: 30, currency: "UAH" },
          lotValues: [
            { relatedLot: "l1", value: { amount: 10, currency: "UAH" } },
            { relatedLot: "l2", value: { amount: 20, currency: "UAH" } },
          ],
        },
        { id: "w", status: "withdrawn" },
      ],
    },
    awards: [{ id: "a", complaints: [{ id: "c2", documents: [{ id: "d4", title: "Про рішення" }] }] }],
  };
  /** The rows of a table by the names of its columns, without empty cells. */
  const rowsIn = (name: BulkTableName) => {
    const columns = headerLine(BULK_TABLES[name]).trimEnd().split(",");
    return linesOf(BULK_TABLES[name], compiled).map((line) =>
      Object.fromEntries(
        line
          .trimEnd()
          .split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
          .flatMap((cell, i) => (cell === "" ? [] : [[columns[i] ?? "", cell]])),
      ),
    );
  };

  it("have the price of a bid for each lot", () => {
    assert.deepEqual(rowsIn("bidValues"), [
      { ocid: "o", bidID: "b", relatedLot: "l1", "value.amount": "10", "value.currency": "UAH" },
      { ocid: "o", bidID: "b", relatedLot: "l2", "value.amount": "20", "value.currency": "UAH" },
    ]);
  });

  it("have no rows for parties that only void references lead to", () => {
    const parties: readonly OcdsObject[] = [
      { id: "1", roles: ["supplier"] },
      { id: "2", name: "Два", roles: ["supplier"] },
    ];
    assert.deepEqual(linesOf(BULK_TABLES.parties, { ocid: "o", parties }), ["o,2,Два,,supplier,,,,,,,,\r\n"]);
  });

  it("have the documents of complaints about the tender and about awards", () => {
    assert.deepEqual(
      rowsIn("documents").map(({ section, sectionID, id }) => `${section} ${sectionID} ${id}`),
      ["tender t d1", "complaints c1 d3", "complaints c2 d4"],
    );
  });

  it("have no rows for elements of which only the id remains", () => {
    assert.deepEqual(
      rowsIn("items").map(({ id }) => id),
      ["1"],
    );
    assert.deepEqual(
      rowsIn("bids").map(({ id, status }) => [id, status]),
      [
        ["b", undefined],
        ["w", "withdrawn"],
      ],
    );
  });

  it("write texts that look like formulas with an apostrophe, and numbers as they are", () => {
    const [tender] = rowsIn("tenders");
    assert.deepEqual([tender?.title, tender?.["value.amount"]], ["'=1+1", "-5"]);
    const [item] = rowsIn("items");
    assert.deepEqual([item?.description, item?.quantity], ['"a ""b"", c"', "0.10000000000000000001"]);
  });
});
