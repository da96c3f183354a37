import type { TimeWindow } from "./model/refusals.ts";
import type { Complaint, Tender } from "./model/tender.ts";
import { procedureOf } from "./procedures/index.ts";
import { isFinal, type TenderAction } from "./procedures/procedure.ts";

/**
 * When the tender's procedure accepts this, read off its table and the tender's periods, all of which anybody may see.
 * `within` is what narrows it. Nothing is said where time does not decide, or where it will not come to it any more.
 */
export function actionWindow(tender: Tender, action: TenderAction, limits: TimeWindow = {}): TimeWindow | undefined {
  const { stages } = procedureOf(tender);
  const statuses = Object.keys(stages) as (keyof typeof stages)[];
  const accepting = statuses.filter((status) => stages[status]!.accepts.includes(action));
  const [first, last] = [accepting[0], accepting.at(-1)];
  // A draft waits for its owner and for no time.
  if (!first || !last || tender.status === "draft") return undefined;
  const planned = limits.until ?? stages[last]!.window?.(tender).until;
  // Of a stage that came twice only the second time is known from both ends.
  const resumed = first === last ? stages[first]!.resumedAt?.(tender) : undefined;
  const resumedAt = resumed !== undefined && resumed < (planned ?? tender.date) ? resumed : undefined;
  const from = limits.from ?? resumedAt ?? stages[first]!.window?.(tender).from;
  // What was cancelled, or moved on by hand, ended then and not as planned.
  const isOver = statuses.indexOf(tender.status) > statuses.indexOf(last);
  const until = isOver ? Math.min(planned ?? tender.date, tender.date) : planned;
  const isEmpty = from === undefined ? until === undefined : until !== undefined && from > until;
  return isEmpty ? undefined : { from, until };
}

/** Some things are done to a tender as long as it has not ended; once it has, it is known when. */
export const endedWindow = (tender: Tender): TimeWindow | undefined =>
  isFinal(tender) ? { until: tender.date } : undefined;

/** As `windowOf`, of what is over because the lot that it is about is. */
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

/** While a complaint waited for the answer of the one, or for what the other says to it; once that is over. */
export function complaintWritingWindow(role: string, complaint: Complaint): TimeWindow | undefined {
  const { status, date, dateSubmitted, dateAnswered } = complaint;
  if (role === "complaint_owner" && dateAnswered !== undefined && status !== "answered")
    return { from: dateAnswered, until: date };
  if (role === "tender_owner" && dateSubmitted !== undefined && status !== "claim")
    return { from: dateSubmitted, until: dateAnswered ?? date };
  return undefined;
}
