import type { Tender, TenderStatus } from "../tender.ts";
import type { Instant } from "../time.ts";

/** A tender's `date` is the moment its status last changed. */
export const moveTo =
  (status: TenderStatus) =>
  (tender: Tender, at: Instant): Tender => ({ ...tender, status, date: at });

export const startOfTendering = (tender: Tender): Instant | undefined =>
  tender.tenderPeriod?.startDate ?? tender.enquiryPeriod?.endDate;
