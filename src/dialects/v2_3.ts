import { amount, instant, objectOf, readOnly, text } from "./fields.ts";
import type { VersionChange } from "./versionChange.ts";

export const to2_3: VersionChange = {
  why: "2.3 says `tendering` where 2.5 says `active.tendering`, names an award's fields in full, and its auction tells prices only",
  shapes: {
    Tender: { values: { status: { "active.tendering": "tendering" } } },
    Schedule: { values: { status: { "active.tendering": "tendering" } } },
    Award: { rename: { id: "awardID", date: "awardDate", status: "awardStatus", value: "awardValue" } },
    Auction: {
      keep: ["dateModified", "bids"],
      add: { minimalStep: readOnly(objectOf("StepOfAuction")), tenderPeriod: readOnly(objectOf("StartOfAuction")) },
    },
    AuctionBid: { keep: ["value"] },
  },
  added: {
    StepOfAuction: { amount, currency: text },
    StartOfAuction: { startDate: instant },
  },
};
