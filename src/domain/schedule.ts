import { areBidsSealed } from "./bids/sealing.ts";
import type { Lot, Period, Tender } from "./model/tender.ts";
import { FINAL_STATUSES } from "./procedures/procedure.ts";
import type { Instant } from "./values/time.ts";

/**
 * What a tender has on its schedule. A tender keeps its periods when it ends, so a cancelled one still has a deadline that nobody
 * needs. Everything that people see of deadlines, auctions and openings asks these functions.
 */

/** A tender or a lot: `date` is when its status last changed, which is its end if the status is final. */
type ScheduledPart = Pick<Tender, "status" | "date"> | Pick<Lot, "status" | "date">;

const ENDED: ReadonlySet<string> = new Set(FINAL_STATUSES);

/** Whether a scheduled moment has come or will come: none does after the tender or lot has ended. */
export const takesPlace = ({ status, date }: ScheduledPart, at: Instant): boolean => !ENDED.has(status) || at <= date;

type TenderState = Pick<Tender, "status" | "date">;

/** The deadline for bids; undefined if the tender has none, or ended before it. */
export function bidDeadlineOf(tender: TenderState & Pick<Tender, "tenderPeriod">): Instant | undefined {
  const at = tender.tenderPeriod?.endDate;
  return at !== undefined && takesPlace(tender, at) ? at : undefined;
}

/** The end of the time for questions; undefined if the tender has none, or ended before it. */
export function enquiryDeadlineOf(tender: TenderState & Pick<Tender, "enquiryPeriod">): Instant | undefined {
  const at = tender.enquiryPeriod?.endDate;
  return at !== undefined && takesPlace(tender, at) ? at : undefined;
}

/** Whether bids can still come, now or after the enquiries. Reading a tender carries out its deadlines, so the status says it. */
export const isBiddingAhead = ({ status }: Pick<Tender, "status">): boolean =>
  status === "active.enquiries" || status === "active.tendering";

/** The start of the auction of the tender or, with `lot`, of that lot; undefined if there is none, or if either ended before it. */
export function auctionStartOf(
  tender: TenderState & { readonly auctionPeriod?: Period | undefined },
  lot?: Pick<Lot, "status" | "date"> & { readonly auctionPeriod?: Period | undefined },
): Instant | undefined {
  const at = (lot ?? tender).auctionPeriod?.startDate;
  return at !== undefined && takesPlace(tender, at) && (!lot || takesPlace(lot, at)) ? at : undefined;
}

/** When sealed bids were opened; undefined as long as they are sealed, because an auction may come first. */
export const openingOf = (tender: Tender): Instant | undefined =>
  areBidsSealed(tender) ? undefined : tender.awardPeriod?.startDate;
