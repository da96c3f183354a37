import type { CommandContext, TimeContext } from "../model/commands.ts";
import type { Problem, TimeWindow } from "../model/refusals.ts";
import { type Bid, TENDER_STATUSES, type Tender, type TenderFields, type TenderStatus } from "../model/tender.ts";
import type { Instant } from "../values/time.ts";
import type { ProcedureName } from "./names.ts";

/** Everything that a procedure allows or forbids by stage. */
export const TENDER_ACTIONS = [
  "edit fields",
  "publish draft",
  "cancel",
  "complete",
  "declare unsuccessful",
  "ask question",
  "answer question",
  "add tender document",
  "add auction document",
  "place bid",
  "change bid",
  "withdraw bid",
  "add bid document",
  "record award",
  "change award",
  "report auction",
  "set auction urls",
  "finish auction",
  "edit lots",
  "file complaint",
  "file award complaint",
  "edit complaint",
  "edit award complaint",
  "add contract",
  "edit contract",
  "add cancellation",
  "add award document",
  "add contract document",
  "add pending bid document",
] as const;
export type TenderAction = (typeof TENDER_ACTIONS)[number];

/** A change that time alone brings about. */
export type Deadline = {
  /** The label in diagrams. */
  readonly why: string;
  /** When the deadline is due; `undefined` while it is not set. */
  readonly at: (tender: Tender) => Instant | undefined;
  /** The statuses that applying it may lead to, for diagrams and property tests. */
  readonly becomes: readonly TenderStatus[];
  /** Applies it. The result must have another status or another next deadline, or `advance` would not end. */
  readonly apply: (tender: Tender, context: DeadlineContext) => Tender;
};

/** What a procedure says about one status. */
export type Stage = {
  readonly accepts: readonly TenderAction[];
  /** When the stage begins and ends, as far as the tender's periods say. */
  readonly window?: (tender: Tender) => TimeWindow;
  /** When the stage last began again after a later one, if it did. */
  readonly resumedAt?: (tender: Tender) => Instant | undefined;
  /** Each bid is visible to its owner only. */
  readonly sealed?: true;
  /** The authors of questions and claims are hidden. */
  readonly anonymous?: true;
  /** Statuses that a command other than an owner's change of status may lead to. */
  readonly transitions?: readonly { readonly to: TenderStatus; readonly why: string }[];
  /** The earliest is applied first; among simultaneous ones, the first in the list. */
  readonly deadlines?: readonly Deadline[];
};

/** A procedure as data: guards, deadlines, `next_check` and diagrams are all derived from this table. */
export type Procedure = {
  readonly name: ProcedureName;
  readonly stages: { readonly [Status in TenderStatus]?: Stage };
  /** Fills in fields that clients may leave out. */
  readonly fillDefaults: (fields: TenderFields, newId: () => string) => TenderFields;
  readonly checkTender: (tender: Tender) => readonly Problem[];
  readonly checkBid: (bid: Bid, tender: Tender) => readonly Problem[];
  readonly requiresQuestionAuthor: boolean;
};

/** What carrying out a deadline may depend on besides the tender. */
export type DeadlineContext = TimeContext & { readonly procedure: Procedure };
/** What the rules for a command may depend on besides the tender and the command. */
export type RuleContext = CommandContext & { readonly procedure: Procedure };

/** Accepts nothing and reveals nothing: the safe choice for a tender in a status that its procedure does not have. */
const NO_STAGE: Stage = { accepts: [], sealed: true, anonymous: true };

/** The stage that the tender is in. */
export const stageOf = (procedure: Procedure, { status }: Pick<Tender, "status">): Stage =>
  procedure.stages[status] ?? NO_STAGE;

/** Whether the tender's stage accepts the action. */
export const accepts = (procedure: Procedure, tender: Pick<Tender, "status">, action: TenderAction): boolean =>
  stageOf(procedure, tender).accepts.includes(action);

/** The statuses that accept the action, with their stages, in no particular order. */
export function acceptingStages(
  { stages }: Procedure,
  action: TenderAction,
): readonly { readonly status: TenderStatus; readonly stage: Stage }[] {
  return TENDER_STATUSES.flatMap((status) => {
    const stage = stages[status];
    return stage?.accepts.includes(action) ? [{ status, stage }] : [];
  });
}

/** Statuses in which a tender has ended. */
export const FINAL_STATUSES: readonly TenderStatus[] = ["complete", "cancelled", "unsuccessful"];
/** Whether the tender has ended. */
export const isFinal = (tender: Tender): boolean => FINAL_STATUSES.includes(tender.status);

/** A change of status that a procedure allows; `why` names who or what brings it about. */
export type StatusTransition = { readonly from: TenderStatus; readonly to: TenderStatus; readonly why: string };

const OWNER_TRANSITIONS: { readonly [action in TenderAction]?: TenderStatus } = {
  "publish draft": "active.enquiries",
  cancel: "cancelled",
  complete: "complete",
  "declare unsuccessful": "unsuccessful",
};

/** The action with which an owner moves a tender to this status, if owners may set it. */
export const actionLeadingTo = (status: TenderStatus): TenderAction | undefined =>
  TENDER_ACTIONS.find((action) => OWNER_TRANSITIONS[action] === status);

/** All changes of status that a procedure allows, for diagrams and property tests. */
export function statusTransitions(procedure: Procedure): readonly StatusTransition[] {
  return TENDER_STATUSES.flatMap((from) => {
    const stage = procedure.stages[from];
    if (!stage) return [];
    const byOwner = stage.accepts.flatMap((action): StatusTransition[] => {
      const to = OWNER_TRANSITIONS[action];
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
