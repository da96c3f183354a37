import type { Window } from "../refusals.ts";
import type { Tender, TenderStatus } from "../tender.ts";
import type { Instant } from "../time.ts";
import type { Deadline } from "./procedure.ts";

/** A tender's `date` is the moment its status last changed. */
export const moveTo =
  (status: TenderStatus) =>
  (tender: Tender, { at }: { readonly at: Instant }): Tender => ({ ...tender, status, date: at });

export const startOfTendering = (tender: Tender): Instant | undefined =>
  tender.tenderPeriod?.startDate ?? tender.enquiryPeriod?.endDate;

export const enquiriesOf = (tender: Tender): Window => ({
  from: tender.enquiryPeriod?.startDate,
  until: startOfTendering(tender),
});

export const tenderingOf = (tender: Tender): Window => ({
  from: startOfTendering(tender),
  until: tender.tenderPeriod?.endDate,
});

/** In every procedure bidding begins by itself. */
export const TENDERING_BEGINS: Deadline = {
  why: "the tender period begins",
  at: startOfTendering,
  becomes: ["active.tendering"],
  move: moveTo("active.tendering"),
};
