import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Tender } from "../../client/index.ts";
import { styleOf } from "./colours.ts";
import { formatOverview } from "./tenderOverview.ts";

const cook = { name: "Cook" };
const at = "2026-11-20T10:00:00.123456+02:00";
const IDENTITY = { id: "0b2e", tenderID: "UA-2026-11-16-000001", owner: "broker", date: at, dateModified: at } as const;
const METHODS = {
  procurementMethod: "open",
  submissionMethod: "electronicAuction",
  awardCriteria: "lowestCost",
} as const;
const idAndDate = (id: string) => ({ id, date: at });

const tender: Tender = {
  ...IDENTITY,
  ...METHODS,
  status: "active.awarded",
  title: "Meals\u001b[2J",
  procurementMethodType: "belowThreshold",
  next_check: "2026-11-24T00:00:00+02:00",
  procuringEntity: { name: "School", identifier: { scheme: "UA-EDR", id: "1" }, contactPoint: { name: "Anna" } },
  value: { amount: 500000.1, currency: "UAH", valueAddedTaxIncluded: false },
  tenderPeriod: { startDate: "2026-11-17T10:00:00+02:00", endDate: at },
  items: [{ description: "Lunch", quantity: 5, unit: { name: "item" }, classification: { id: "55523100-3" } }],
  questions: [{ ...idAndDate("q"), title: "When?" }],
  bids: [{ ...idAndDate("b"), status: "active", tenderers: [cook], value: { amount: 400, currency: "UAH" } }],
  awards: [{ ...idAndDate("a"), status: "active", suppliers: [cook], value: { amount: 400, currency: "UAH" } }],
  contracts: [{ ...idAndDate("c"), status: "pending", contractID: "UA-1-c1", suppliers: [cook] }],
  documents: [
    { ...idAndDate("d"), title: "terms.pdf", format: "application/pdf", url: "x", datePublished: at, dateModified: at },
  ],
};

describe("formatOverview", () => {
  it("shows the fields, the next step and the collections", () => {
    assert.equal(
      formatOverview(tender, styleOf(false)),
      `Meals [2J
UA-2026-11-16-000001  active.awarded  0b2e

Next       2026-11-24 00:00 +02:00 the complaint period ends
Buyer      School, UA-EDR 1
Contact    Anna
Value      500,000.10 UAH, VAT not included
Procedure  belowThreshold
Tendering  2026-11-17 10:00 +02:00 to 2026-11-20 10:00 +02:00
Changed    2026-11-20 10:00 +02:00

Items (1)
  5 item  55523100-3  Lunch

Questions (1)
  2026-11-20 10:00 +02:00  not answered  When?

Bids (1)
  active  400.00 UAH  Cook

Awards (1)
  active  400.00 UAH  Cook

Contracts (1)
  pending    UA-1-c1  Cook

Documents (1)
  2026-11-20 10:00 +02:00  application/pdf  terms.pdf
`,
    );
  });

  it("shows that an ended tender has no next step, and the number of a tender without a title", () => {
    const { title: _title, ...untitled } = { ...IDENTITY, ...METHODS, title: "", status: "complete" as const };
    const lines = formatOverview(untitled, styleOf(false)).split("\n");
    assert.equal(lines[0], "UA-2026-11-16-000001");
    assert.equal(lines[3], "Next       none, the tender has ended");
  });
});
