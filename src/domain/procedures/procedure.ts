import type { TimeContext } from "../model/commands.ts";
import type { Problem, TimeWindow } from "../model/refusals.ts";
import type { Bid, ProcedureName, Tender, TenderFields, TenderStatus } from "../model/tender.ts";
import type { Instant } from "../values/time.ts";

/** Everything that may be done to a tender by somebody. */
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

/** When a stage ends by itself, and what the tender is then. */
export type Deadline = {
  readonly why: string;
  readonly at: (tender: Tender) => Instant | undefined;
  readonly becomes: readonly TenderStatus[];
  readonly apply: (tender: Tender, making: TimeContext) => Tender;
};

export type Stage = {
  readonly accepts: readonly TenderAction[];
  /** When it begins and ends, as far as its tender knows. */
  readonly window?: (tender: Tender) => TimeWindow;
  /** When it may have begun anew, after another had come between. */
  readonly resumedAt?: (tender: Tender) => Instant | undefined;
  /** Bids are known to their owners alone. */
  readonly sealed?: true;
  /** The names behind questions are not shown yet. */
  readonly anonymous?: true;
  /** What a decision taken here may lead to, besides what the owner sets. */
  readonly transitions?: readonly { readonly to: TenderStatus; readonly why: string }[];
  /** Whichever comes first is carried out first. */
  readonly deadlines?: readonly Deadline[];
};

/** A procedure is this table: the guards, the clock, `next_check` and the diagrams are all read off it. */
export type Procedure = {
  readonly name: ProcedureName;
  readonly stages: { readonly [Status in TenderStatus]?: Stage };
  /** Fills in what the client may leave out. */
  readonly fillDefaults: (fields: TenderFields, newId: () => string) => TenderFields;
  readonly checkTender: (tender: Tender) => readonly Problem[];
  readonly checkBid: (bid: Bid, tender: Tender) => readonly Problem[];
  readonly requiresQuestionAuthor: boolean;
};

export const FINAL_STATUSES: readonly TenderStatus[] = ["complete", "cancelled", "unsuccessful"];
export const isFinal = (tender: Tender): boolean => FINAL_STATUSES.includes(tender.status);

/** Every move of status that a procedure knows: who or what makes it is the label. */
export type StatusTransition = { readonly from: TenderStatus; readonly to: TenderStatus; readonly why: string };

const OWNER_TRANSITIONS: { readonly [act in TenderAction]?: TenderStatus } = {
  "publish draft": "active.enquiries",
  cancel: "cancelled",
  complete: "complete",
  "declare unsuccessful": "unsuccessful",
};

export const actionLeadingTo = (status: TenderStatus): TenderAction | undefined =>
  (Object.keys(OWNER_TRANSITIONS) as TenderAction[]).find((action) => OWNER_TRANSITIONS[action] === status);

export function statusTransitions(procedure: Procedure): readonly StatusTransition[] {
  return Object.entries(procedure.stages).flatMap(([status, stage]) => {
    const from = status as TenderStatus;
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
