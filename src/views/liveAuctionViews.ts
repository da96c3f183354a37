import type { AuctionEvent, AuctionStatus } from "../domain/auctions/model.ts";
import type { LiveAuctionView } from "../domain/auctions/view.ts";
import type { Tender } from "../domain/model/tender.ts";
import type { Decimal } from "../domain/values/decimal.ts";
import type { Instant } from "../domain/values/time.ts";

/** What the API shows of the auctions that the service holds. */

/** Which tender and lot an auction belongs to. */
type AuctionSubject = {
  /** The id of the tender. */
  readonly tender: string;
  readonly tenderID: string;
  readonly lot?: string;
  readonly mode?: "test";
};

/** An auction as one audience sees it, with its tender. `serverTime` is only in events, since it would change every response. */
export type AuctionWithSubject = LiveAuctionView & AuctionSubject & { readonly serverTime?: Instant };

/** An event as it is sent. */
export type SentAuctionEvent = AuctionEvent & { readonly serverTime: Instant };

/** An entry of the list of auctions. */
export type AuctionListEntry = Omit<AuctionSubject, "tenderID"> & {
  readonly id: string;
  readonly status: AuctionStatus;
  readonly plannedStart: Instant;
};

/** A price as a bidder sends it. */
export type PriceInput = { readonly amount?: Decimal; readonly confirmed?: boolean };

/** A new participation link. The address is a path below that of the service. */
export type ParticipationLink = { readonly bid: string; readonly auction: string; readonly participationUrl: string };

/** The view of an auction together with what identifies its tender. */
export const withSubject = (
  view: LiveAuctionView,
  { id, tenderID, mode }: Tender,
  lot: string | undefined,
): AuctionWithSubject => ({
  ...view,
  tender: id,
  tenderID,
  ...(lot !== undefined && { lot }),
  ...(mode && { mode }),
});
