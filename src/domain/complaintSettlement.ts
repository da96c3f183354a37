import { finalise } from "./finalising.ts";
import type { CommandContext } from "./model/commands.ts";
import type { Complaint, Tender } from "./model/tender.ts";
import type { Instant } from "./values/time.ts";

/** How time settles complaints: an answer that nobody contests in time stands. */

/** When the next answer that nobody contested settles its claim. Asked at every reading, so it makes no lists. */
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

export const settleAnswers = (tender: Tender, { at }: Pick<CommandContext, "at">): Tender =>
  settleAll(tender, at, (complaint) =>
    complaint.status === "answered" && complaint.settlesAt !== undefined && complaint.settlesAt <= at
      ? (complaint.resolutionType ?? "ignored")
      : undefined,
  );

const isPending = ({ status }: Complaint): boolean => status === "pending";

/**
 * Complaints that wait for a review body, which this procedure no longer has, come with older data only. They are settled
 * at once: the stamp of the tender's last change has passed, but on a test clock it is the real time.
 */
export function pendingSettlesAt({ complaints, awards, testClock, date, dateModified }: Tender): Instant | undefined {
  const hasPending = complaints.some(isPending) || awards.some((award) => award.complaints.some(isPending));
  if (!hasPending) return undefined;
  return testClock === undefined ? dateModified : date;
}

export const settlePending = (tender: Tender, { at }: Pick<CommandContext, "at">): Tender =>
  settleAll(tender, at, (complaint) => {
    if (!isPending(complaint)) return undefined;
    return complaint.dateEscalated === undefined ? "ignored" : (complaint.resolutionType ?? "ignored");
  });

/** Moves every complaint to the status that is found for it, if there is one, and ends what that held up. */
function settleAll(tender: Tender, at: Instant, findStatus: (complaint: Complaint) => Complaint["status"] | undefined) {
  const settle = (complaint: Complaint): Complaint => {
    const status = findStatus(complaint);
    return status ? { ...complaint, status, date: at } : complaint;
  };
  const after = {
    ...tender,
    complaints: tender.complaints.map(settle),
    awards: tender.awards.map((award) => ({ ...award, complaints: award.complaints.map(settle) })),
  };
  const isBeingAwarded = tender.status === "active.qualification" || tender.status === "active.awarded";
  return isBeingAwarded ? finalise(after, at) : after;
}
