import type { TimeContext } from "./model/commands.ts";
import type { Tender } from "./model/tender.ts";
import { stageOf } from "./procedures/index.ts";
import type { Deadline } from "./procedures/procedure.ts";
import type { Instant } from "./values/time.ts";

export type DueDeadline = { readonly at: Instant; readonly deadline: Deadline };

/** The earliest of a stage's deadlines; of two at once, the one that stands first. */
export function earliestDeadline(tender: Tender): DueDeadline | undefined {
  let first: DueDeadline | undefined;
  for (const deadline of stageOf(tender).deadlines ?? []) {
    const at = deadline.at(tender);
    if (at !== undefined && (first === undefined || at < first.at)) first = { at, deadline };
  }
  return first;
}

/** The moment at which time alone will change this tender, if there is one. */
export const nextDeadline = (tender: Tender): Instant | undefined => earliestDeadline(tender)?.at;

/** Carries out every deadline that has passed by now, in order; the same tender when none has. */
export function advance(tender: Tender, context: TimeContext): Tender {
  let current = tender;
  for (;;) {
    const due = earliestDeadline(current);
    if (due === undefined || due.at > context.at) return current;
    current = due.deadline.apply(current, context);
  }
}
