import type { Complaint, Tender } from "../model/tender.ts";
import type { DeadlineContext } from "../procedures/procedure.ts";
import type { Instant } from "../values/time.ts";
import { finalise } from "./finalising.ts";

/** Deadlines that settle complaints: an answer that is not contested in time is final. */

/** When the next uncontested answer settles its claim, if there is one. Runs on every read, so it allocates nothing. */
export function answerSettlesAt({ complaints, awards }: Tender): Instant | undefined {
  let first = earliestSettlement(complaints, undefined);
  for (const award of awards) first = earliestSettlement(award.complaints, first);
  return first;
}

function earliestSettlement(complaints: readonly Complaint[], earlier: Instant | undefined): Instant | undefined {
  let first = earlier;
  for (const { status, settlesAt } of complaints)
    if (status === "answered" && settlesAt !== undefined && (first === undefined || settlesAt < first))
      first = settlesAt;
  return first;
}

/** Gives every answered claim whose time to contest is over the status that its answer proposed. */
export const settleAnswers = (tender: Tender, context: DeadlineContext): Tender =>
  settleAll(tender, context, (complaint, at) =>
    complaint.status === "answered" && complaint.settlesAt !== undefined && complaint.settlesAt <= at
      ? (complaint.resolutionType ?? "ignored")
      : undefined,
  );

const isPending = ({ status }: Complaint): boolean => status === "pending";

/**
 * When complaints that wait for a review body are settled, if there are any: at once, since this procedure no longer has a review
 * body, and only older data has such complaints. `dateModified` is in the past, except for a tender on a test clock: there it is
 * real time, so `date` is used instead.
 */
export function pendingSettlesAt({ complaints, awards, testClock, date, dateModified }: Tender): Instant | undefined {
  const hasPending = complaints.some(isPending) || awards.some((award) => award.complaints.some(isPending));
  if (!hasPending) return undefined;
  return testClock === undefined ? dateModified : date;
}

/** Settles every complaint that waits for a review body: by the buyer's answer if it was escalated, else as ignored. */
export const settlePending = (tender: Tender, context: DeadlineContext): Tender =>
  settleAll(tender, context, (complaint) => {
    if (!isPending(complaint)) return undefined;
    return complaint.dateEscalated === undefined ? "ignored" : (complaint.resolutionType ?? "ignored");
  });

/** Moves each complaint to the status that `findStatus` returns, if any, and finalises what the complaint was blocking. */
function settleAll(
  tender: Tender,
  context: DeadlineContext,
  findStatus: (complaint: Complaint, at: Instant) => Complaint["status"] | undefined,
) {
  const { at } = context;
  const settle = (complaint: Complaint): Complaint => {
    const status = findStatus(complaint, at);
    return status ? { ...complaint, status, date: at } : complaint;
  };
  const after = {
    ...tender,
    complaints: tender.complaints.map(settle),
    awards: tender.awards.map((award) => ({ ...award, complaints: award.complaints.map(settle) })),
  };
  const isBeingAwarded = tender.status === "active.qualification" || tender.status === "active.awarded";
  return isBeingAwarded ? finalise(after, context) : after;
}
