import type { Award, Complaint, Lot, Tender, TenderStatus } from "../model/tender.ts";
import { type DeadlineContext, FINAL_STATUSES, type Procedure } from "../procedures/procedure.ts";
import type { Instant } from "../values/time.ts";
import { awardsForLot } from "./awardGeneration.ts";

/** Ending a tender or lot by a signed contract or a final rejection, once the stand-still is over and no complaint is open. */

/** The statuses of complaints that prevent contracts from being signed and lots from ending. */
type BlockingStatuses = readonly Complaint["status"][];

const awardComplaints = (awards: readonly Award[]): readonly Complaint[] =>
  awards.flatMap(({ complaints }) => complaints);

/** The latest end of a stand-still among these awards, if any has one. */
export function standStillEndOf(awards: readonly Award[]): Instant | undefined {
  const ends = awards.flatMap(({ complaintPeriod }) => complaintPeriod?.endDate ?? []);
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/** Whether a complaint in one of these statuses is about the tender, about this lot, or about any of the lot's awards. */
export const isContested = (tender: Tender, lotID: string | undefined, blocking: BlockingStatuses): boolean =>
  tender.complaints.some(
    ({ status, relatedLot }) => blocking.includes(status) && (relatedLot === undefined || relatedLot === lotID),
  ) || awardComplaints(awardsForLot(tender.awards, lotID)).some(({ status }) => blocking.includes(status));

/** When this tender, or the first of its lots, becomes unsuccessful because its last award was rejected and is not contested. */
export function rejectionSettlesAt(tender: Tender, blocking: BlockingStatuses): Instant | undefined {
  const activeLots = tender.lots.length === 0 ? [undefined] : tender.lots.filter(({ status }) => status === "active");
  const moments = activeLots.flatMap((lot) => {
    const awards = awardsForLot(tender.awards, lot?.id);
    if (awards.at(-1)?.status !== "unsuccessful" || isContested(tender, lot?.id, blocking)) return [];
    return standStillEndOf(awards) ?? [];
  });
  return moments.length > 0 ? Math.min(...moments) : undefined;
}

/** Ends the tender if it can end now; with lots, each lot that can end, and the tender with the last one. */
export function finalise(tender: Tender, { at, procedure }: Pick<DeadlineContext, "at" | "procedure">): Tender {
  const { blocking } = procedure.complaints;
  const ended = tender.lots.length === 0 ? finaliseTender(tender, at, procedure) : finaliseLots(tender, at, blocking);
  return withClaimsIgnored(ended, at);
}

function finaliseTender(tender: Tender, at: Instant, { awards, complaints: { blocking } }: Procedure): Tender {
  if (tender.contracts.at(-1)?.status === "active") return withStatus("complete", tender, at);
  // After a rejection, an owner who chooses the suppliers may record another one.
  if (awards.madeBy === "owner") return tender;
  const settled = tender.awards.at(-1)?.status === "unsuccessful" && !isContested(tender, undefined, blocking);
  return settled && (standStillEndOf(tender.awards) ?? at) <= at ? withStatus("unsuccessful", tender, at) : tender;
}

function finaliseLots(tender: Tender, at: Instant, blocking: BlockingStatuses): Tender {
  if (tender.complaints.some(({ status, relatedLot }) => blocking.includes(status) && relatedLot === undefined))
    return tender;
  const lots = tender.lots.map((lot): Lot => {
    const awards = awardsForLot(tender.awards, lot.id);
    const last = awards.at(-1);
    if (
      lot.status !== "active" ||
      !last ||
      isContested(tender, lot.id, blocking) ||
      (standStillEndOf(awards) ?? at) > at
    )
      return lot;
    const signed = tender.contracts.some(({ awardID, status }) => awardID === last.id && status === "active");
    if (last.status === "unsuccessful") return { ...lot, status: "unsuccessful", date: at };
    return last.status === "active" && signed ? { ...lot, status: "complete", date: at } : lot;
  });
  return withStatusFromLots({ ...tender, lots }, at);
}

/** Once no lot is active, gives the tender the best status among them: complete, else unsuccessful, else cancelled. */
export function withStatusFromLots(tender: Tender, at: Instant): Tender {
  const statuses = new Set(tender.lots.map(({ status }) => status));
  if (statuses.size === 0 || statuses.has("active")) return tender;
  if (statuses.has("complete")) return withStatus("complete", tender, at);
  return withStatus(statuses.has("unsuccessful") ? "unsuccessful" : "cancelled", tender, at);
}

/** The tender in this status, with `date` set if the status changes. */
export const withStatus = (status: TenderStatus, tender: Tender, at: Instant): Tender =>
  tender.status === status ? tender : { ...tender, status, date: at };

/** Marks claims as ignored that were not answered before their tender or lot ended. */
export function withClaimsIgnored(tender: Tender, at: Instant): Tender {
  const ended = new Set(tender.lots.filter(({ status }) => status !== "active").map(({ id }) => id));
  const isOver = ({ relatedLot }: Complaint) =>
    relatedLot === undefined ? FINAL_STATUSES.includes(tender.status) : ended.has(relatedLot);
  const ignore = (complaint: Complaint): Complaint =>
    complaint.status === "claim" && isOver(complaint) ? { ...complaint, status: "ignored", date: at } : complaint;
  return {
    ...tender,
    complaints: tender.complaints.map(ignore),
    awards: tender.awards.map((award) => ({ ...award, complaints: award.complaints.map(ignore) })),
  };
}
