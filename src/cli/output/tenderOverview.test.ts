import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Tender } from "../../client/index.ts";
import { styleOf } from "./colours.ts";
import { formatOverview } from "./tenderOverview.ts";

const cook = { name: "Cook" };
const at = "2026-11-20T10:00:00.123456+02:00";
const SEEN = { id: "0b2e", tenderID: "UA-2026-11-16-000001", owner: "broker", date: at, dateModified: at } as const;
const METHODS = {
  procurementMethod: "open",
  submissionMethod: "electronicAuction",
  awardCriteria: "lowestCost",
} as const;
const named = (id: string) => ({ id, date: at });

const tender: Tender = {
  ...SEEN,
  ...METHODS,
  status: "active.awarded",
  title: "Meals\u001b[2J",
  procurementMethodType: "belowThreshold",
  next_check: "2026-11-24T00:00:00+02:00",
  procuringEntity: { name: "School", identifier: { scheme: "UA-EDR", id: "1" }, contactPoint: { name: "Anna" } },
  value: { amount: 500000.1, currency: "UAH", valueAddedTaxIncluded: false },
  tenderPeriod: { startDate: "2026-11-17T10:00:00+02:00", endDate: at },
  items: [{ description: "Lunch", quantity: 5, unit: { name: "item" }, classification: { id: "55523100-3" } }],
  questions: [{ ...named("q"), title: "When?" }],
  bids: [{ ...named("b"), status: "active", tenderers: [cook], value: { amount: 400, currency: "UAH" } }],
  awards: [{ ...named("a"), status: "active", suppliers: [cook], value: { amount: 400, currency: "UAH" } }],
  contracts: [{ ...named("c"), status: "pending", contractID: "UA-1-c1", suppliers: [cook] }],
  documents: [
    { ...named("d"), title: "terms.pdf", format: "application/pdf", url: "x", datePublished: at, dateModified: at },
  ],
};

describe("the overview of a tender", () => {
  it("says what it is, what comes next, and what hangs on it", () => {
    assert.equal(
      formatOverview(tender, styleOf(false)),
      `Meals [2J
UA-2026-11-16-000001  active.awarded  0b2e

Next       2026-11-24 00:00 +02:00 objections end
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

  it("says of one that is over that nothing comes, and has a line for a tender that says nothing", () => {
    const { title: _title, ...untitled } = { ...SEEN, ...METHODS, title: "", status: "complete" as const };
    const lines = formatOverview(untitled, styleOf(false)).split("\n");
    assert.equal(lines[0], "UA-2026-11-16-000001");
    assert.equal(lines[3], "Next       nothing, it has ended");
  });
});
