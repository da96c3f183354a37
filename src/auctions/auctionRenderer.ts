import type { Dialect } from "../dialects/dialects.ts";
import { viewAuction } from "../domain/auctions/view.ts";
import { formatInstant, type Zone } from "../domain/values/time.ts";
import { withSubject } from "../views/liveAuctionViews.ts";
import type { AuctionRenderer } from "./auctionChannel.ts";

/** Writes views and events of auctions as JSON. They contain no links, so they do not depend on the address of the service. */
export const openAuctionRenderer = (dialect: Pick<Dialect, "write">, zone: Zone): AuctionRenderer => ({
  view: ({ tender, lot, state }, audience) =>
    dialect.write("LiveAuction", withSubject(viewAuction(state, audience), tender, lot?.id), ""),
  event: ({ event }) => dialect.write("LiveAuctionEvent", event, ""),
  time: (at) => formatInstant(at, zone),
});
