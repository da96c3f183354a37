import type { TimeWindow } from "./model/refusals.ts";
import { type Complaint, TENDER_STATUSES, type Tender } from "./model/tender.ts";
import { procedureOf } from "./procedures/index.ts";
import { isFinal, type TenderAction } from "./procedures/procedure.ts";

/**
 * When the procedure accepts the action, derived from its table and the tender's public periods. `limits` narrows the result.
 * Returns `undefined` if time does not decide, or if the action will never be accepted again.
 */
export function actionWindow(tender: Tender, action: TenderAction, limits: TimeWindow = {}): TimeWindow | undefined {
  const { stages } = procedureOf(tender);
  const accepting = TENDER_STATUSES.filter((status) => stages[status]?.accepts.includes(action));
  const [first, last] = [accepting[0], accepting.at(-1)];
  // A draft waits for its owner, not for a point in time.
  if (!first || !last || tender.status === "draft") return undefined;
  const planned = limits.until ?? stages[last]?.window?.(tender).until;
  // A stage that ran twice has known times only for its second run.
  const resumed = first === last ? stages[first]?.resumedAt?.(tender) : undefined;
  const resumedAt = resumed !== undefined && resumed < (planned ?? tender.date) ? resumed : undefined;
  const from = limits.from ?? resumedAt ?? stages[first]?.window?.(tender).from;
  // A tender that was cancelled or moved on by hand left the stage at that time, not as planned.
  const isOver = TENDER_STATUSES.indexOf(tender.status) > TENDER_STATUSES.indexOf(last);
  const until = isOver ? Math.min(planned ?? tender.date, tender.date) : planned;
  const isEmpty = from === undefined ? until === undefined : until !== undefined && from > until;
  return isEmpty ? undefined : { from, until };
}

/** The window of actions that are allowed until the tender ends: known once it has ended. */
export const endedWindow = (tender: Tender): TimeWindow | undefined =>
  isFinal(tender) ? { until: tender.date } : undefined;

/** As `actionWindow`, for an action that is no longer possible because its lot has ended. */
export function lotActionWindow(
  tender: Tender,
  action: TenderAction,
  lotID: string | undefined,
  { from, until }: TimeWindow = {},
): TimeWindow | undefined {
  const ended = tender.lots.find(({ id }) => id === lotID)?.date;
  return ended === undefined
    ? undefined
    : actionWindow(tender, action, { from, until: Math.min(ended, until ?? ended) });
}

/**
 * When this role could write to the complaint, once that is over: the tender's owner from its submission to the answer, the
 * complainant from the answer to its settlement.
 */
export function complaintWritingWindow(role: string, complaint: Complaint): TimeWindow | undefined {
  const { status, date, dateSubmitted, dateAnswered } = complaint;
  if (role === "complaint_owner" && dateAnswered !== undefined && status !== "answered")
    return { from: dateAnswered, until: date };
  if (role === "tender_owner" && dateSubmitted !== undefined && status !== "claim")
    return { from: dateSubmitted, until: dateAnswered ?? date };
  return undefined;
}
