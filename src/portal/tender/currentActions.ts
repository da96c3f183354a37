import type { Award, Complaint, Tender } from "../../domain/model/tender.ts";
import { procedureOf } from "../../domain/procedures/index.ts";
import { accepts, type Procedure, type TenderAction } from "../../domain/procedures/procedure.ts";
import { isLotActive } from "../../domain/tender/lotRules.ts";
import { actionWindow } from "../../domain/timeWindows.ts";
import type { Instant } from "../../domain/values/time.ts";

/** Who may do what with a tender now, and until when: derived from the table of its procedure. */

/** Somebody who takes part. */
export type TenderActor = "anyone" | "suppliers" | "bidders" | "buyer" | "reviewers" | "registry";

/** What can be done. Each has a text in the catalogue. */
type PlainAction =
  | "ask"
  | "bid"
  | "claim"
  | "claimAward"
  | "complainAward"
  | "edit"
  | "auction"
  | "awaitAuction"
  | "decide"
  | "choose"
  | "sign"
  | "signLater"
  | "signAfterComplaints"
  | "close"
  | "cancel";
/** What is to be done with a number of things, which is a parameter of its text. */
type CountedAction = "answerQuestions" | "answerClaims" | "reviewComplaints";

/** Something that somebody may do now. */
export type CurrentAction = {
  readonly actor: TenderActor;
  readonly until?: Instant;
  /** It is possible only from then on. */
  readonly from?: Instant;
  /** The award that it is about. */
  readonly award?: string;
} & ({ readonly action: PlainAction } | { readonly action: CountedAction; readonly count: number });

type ActionContext = { readonly tender: Tender; readonly procedure: Procedure; readonly now: Instant };

/** Everything that somebody may do now, what concerns most people first. Empty once the tender has ended. */
export function currentActions(tender: Tender, now: Instant): readonly CurrentAction[] {
  const context: ActionContext = { tender, procedure: procedureOf(tender), now };
  return [
    ...competition(context),
    ...auction(context),
    ...decisions(context),
    ...contestedAwards(context),
    ...contracts(context),
    ...answers(context),
    ...ofBuyer(context),
  ];
}

const can = ({ procedure, tender }: ActionContext, action: TenderAction): boolean => accepts(procedure, tender, action);

/** The action with the end of its window, if the stage accepts it. */
function whileAccepted(
  context: ActionContext,
  accepted: TenderAction,
  action: PlainAction,
  actor: TenderActor,
): readonly CurrentAction[] {
  if (!can(context, accepted)) return [];
  return [{ actor, action, ...untilOf(context, accepted) }];
}

function untilOf({ procedure, tender, now }: ActionContext, action: TenderAction): { readonly until?: Instant } {
  const until = actionWindow(procedure, tender, action)?.until;
  return until !== undefined && until > now ? { until } : {};
}

function competition(context: ActionContext): readonly CurrentAction[] {
  const { questions, bids, complaints } = context.procedure;
  return [
    ...(bids ? whileAccepted(context, "place bid", "bid", "suppliers") : []),
    ...(questions ? whileAccepted(context, "ask question", "ask", "anyone") : []),
    ...(complaints.tender ? whileAccepted(context, "file complaint", "claim", "anyone") : []),
  ];
}

function auction({ tender, procedure, now }: ActionContext): readonly CurrentAction[] {
  if (tender.status !== "active.auction" || procedure.auction?.heldBy !== "service") return [];
  const periods = tender.lots.length === 0 ? [tender.auctionPeriod] : tender.lots.map((lot) => lot.auctionPeriod);
  const starts = periods.flatMap((period) => (period?.endDate === undefined ? (period?.startDate ?? []) : []));
  if (starts.length === 0) return [{ actor: "registry", action: "awaitAuction" }];
  const from = Math.min(...starts);
  return [{ actor: "registry", action: "auction", ...(from > now && { from }) }];
}

