import { settleAuctions } from "./auctions/liveAuctions.ts";
import type { TimeContext } from "./model/commands.ts";
import type { Tender } from "./model/tender.ts";
import { procedureOf } from "./procedures/index.ts";
import { type Deadline, type Procedure, stageOf } from "./procedures/procedure.ts";
import type { Instant } from "./values/time.ts";

/** A deadline of the tender's stage and the time at which it is due. */
export type DueDeadline = { readonly at: Instant; readonly deadline: Deadline };

/** The earliest deadline of the tender's stage, if it has one; among simultaneous ones, the first in the procedure's table. */
export function earliestDeadline(procedure: Procedure, tender: Tender): DueDeadline | undefined {
  let first: DueDeadline | undefined;
  for (const deadline of stageOf(procedure, tender).deadlines ?? []) {
    const at = deadline.at(tender);
    if (at !== undefined && (first === undefined || at < first.at)) first = { at, deadline };
  }
  return first;
}

/** When time alone will next change this tender, if ever. */
export const nextDeadline = (tender: Tender): Instant | undefined => earliestDeadline(procedureOf(tender), tender)?.at;

/** Applies, in order, every deadline that is due at `context.at`. Returns the same object if none is. */
export function advance(tender: Tender, context: TimeContext): Tender {
  const procedure = procedureOf(tender);
  let current = tender;
  for (;;) {
    const due = earliestDeadline(procedure, current);
    if (due === undefined || due.at > context.at) return current;
    current = settleAuctions(due.deadline.apply(current, { ...context, procedure }), context.at);
  }
}
