import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChangeRow } from "../changeRows.ts";
import type { EntryRow } from "../engine.ts";
import type { SearchRow } from "../search/searchRows.ts";
import { type Batch, decodeBatch, openBatchEncoder } from "./batchBytes.ts";

const rowWith = (patch: string, bids: ChangeRow["bids"] = [], tokens?: string): ChangeRow => ({
  sequence: 7,
  at: 1_790_000_000_000_000,
  kind: "bid",
  id: "t",
  record: "b",
  actor: null,
  act: "place bid",
  patch,
  files: ["file"],
  tender: undefined,
  bids,
  clearsBids: false,
  bidTotals: [],
  searchChange: "update",
  contributions: [],
  organizations: [{ key: "k", names: "{}" }],
  categoryNames: [],
  searchRow: tokens === undefined ? undefined : { ...SEARCH_COLUMNS, tokens },
});

const SEARCH_COLUMNS: Omit<SearchRow, "tokens"> = {
  ...{
    listing: "real",
    status: "active",
    procedure: "reporting",
    categories: "33",
    region: null,
    buyer: null,
    suppliers: null,
  },
  ...{ amount: null, currency: null, deadline: null, enquiryDeadline: null, opening: 7, auctionStarts: [5] },
};

const entryWith = (text: string | undefined): EntryRow => ({
  kind: "idempotency record",
  id: "e",
  revision: 1,
  expiresAt: null,
  columns: [],
  text,
});

/** The texts of a batch in the order of its rows and entries. */
const textsOf = ({ rows, entries }: Batch<Uint8Array>): readonly (string | undefined)[] =>
  [
    ...rows.flatMap(({ patch, bids, searchRow }) => [
      patch,
      ...bids.map(({ document }) => document),
      ...(searchRow ? [searchRow.tokens] : []),
    ]),
    ...entries.map(({ text }) => text),
  ].map((bytes) => bytes && new TextDecoder().decode(bytes));

describe("a batch for the writer thread", () => {
  it("arrives as it was, with its texts as bytes of UTF-8", () => {
    const bids = [{ id: "b", owner: "broker", bytes: 3, document: '{"Ї":"𐍈"}' }, { id: "gone" }];
    const batch = {
      rows: [rowWith("перша", bids, "=послуг"), rowWith("")],
      entries: [entryWith("п'ята"), entryWith(undefined)],
    };
    const decoded = decodeBatch(openBatchEncoder()(batch));
    assert.deepEqual(textsOf(decoded), ["перша", '{"Ї":"𐍈"}', undefined, "=послуг", "", "п'ята", undefined]);
    const [row] = decoded.rows;
    assert.deepEqual(
      { ...row, patch: "", bids: [], searchRow: { ...row?.searchRow, tokens: "" } },
      rowWith("", [], ""),
    );
    assert.deepEqual(decoded.entries[1], entryWith(undefined));
  });

  it("arrives with its totals, whatever the names in them are", () => {
    const totals = {
      sums: [],
      organizations: [{ key: "UA-EDR-1", names: '{"name":"Школа №10 «Ї»"}' }],
      categoryNames: [{ category: "555231", name: "Послуги з харчування" }],
    };
    const encode = openBatchEncoder();
    const batch = { rows: [rowWith("перша")], entries: [] };
    const decoded = decodeBatch(encode({ ...batch, totals }));
    assert.deepEqual([decoded.totals, textsOf(decoded)], [totals, ["перша"]]);
    assert.equal(decodeBatch(encode(batch)).totals, undefined);
  });

  it("may be larger than the memory that the batches before it used, whatever comes after it", () => {
    const encode = openBatchEncoder();
    const sizes = [1, 200_000, 3, 700_000, 0, 9_000_000, 5];
    for (const size of sizes) {
      const text = "є".repeat(size);
      assert.deepEqual(textsOf(decodeBatch(encode({ rows: [rowWith(text)], entries: [entryWith("end")] }))), [
        text,
        "end",
      ]);
    }
  });

  it("may have more rows than fit behind its texts", () => {
    const rows = Array.from({ length: 3000 }, () => rowWith("x"));
    assert.equal(decodeBatch(openBatchEncoder()({ rows, entries: [] })).rows.length, 3000);
  });
});
