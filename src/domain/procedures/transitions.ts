import type { TimeWindow } from "../model/refusals.ts";
import type { Tender, TenderStatus } from "../model/tender.ts";
import type { Instant } from "../values/time.ts";
import type { Deadline } from "./procedure.ts";

/** Returns a function that moves a tender to this status and sets `date`, the time of the last change of status. */
export const changeStatus =
  (status: TenderStatus) =>
  (tender: Tender, { at }: { readonly at: Instant }): Tender => ({ ...tender, status, date: at });

/** When bidding begins, if it is known: at the latest when enquiries end. */
export const startOfTendering = (tender: Tender): Instant | undefined =>
  tender.tenderPeriod?.startDate ?? tender.enquiryPeriod?.endDate;

/** When questions can be asked. */
export const enquiryWindowOf = (tender: Tender): TimeWindow => ({
  from: tender.enquiryPeriod?.startDate,
  until: startOfTendering(tender),
});

/** When bids can be placed. */
export const tenderingWindowOf = (tender: Tender): TimeWindow => ({
  from: startOfTendering(tender),
  until: tender.tenderPeriod?.endDate,
});

/** The deadline at which bidding begins; all procedures have it. */
export const TENDERING_BEGINS: Deadline = {
  why: "the tender period begins",
  at: startOfTendering,
  becomes: ["active.tendering"],
  apply: changeStatus("active.tendering"),
};
