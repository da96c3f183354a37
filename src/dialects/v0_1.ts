import type { VersionChange } from "./versionChange.ts";

export const to0_1: VersionChange = {
  why: "0.1 calls the stamp of a change `modified` and the value of a tender and of an auctioned bid `totalValue`",
  shapes: {
    Tender: { rename: { dateModified: "modified", value: "totalValue" } },
    Auction: { rename: { dateModified: "modified" } },
    AuctionBid: { rename: { value: "totalValue" } },
    Entry: { rename: { dateModified: "modified" } },
  },
};
