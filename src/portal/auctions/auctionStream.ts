import type { AuctionEvent } from "../../domain/auctions/model.ts";
import type { LiveAuctionView } from "../../domain/auctions/view.ts";
import type { Instant } from "../../domain/values/time.ts";
import type { AuctionScreen } from "./auctionScreen.ts";

/**
 * What the scripts of the auction page receive. The stream of an auction (Server-Sent Events) begins with a snapshot, or with the
 * events after `Last-Event-ID`. Each message has the id of the last event that it includes.
 */

/** The name of the message with the whole view. */
export const SNAPSHOT_EVENT = "snapshot";
/** The name of a message with one event. Messages without a name are read in the same way. */
export const CHANGE_EVENT = "change";

/** The data of a snapshot. `serverTime` is the time of the auction's clock when the message was sent. */
export type AuctionSnapshotMessage = LiveAuctionView & { readonly serverTime: Instant };
/** The data of an event. */
export type AuctionEventMessage = AuctionEvent & { readonly serverTime: Instant };

/** What the page has in its element `auction-state`. */
export type EmbeddedAuction = { readonly screen: AuctionScreen; readonly tenderID: string; readonly origin: string };
