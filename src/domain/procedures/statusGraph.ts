import { TENDER_STATUSES, type TenderStatus } from "../model/tender.ts";
import { type Procedure, TENDER_ACTIONS, type TenderAction } from "./procedure.ts";

/** The statuses of a procedure as a graph, derived from its table. */

/** A change of status that a procedure allows; `why` names who or what brings it about. */
export type StatusTransition = { readonly from: TenderStatus; readonly to: TenderStatus; readonly why: string };

/** The status to which an owner moves a tender with this action, if it is an action that changes the status. */
function statusAfter({ entryStatus }: Procedure, action: TenderAction): TenderStatus | undefined {
  switch (action) {
    case "publish draft":
      return entryStatus;
    case "cancel":
      return "cancelled";
    case "complete":
      return "complete";
    case "declare unsuccessful":
      return "unsuccessful";
    default:
      return undefined;
  }
}

/** The action with which an owner moves a tender to this status, if owners may set it. */
export const actionLeadingTo = (procedure: Procedure, status: TenderStatus): TenderAction | undefined =>
  TENDER_ACTIONS.find((action) => statusAfter(procedure, action) === status);

/** All changes of status that a procedure allows, for diagrams and property tests. */
export function statusTransitions(procedure: Procedure): readonly StatusTransition[] {
  return TENDER_STATUSES.flatMap((from) => {
    const stage = procedure.stages[from];
    if (!stage) return [];
    const byOwner = stage.accepts.flatMap((action): StatusTransition[] => {
      const to = statusAfter(procedure, action);
      return to ? [{ from, to, why: `owner: ${action}` }] : [];
    });
    const byTime = (stage.deadlines ?? []).flatMap(({ becomes, why }) =>
      becomes.map((to): StatusTransition => ({ from, to, why })),
    );
    const byDecision = (stage.transitions ?? []).map(({ to, why }): StatusTransition => ({ from, to, why }));
    return [...byTime, ...byDecision, ...byOwner];
  });
}

const followers = new WeakMap<Procedure, ReadonlyMap<TenderStatus, ReadonlySet<TenderStatus>>>();

/** Whether a tender in the status `earlier` can ever get to the status `later`, by any number of the procedure's transitions. */
export function canFollow(procedure: Procedure, later: TenderStatus, earlier: TenderStatus): boolean {
  let byStatus = followers.get(procedure);
  if (!byStatus) {
    byStatus = followersOf(statusTransitions(procedure));
    followers.set(procedure, byStatus);
  }
  return byStatus.get(earlier)?.has(later) ?? false;
}

function followersOf(transitions: readonly StatusTransition[]): ReadonlyMap<TenderStatus, ReadonlySet<TenderStatus>> {
  const followersFrom = (start: TenderStatus): ReadonlySet<TenderStatus> => {
    const reached = new Set<TenderStatus>();
    const pending = [start];
    for (let status = pending.pop(); status !== undefined; status = pending.pop())
      for (const { to } of transitions.filter(({ from }) => from === status))
        if (!reached.has(to)) {
          reached.add(to);
          pending.push(to);
        }
    return reached;
  };
  return new Map(transitions.map(({ from }) => [from, followersFrom(from)]));
}
