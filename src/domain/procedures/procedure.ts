import type { AccountGroup } from "../model/actors.ts";
import type { CommandContext, CommandOutcome, ComplaintInput, TenderCommand, TimeContext } from "../model/commands.ts";
import type { DomainResult, Problem, RuleRefusal, TimeWindow } from "../model/refusals.ts";
import {
  type Award,
  type Bid,
  type Complaint,
  type EntityKind,
  TENDER_STATUSES,
  type Tender,
  type TenderFields,
  type TenderStatus,
} from "../model/tender.ts";
import type { Instant } from "../values/time.ts";
import type { ProcedureName } from "./names.ts";
import type { ProcedureFields } from "./optionalFields.ts";

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
  /** When the stage begins and ends, as far as the tender's periods say; `undefined` if it has not begun and may be skipped. */
  readonly window?: (tender: Tender) => TimeWindow | undefined;
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

/** A handler of the commands of one kind. */
export type CommandHandler<Kind extends TenderCommand["kind"]> = (
  tender: Tender,
  command: Extract<TenderCommand, { kind: Kind }>,
  context: RuleContext,
) => DomainResult<CommandOutcome>;

/** A statutory interval. In the sandbox, a tender may shorten it: see `intervalEnd`. */
export type Interval = {
  readonly days: number;
  readonly counted: "working" | "calendar";
  /** The interval is counted from the midnight after the event. */
  readonly startsNextDay?: true;
};

/** What the public view of a tender says about the method, which nobody can change. */
export type ProcurementMethod = {
  readonly procurementMethod: "open" | "limited";
  readonly submissionMethod?: "electronicAuction";
  readonly awardCriteria?: "lowestCost";
};

/** How complaints about a tender or an award are filed, changed and settled. */
export type ComplaintRules = {
  /** The type of a new complaint. */
  readonly type: Complaint["type"];
  /** The statuses that clients may name. */
  readonly statuses: readonly Complaint["status"][];
  /** Who may file one: any accredited broker, or only the owner of a bid. */
  readonly filedBy: "brokers" | "bidders";
  /** The statuses that a new complaint can be filed in, besides `draft`. */
  readonly filedAs: readonly Complaint["status"][];
  /** The statuses in which it can still be changed. */
  readonly open: readonly Complaint["status"][];
  /** The statuses that need a `cancellationReason`. */
  readonly givenUp: readonly Complaint["status"][];
  /** The group that reviews complaints. */
  readonly reviewers: AccountGroup;
  /** Whether a complaint about an award is always about the award's lot, and can be written to only while that is active. */
  readonly followsLot: boolean;
  /** The fields that a role may change, given the current and the requested status; `undefined` refuses the role. */
  readonly writableFields: (
    role: ComplaintRole,
    complaint: Complaint,
    requestedStatus: string | undefined,
  ) => readonly (keyof ComplaintInput)[] | undefined;
  /** What each change of status requires and sets, by "role from to"; the same status twice is an edit. */
  readonly moves: { readonly [roleFromTo: string]: ComplaintMove };
  /** The statuses in which a role may add and replace documents. */
  readonly documentStatuses: { readonly [role in ComplaintRole]?: readonly Complaint["status"][] };
  /** Whether the award's complaint period still ends when it really ended, and was not overwritten by a later change. */
  readonly hasOriginalPeriod: (award: Award) => boolean;
  /** When a role could write to the complaint, if that is over and its dates tell. */
  readonly writingWindow: (role: ComplaintRole, complaint: Complaint) => TimeWindow | undefined;
  /** When a complaint left the `open` statuses for good, if it has and its dates tell. */
  readonly closedAt: (complaint: Complaint) => Instant | undefined;
};

/** The part that an actor plays in a complaint. */
export type ComplaintRole = "complaint_owner" | "tender_owner" | "reviewer" | "other";

/** What a change of a complaint depends on besides the complaint itself. */
export type ComplaintMoveContext = {
  readonly tender: Tender;
  readonly award: Award | undefined;
  readonly context: RuleContext;
};

/** Completes a change of a complaint. Returns the complaint, a specific refusal, or `undefined` for the general one. */
export type ComplaintMove = (
  before: Complaint,
  after: Complaint,
  moveContext: ComplaintMoveContext,
) => Complaint | RuleRefusal | undefined;

