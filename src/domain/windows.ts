import { procedureOf } from "./procedures/index.ts";
import { type Act, isFinal } from "./procedures/procedure.ts";
import type { Window } from "./refusals.ts";
import type { Complaint, Tender } from "./tender.ts";

/**
 * When the tender's procedure accepts this, read off its table and the tender's periods, all of which anybody may see.
 * `within` is what narrows it. Nothing is said where time does not decide, or where it will not come to it any more.
 */
export function windowOf(tender: Tender, act: Act, within: Window = {}): Window | undefined {
  const { stages } = procedureOf(tender);
  const statuses = Object.keys(stages) as (keyof typeof stages)[];
  const accepting = statuses.filter((status) => stages[status]!.accepts.includes(act));
  const [first, last] = [accepting[0], accepting.at(-1)];
  // A draft waits for its owner and for no time.
  if (!first || !last || tender.status === "draft") return undefined;
  const planned = within.until ?? stages[last]!.lasts?.(tender).until;
  // Of a stage that came twice only the second time is known from both ends.
  const resumed = first === last ? stages[first]!.resumed?.(tender) : undefined;
  const begun = resumed !== undefined && resumed < (planned ?? tender.date) ? resumed : undefined;
  const from = within.from ?? begun ?? stages[first]!.lasts?.(tender).from;
  // What was cancelled, or moved on by hand, ended then and not as planned.
  const isOver = statuses.indexOf(tender.status) > statuses.indexOf(last);
  const until = isOver ? Math.min(planned ?? tender.date, tender.date) : planned;
  const isEmpty = from === undefined ? until === undefined : until !== undefined && from > until;
  return isEmpty ? undefined : { from, until };
}

/** Some things are done to a tender as long as it has not ended; once it has, it is known when. */
export const lifeOf = (tender: Tender): Window | undefined => (isFinal(tender) ? { until: tender.date } : undefined);

/** As `windowOf`, of what is over because the lot that it is about is. */
export function windowOfLot(
  tender: Tender,
  act: Act,
  lotID: string | undefined,
  { from, until }: Window = {},
): Window | undefined {
  const ended = tender.lots.find(({ id }) => id === lotID)?.date;
  return ended === undefined ? undefined : windowOf(tender, act, { from, until: Math.min(ended, until ?? ended) });
}

/** While a complaint waited for the answer of the one, or for what the other says to it; once that is over. */
export function windowOfWriting(role: string, complaint: Complaint): Window | undefined {
  const { status, date, dateSubmitted, dateAnswered } = complaint;
  if (role === "complaint_owner" && dateAnswered !== undefined && status !== "answered")
    return { from: dateAnswered, until: date };
  if (role === "tender_owner" && dateSubmitted !== undefined && status !== "claim")
    return { from: dateSubmitted, until: dateAnswered ?? date };
  return undefined;
}
