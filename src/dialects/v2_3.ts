import { amount, field, instant, objectOf, readOnly, text } from "./fields.ts";
import type { VersionChange } from "./versionChange.ts";

export const to2_3: VersionChange = {
  why: "2.3 says `tendering` where 2.5 says `active.tendering`, names an award's fields in full, and its auction tells prices only",
  shapes: {
    Tender: {
      values: { status: { "active.tendering": "tendering" } },
      documentation: {
        procurementMethodType: {
          description:
            "Procedure that the tender follows. Set by the owner on creation, fixed afterwards. If absent, the tender follows the " +
            "basic procedure, in which no field is required and the owner records the awards.",
        },
      },
    },
    Schedule: { values: { status: { "active.tendering": "tendering" } } },
    Award: { rename: { id: "awardID", date: "awardDate", status: "awardStatus", value: "awardValue" } },
    Auction: {
      keep: ["dateModified", "bids"],
      add: {
        minimalStep: readOnly(objectOf("StepOfAuction"), "Smallest step by which a bid is lowered, as in the tender."),
        tenderPeriod: readOnly(objectOf("StartOfAuction"), "When bids were accepted, as in the tender."),
      },
      documentation: {
        bids: {
          description:
            "Prices of the bids, in the order in which these were placed. Whoever reports an auction sends a price for every " +
            "bid, in the same order. While bids are sealed the list is empty.",
        },
      },
    },
    AuctionBid: {
      keep: ["value"],
      documentation: {
        value: { description: "Price of the bid. Set by the bidder, then by whoever reports the auction." },
      },
    },
  },
  added: {
    StepOfAuction: {
      description: "The smallest step by which a bid is lowered.",
      fields: {
        amount: field(amount, "Amount of money, 0 or more, in units of `currency`.", 5000),
        currency: field(text, "Currency, three characters as in ISO 4217.", "UAH"),
      },
    },
    StartOfAuction: {
      description: "The beginning of the tender period.",
      fields: {
        startDate: field(instant, "Time from which bids were accepted.", "2026-11-23T10:00:00+02:00"),
      },
    },
  },
  descriptions: {
    Auction: "The prices of a tender's bids, before the auction and after it.",
    AuctionBid: "A bid as the auction sees it: its price.",
  },
};
