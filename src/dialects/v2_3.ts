import type { Change } from "./change.ts";
import { amount, instant, one, owned, text } from "./fields.ts";

export const to2_3: Change = {
  why: "2.3 says `tendering` where 2.5 says `active.tendering`, names an award's fields in full, and its auction tells prices only",
  shapes: {
    Tender: { values: { status: { "active.tendering": "tendering" } } },
    Schedule: { values: { status: { "active.tendering": "tendering" } } },
    Award: { rename: { id: "awardID", date: "awardDate", status: "awardStatus", value: "awardValue" } },
    Auction: {
      keep: ["dateModified", "bids"],
      add: { minimalStep: owned(one("StepOfAuction")), tenderPeriod: owned(one("StartOfAuction")) },
    },
    AuctionBid: { keep: ["value"] },
  },
  added: {
    StepOfAuction: { amount, currency: text },
    StartOfAuction: { startDate: instant },
  },
};
