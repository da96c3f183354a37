import type { TimeWindow } from "../model/refusals.ts";
import type { Tender, TenderStatus } from "../model/tender.ts";
import type { Instant } from "../values/time.ts";
import type { Deadline } from "./procedure.ts";

/** A tender's `date` is the moment its status last changed. */
export const changeStatus =
  (status: TenderStatus) =>
  (tender: Tender, { at }: { readonly at: Instant }): Tender => ({ ...tender, status, date: at });

export const startOfTendering = (tender: Tender): Instant | undefined =>
  tender.tenderPeriod?.startDate ?? tender.enquiryPeriod?.endDate;

export const enquiryWindowOf = (tender: Tender): TimeWindow => ({
  from: tender.enquiryPeriod?.startDate,
  until: startOfTendering(tender),
});

export const tenderingWindowOf = (tender: Tender): TimeWindow => ({
  from: startOfTendering(tender),
  until: tender.tenderPeriod?.endDate,
});

/** In every procedure bidding begins by itself. */
export const TENDERING_BEGINS: Deadline = {
  why: "the tender period begins",
  at: startOfTendering,
  becomes: ["active.tendering"],
  apply: changeStatus("active.tendering"),
};
