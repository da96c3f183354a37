import type { Making } from "../commands.ts";
import type { Problem, Window } from "../refusals.ts";
import type { Bid, ProcedureName, Tender, TenderFields, TenderStatus } from "../tender.ts";
import type { Instant } from "../time.ts";

/** Everything that may be done to a tender by somebody. */
export const ACTS = [
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
export type Act = (typeof ACTS)[number];

/** When a stage ends by itself, and what the tender is then. */
export type Deadline = {
  readonly why: string;
  readonly at: (tender: Tender) => Instant | undefined;
  readonly becomes: readonly TenderStatus[];
  readonly move: (tender: Tender, making: Making) => Tender;
};

export type Stage = {
  readonly accepts: readonly Act[];
  /** When it begins and ends, as far as its tender knows. */
  readonly lasts?: (tender: Tender) => Window;
  /** When it may have begun anew, after another had come between. */
  readonly resumed?: (tender: Tender) => Instant | undefined;
  /** Bids are known to their owners alone. */
  readonly sealed?: true;
  /** The names behind questions are not shown yet. */
  readonly anonymous?: true;
  /** What a decision taken here may lead to, besides what the owner sets. */
  readonly moves?: readonly { readonly to: TenderStatus; readonly why: string }[];
  /** Whichever comes first is carried out first. */
  readonly deadlines?: readonly Deadline[];
};

/** A procedure is this table: the guards, the clock, `next_check` and the diagrams are all read off it. */
export type Procedure = {
  readonly name: ProcedureName;
  readonly stages: { readonly [Status in TenderStatus]?: Stage };
  /** Fills in what the client may leave out. */
  readonly complete: (fields: TenderFields, newId: () => string) => TenderFields;
  readonly checkTender: (tender: Tender) => readonly Problem[];
  readonly checkBid: (bid: Bid, tender: Tender) => readonly Problem[];
  readonly checkQuestionAuthor: boolean;
};

export const FINAL: readonly TenderStatus[] = ["complete", "cancelled", "unsuccessful"];
export const isFinal = (tender: Tender): boolean => FINAL.includes(tender.status);

/** Every move of status that a procedure knows: who or what makes it is the label. */
export type Move = { readonly from: TenderStatus; readonly to: TenderStatus; readonly why: string };

const OWNERS_MOVES: { readonly [act in Act]?: TenderStatus } = {
  "publish draft": "active.enquiries",
  cancel: "cancelled",
  complete: "complete",
  "declare unsuccessful": "unsuccessful",
};

export const actThatSets = (status: TenderStatus): Act | undefined =>
  (Object.keys(OWNERS_MOVES) as Act[]).find((act) => OWNERS_MOVES[act] === status);

export function movesOf(procedure: Procedure): readonly Move[] {
  return Object.entries(procedure.stages).flatMap(([status, stage]) => {
    const from = status as TenderStatus;
    const byOwner = stage.accepts.flatMap((act): Move[] => {
      const to = OWNERS_MOVES[act];
      return to ? [{ from, to, why: `owner: ${act}` }] : [];
    });
    const byTime = (stage.deadlines ?? []).flatMap(({ becomes, why }) =>
      becomes.map((to): Move => ({ from, to, why })),
    );
    const byDecision = (stage.moves ?? []).map(({ to, why }): Move => ({ from, to, why }));
    return [...byTime, ...byDecision, ...byOwner];
  });
}
