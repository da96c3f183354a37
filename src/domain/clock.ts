import { stageOf } from "./procedures/index.ts";
import type { Tender } from "./tender.ts";
import type { Instant } from "./time.ts";

/** The moment at which time alone will change this tender, if there is one. */
export const nextDeadline = (tender: Tender): Instant | undefined => stageOf(tender).deadline?.at(tender);

/** Carries out every deadline that has passed by `at`; the same tender when none has. */
export function advance(tender: Tender, at: Instant): Tender {
  let current = tender;
  for (;;) {
    const due = nextDeadline(current);
    if (due === undefined || due > at) return current;
    current = stageOf(current).deadline!.move(current, at);
  }
}