function decisions(context: ActionContext): readonly CurrentAction[] {
  const { tender, procedure } = context;
  const pending = tender.awards.filter(({ status }) => status === "pending");
  if (pending.length > 0 && can(context, "change award"))
    return pending.map(({ id }) => ({ actor: "buyer", action: "decide", award: id }));
  const isOpen = procedure.awards.madeBy === "owner" && can(context, "record award") && !can(context, "place bid");
  const isChosen = tender.awards.some(({ status }) => status === "active");
  return isOpen && !isChosen && !can(context, "ask question") ? [{ actor: "buyer", action: "choose" }] : [];
}

function contestedAwards(context: ActionContext): readonly CurrentAction[] {
  const { tender, procedure, now } = context;
  const rules = procedure.complaints.award;
  if (!rules || !can(context, "file award complaint")) return [];
  const isContestable = ({ status, complaintPeriod, lotID }: Award) =>
    (status === "active" || status === "unsuccessful") &&
    complaintPeriod?.startDate !== undefined &&
    complaintPeriod.startDate <= now &&
    complaintPeriod.endDate !== undefined &&
    complaintPeriod.endDate > now &&
    (!rules.followsLot || isLotActive(tender, lotID));
  return tender.awards.filter(isContestable).map(({ id, complaintPeriod }) => ({
    actor: rules.filedBy === "bidders" ? "bidders" : "anyone",
    action: rules.type === "claim" ? "claimAward" : "complainAward",
    ...(complaintPeriod?.endDate !== undefined && { until: complaintPeriod.endDate }),
    award: id,
  }));
}

const complaintsOf = ({ complaints, awards }: Tender): readonly Complaint[] => [
  ...complaints,
  ...awards.flatMap((award) => award.complaints),
];

function contracts(context: ActionContext): readonly CurrentAction[] {
  const { tender, procedure, now } = context;
  if (!can(context, "edit contract")) return [];
  const isBlocked = complaintsOf(tender).some(({ status }) => procedure.complaints.blocking.includes(status));
  return tender.contracts
    .filter(({ status }) => status === "pending")
    .map(({ awardID }): CurrentAction => {
      const about = { actor: "buyer", award: awardID } as const;
      const contestedUntil = tender.awards.find(({ id }) => id === awardID)?.complaintPeriod?.endDate;
      if (contestedUntil !== undefined && contestedUntil > now)
        return { ...about, action: "signLater", from: contestedUntil };
      return { ...about, action: isBlocked ? "signAfterComplaints" : "sign" };
    });
}

function answers(context: ActionContext): readonly CurrentAction[] {
  const { tender } = context;
  const unanswered = tender.questions.filter(({ answer }) => answer === undefined).length;
  const canAnswer = can(context, "edit complaint") || can(context, "edit award complaint");
  const withStatus = (...statuses: readonly Complaint["status"][]) =>
    canAnswer ? complaintsOf(tender).filter(({ status }) => statuses.includes(status)).length : 0;
  const [claims, reviews] = [withStatus("claim"), withStatus("pending", "accepted", "stopping")];
  return [
    ...(unanswered > 0 && can(context, "answer question")
      ? [
          {
            actor: "buyer",
            action: "answerQuestions",
            count: unanswered,
            ...untilOf(context, "answer question"),
          } as const,
        ]
      : []),
    ...(claims > 0 ? [{ actor: "buyer", action: "answerClaims", count: claims } as const] : []),
    ...(reviews > 0 ? [{ actor: "reviewers", action: "reviewComplaints", count: reviews } as const] : []),
  ];
}

function ofBuyer(context: ActionContext): readonly CurrentAction[] {
  const { tender, procedure } = context;
  const isFrozen = procedure.frozenByAwards && tender.awards.length > 0;
  return [
    ...(can(context, "edit fields") && !isFrozen
      ? [{ actor: "buyer", action: "edit", ...untilOf(context, "edit fields") } as const]
      : []),
    ...(can(context, "complete") ? [{ actor: "buyer", action: "close" } as const] : []),
    ...(can(context, "cancel") ? [{ actor: "buyer", action: "cancel" } as const] : []),
  ];
}
