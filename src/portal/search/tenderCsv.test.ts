import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decimal } from "../../domain/values/decimal.ts";
import { openZone } from "../../domain/values/time.ts";
import type { ListedTender } from "./listedTenders.ts";
import { CSV_HEADER, csvRow } from "./tenderCsv.ts";

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
