import type { Making } from "./commands.ts";
import { stageOf } from "./procedures/index.ts";
import type { Deadline } from "./procedures/procedure.ts";
import type { Tender } from "./tender.ts";
import type { Instant } from "./time.ts";

export type Due = { readonly at: Instant; readonly deadline: Deadline };

/** The earliest of a stage's deadlines; of two at once, the one that stands first. */
export function earliest(tender: Tender): Due | undefined {
  let first: Due | undefined;
  for (const deadline of stageOf(tender).deadlines ?? []) {
    const at = deadline.at(tender);
    if (at !== undefined && (first === undefined || at < first.at)) first = { at, deadline };
  }
  return first;
}

/** The moment at which time alone will change this tender, if there is one. */
export const nextDeadline = (tender: Tender): Instant | undefined => earliest(tender)?.at;

/** Carries out every deadline that has passed by now, in order; the same tender when none has. */
export function advance(tender: Tender, making: Making): Tender {
  let current = tender;
  for (;;) {
    const due = earliest(current);
    if (due === undefined || due.at > making.at) return current;
    current = due.deadline.move(current, making);
  }
}
