import { procedureOf } from "./procedures/index.ts";
import type { Act } from "./procedures/procedure.ts";
import type { Window } from "./refusals.ts";
import type { Tender } from "./tender.ts";

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
  const from = within.from ?? stages[first]!.lasts?.(tender).from;
  const planned = within.until ?? stages[last]!.lasts?.(tender).until;
  // What was cancelled, or moved on by hand, ended then and not as planned.
  const isOver = statuses.indexOf(tender.status) > statuses.indexOf(last);
  const until = isOver ? Math.min(planned ?? tender.date, tender.date) : planned;
  const isEmpty = from === undefined ? until === undefined : until !== undefined && from > until;
  return isEmpty ? undefined : { from, until };
}