/**
 * A procedure as data: everything in which procedures differ. Guards, deadlines, `next_check`, routes, views, diagrams and the
 * documentation are derived from it. A section that is absent means that tenders of the procedure have no such thing.
 */
export type Procedure = {
  readonly name: ProcedureName;
  /** Who does what, and when, for the documentation. */
  readonly summary: string;
  readonly method: ProcurementMethod;

  /** Accreditation levels, of which a broker needs one: to publish, and to take part with bids, questions and complaints. */
  readonly accreditation: { readonly publish: string; readonly participate: string };
  /** The kinds of buyers that may publish. */
  readonly buyerKinds: readonly EntityKind[];
  /** The fields that not every procedure has. */
  readonly fields: ProcedureFields;
  /** Fills in fields that clients may leave out. */
  readonly fillDefaults: (fields: TenderFields, newId: () => string) => TenderFields;
  readonly checkTender: (tender: Tender) => readonly Problem[];

  /** The status of a published tender, unless it is created as a draft. */
  readonly entryStatus: TenderStatus;
  readonly stages: { readonly [Status in TenderStatus]?: Stage };
  /** Whether fields and lots are fixed as soon as there is an award. */
  readonly frozenByAwards: boolean;

  readonly documents: DocumentRules;
  readonly lots?: LotRules;
  readonly questions?: { readonly requiresAuthor: boolean };
  readonly bids?: { readonly check: (bid: Bid, tender: Tender) => readonly Problem[] };
  /** Who holds the auction and reports its prices. An auction of the service is planned by the scheduler. */
  readonly auction?: { readonly heldBy: "owner" | "service" };
  readonly awards: AwardRules;
  readonly complaints: {
    readonly tender?: ComplaintRules;
    readonly award?: ComplaintRules;
    /** The statuses of complaints that prevent contracts from being signed and lots from ending. */
    readonly blocking: readonly Complaint["status"][];
  };
  readonly contracts: { readonly edit: CommandHandler<"edit contract"> };
  /** Whether the tender can be cancelled as a whole once one of its lots is complete. */
  readonly cancellations: { readonly despiteCompleteLots: boolean };
};

/** Documents of the tender and its awards. Those of complaints have the same rules in every procedure. */
export type DocumentRules = {
  /** Whether only the role that uploaded a document may replace it. */
  readonly replacedByAuthor: boolean;
  /** The groups that may add documents to awards, besides the owner. */
  readonly awardUploaders: readonly AccountGroup[];
  /** Whether documents can be added to an award only while it is pending. */
  readonly onlyToPendingAwards: boolean;
};

export type LotRules = {
  /** Whether the amounts of the tender are computed from those of its lots. */
  readonly sumUp: boolean;
  /** Whether a cancellation of a lot, even a pending one, fixes the lot and prevents awards and contracts. */
  readonly blockedByCancellation: boolean;
};

export type AwardRules = {
  /** Who makes awards. Those of the service are always for a bid. */
  readonly madeBy: "owner" | "service";
  readonly record: CommandHandler<"record award">;
  readonly change: CommandHandler<"change award">;
  /** How long an award can be contested after the decision on it, before a contract may be signed. */
  readonly standStill?: Interval;
  /** Whether the buyer must confirm that the supplier is qualified before it accepts the award. */
  readonly mustBeQualified?: true;
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

/** Whether tenders have an enquiry period, which starts when they are created. */
export const hasEnquiryPeriod = ({ fields }: Procedure): boolean => fields.Tender.includes("enquiryPeriod");

/** Whether there is anything for the scheduler to do: an auction to plan, or a deadline. */
export const isScheduled = ({ auction, stages }: Procedure): boolean =>
  auction !== undefined || Object.values(stages).some(({ deadlines = [] }) => deadlines.length > 0);

/** Statuses in which a tender has ended. */
export const FINAL_STATUSES: readonly TenderStatus[] = ["complete", "cancelled", "unsuccessful"];
/** Whether the tender has ended. */
export const isFinal = (tender: Tender): boolean => FINAL_STATUSES.includes(tender.status);
