import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExactNumber, type OcdsObject } from "../../ocds/ocdsValues.ts";
import { retain } from "../../ocds/retain.ts";
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
  const rowsIn = (name: BulkTableName, of = compiled) => {
    const columns = headerLine(BULK_TABLES[name]).trimEnd().split(",");
    return linesOf(BULK_TABLES[name], of).map((line) =>
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

  it("have no rows for removed elements of which more than the id remains", () => {
    const codes = [{ scheme: "ДКПП", id: "1" }];
    const documents = [{ id: "d", title: "Рахунок" }];
    const author = { id: "p", name: "П" };
    const before: OcdsObject = {
      ocid: "o",
      parties: [{ id: "p", name: "П", additionalIdentifiers: codes, roles: ["supplier"] }],
      tender: {
        id: "t",
        title: "Т",
        items: [{ id: "1", description: "x", additionalClassifications: codes, unit: { name: "шт" } }],
        complaints: [{ id: "c", title: "С", author, documents }],
      },
      awards: [{ id: "a", title: "Р", suppliers: [author], items: [{ id: "2", description: "y" }] }],
    };
    const after = retain(before, { ocid: "o", tender: { id: "t", title: "Т" } });
    const [item] = Object(after).tender.items;
    assert.deepEqual(item, { id: "1", additionalClassifications: codes });
    for (const table of ["items", "documents"] as const) assert.deepEqual(rowsIn(table, after), [], table);
    assert.deepEqual(rowsIn("awards", after), [{ ocid: "o", id: "a", status: "cancelled" }]);
    const gone: OcdsObject = { ocid: "o", parties: [{ id: "p", additionalIdentifiers: codes }] };
    assert.deepEqual(rowsIn("parties", gone), []);
  });

  it("have the ids and the names of those whom an award or a bid names, and not of those whom it no longer names", () => {
    const left = { id: "UA-EDR-1" };
    const references = [left, { id: "UA-EDR-2", name: "Два; і ще" }, { id: "UA-EDR-3", name: "Три" }];
    const changed: OcdsObject = {
      ocid: "o",
      bids: { details: [{ id: "b", tenderers: [left] }] },
      awards: [{ id: "a", suppliers: references, relatedLots: ["l1", "l2"] }],
    };
    assert.deepEqual(rowsIn("bids", changed), []);
    const [award] = rowsIn("awards", changed);
    assert.equal(award?.["suppliers.id"], "UA-EDR-2;UA-EDR-3");
    assert.equal(award?.["suppliers.name"], '"Два, і ще;Три"');
    assert.equal(award?.relatedLots, "l1;l2");
  });

  it("say in which currency an amount is, whether with taxes, when the price of a bid was set, and the stage of a lot", () => {
    const value = { amount: 5, unlistedCurrency: "XBT", valueAddedTaxIncluded: true };
    const priced: OcdsObject = {
      ocid: "o",
      tender: { id: "t", statusDetails: "active.auction", lots: [{ id: "l", statusDetails: "active", value }] },
      bids: { details: [{ id: "b", datePriceSet: "2026-11-01T10:00:00Z", value }] },
    };
    const cells = { "value.amount": "5", "value.unlistedCurrency": "XBT", "value.valueAddedTaxIncluded": "true" };
    assert.deepEqual(rowsIn("lots", priced), [{ ocid: "o", id: "l", statusDetails: "active", ...cells }]);
    assert.deepEqual(rowsIn("bids", priced), [{ ocid: "o", id: "b", datePriceSet: "2026-11-01T10:00:00Z", ...cells }]);
    assert.equal(rowsIn("tenders", priced)[0]?.statusDetails, "active.auction");
  });

  it("write texts that look like formulas with an apostrophe, and numbers as they are", () => {
    const [tender] = rowsIn("tenders");
    assert.deepEqual([tender?.title, tender?.["value.amount"]], ["'=1+1", "-5"]);
    const [item] = rowsIn("items");
    assert.deepEqual([item?.description, item?.quantity], ['"a ""b"", c"', "0.10000000000000000001"]);
  });
});
