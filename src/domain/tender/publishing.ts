import { notAccredited } from "../accreditation.ts";
import { areBidsSealed } from "../bids/sealing.ts";
import { accountName, hasLevel, isInGroup, isTestOnly, mayCreate, owns } from "../model/actors.ts";
import type {
  CommandContext,
  CommandOutcome,
  ParsedPatch,
  Patch,
  Publication,
  TenderCommand,
  TenderInput,
} from "../model/commands.ts";
import type { DomainResult, Problem, Refusal } from "../model/refusals.ts";
import { forbidden, invalidInput, problem, wrongStatus } from "../model/refusals.ts";
import { ok, refuse } from "../model/result.ts";
import type { Lot, Period, ProcedureName, Tender, TenderFields, TenderStatus } from "../model/tender.ts";
import { accepts, PROCEDURES, procedureOf } from "../procedures/index.ts";
import { actionLeadingTo, isFinal } from "../procedures/procedure.ts";
import { endedWindow } from "../timeWindows.ts";
import { merge, withoutNulls } from "../values/merge.ts";
import { dayOf } from "../values/time.ts";
import { cancelTender } from "./cancelling.ts";
import { checkGuarantees, withLotTotals } from "./lotRules.ts";
import { publicationSizeRefusal } from "./sizeRules.ts";

/** Publishing a tender, editing it, and the changes of status that its owner, the scheduler or an administrator may make. */

/** Reserves the next number for a tender that is published on this day (YYYY-MM-DD). */
export type NextDailyNumber = (day: string) => number;

/** Decides a publication: returns the new tender, or a refusal. A number is reserved only for a tender that is accepted. */
export function publish(
  publication: Publication,
  context: CommandContext,
  nextDailyNumber: NextDailyNumber,
): DomainResult<Tender> {
  const { actor } = context;
  const { procedure, sent } = publication;
  if (!mayCreate(actor) && !isInGroup(actor, "competitive_dialogue")) return forbidden();
  if (procedure === "unknown") return refuse<Refusal>({ kind: "unknown procedure" });
  if (!hasLevel(actor, "1")) return notAccredited("tender", "accreditation");
  const tender = draftTender(procedure, sent.fields, context);
  // Guarantees are checked as sent and as converted to the tender's currency; a Set, as both checks may return the same problem.
  const problems = new Set([...checkGuarantees(sent.fields.lots ?? []), ...procedureOf(tender).checkTender(tender)]);
  const badInput = invalidInput(sent.problems, [...problems]);
  if (badInput) return badInput;
  if (isTestOnly(actor) && tender.mode !== "test") return notAccredited("tender", "mode");
  const tooLarge = context.limits && publicationSizeRefusal(tender, context.limits);
  if (tooLarge) return tooLarge;
  const day = dayOf(context.at, context.zone);
  const tenderID = `UA-${day}-${String(nextDailyNumber(day)).padStart(6, "0")}`;
  const enquiryPeriod = { ...tender.enquiryPeriod, startDate: context.at };
  return ok(withTestMarks({ ...tender, tenderID, enquiryPeriod }));
}

function draftTender(procedure: ProcedureName, fields: TenderInput, context: CommandContext): Tender {
  const { at, newId } = context;
  const { status, mode, lots, auctionPeriod: _auctionPeriod, ...rest } = fields;
  const fieldsAtStart = {
    ...rest,
    ...(rest.enquiryPeriod && { enquiryPeriod: { ...rest.enquiryPeriod, startDate: at } }),
  };
  return withLotTotals({
    ...PROCEDURES[procedure].fillDefaults(fieldsAtStart, newId),
    id: newId(),
    tenderID: "",
    procedure,
    status: status === "draft" ? "draft" : "active.enquiries",
    ...(mode && { mode }),
    date: at,
    dateModified: at,
    owner: accountName(context.actor),
    tokenHash: context.newTokenHash,
    lots: (lots ?? []).map(
      ({ auctionPeriod: _auctionPeriod, ...lot }): Lot => ({
        ...lot,
        id: lot.id ?? newId(),
        status: "active",
        date: at,
      }),
    ),
    bids: [],
    questions: [],
    documents: [],
    awards: [],
    contracts: [],
    complaints: [],
    cancellations: [],
  });
}

/**
 * Edits a tender. The owner changes fields while the stage accepts it and may set the statuses of `OWNER_TRANSITIONS`; the scheduler
 * (chronograph) plans auctions; the administrator repairs.
 */
export function editTender(
  tender: Tender,
  command: Extract<TenderCommand, { kind: "edit tender" }>,
  context: CommandContext,
): DomainResult<Tender> {
  const { actor } = context;
  if (isInGroup(actor, "Administrator") && !owns(actor, tender)) return repairTender(tender, command.sent, context);
  if (isInGroup(actor, "chronograph") && !owns(actor, tender)) return planAuctions(tender, command.sent);
  if (!owns(actor, tender) && !isInGroup(actor, "admins")) return forbidden();
  const { sent } = command;
  const { status, mode: _mode, lots: _lots, auctionPeriod: _auctionPeriod, ...fields } = withoutNulls(sent.fields);
  const edited = applyEdit(tender, fields, context.newId);
  const problems = [...checkStartDatesPresent(fields), ...procedureOf(tender).checkTender(edited)];
  const badInput = invalidInput(sent.problems, problems);
  if (badInput) return badInput;
  if (isFinal(tender)) return wrongStatus("update tender", "itself", tender, endedWindow(tender));
  if (tender.status === "draft" && status !== "active.enquiries" && status !== "cancelled")
    return wrongStatus("update tender", "itself", tender);
  const current = accepts(tender, "edit fields") ? edited : tender;
  return ok(withTestMarks(setStatus(current, status ?? undefined, context)));
}

/** Replaces the owner token; the old one loses its effect at once. */
export function renewToken(
  tender: Tender,
  _command: Extract<TenderCommand, { kind: "renew token" }>,
  { actor, newTokenHash }: CommandContext,
): DomainResult<CommandOutcome> {
  return owns(actor, tender) ? ok({ tender: { ...tender, tokenHash: newTokenHash } }) : forbidden();
}

/** A repair by the administrator: sets status, mode, buyer and planned auctions regardless of the stage, and nothing else. */
function repairTender(tender: Tender, sent: ParsedPatch<TenderInput>, context: CommandContext): DomainResult<Tender> {
  const { status, mode, procuringEntity, ...planned } = withoutNulls(sent.fields);
  const publishes = tender.status === "draft" && status === "active.enquiries";
  if (publishes) return invalidInput(sent.problems, []) ?? ok(setStatus(tender, status, context));
  const repaired = merge<Tender>(tender, { ...(mode && { mode }), ...(procuringEntity && { procuringEntity }) });
  const edited = withPlannedAuctions(repaired, planned);
  const badInput = invalidInput(sent.problems, procedureOf(tender).checkTender(edited));
  if (badInput) return badInput;
  if (tender.status === "draft") return wrongStatus("update tender", "itself", tender);
  return ok(withTestMarks(status ? withRepairedStatus(edited, status, context) : edited));
}

/**
 * Sets any later status that the procedure has; `keepSealed` checks it afterwards. Sealed bids of a tender that ends this way are
 * deleted, even after the deadline, since no award will be based on them.
 */
function withRepairedStatus(tender: Tender, status: TenderStatus, { at }: CommandContext): Tender {
  const isEarlierStatus = status === "draft" || status === "active.enquiries";
  if (status === tender.status || isEarlierStatus || !procedureOf(tender).stages[status]) return tender;
  const dropsBids = areBidsSealed(tender) && (status === "cancelled" || status === "unsuccessful");
  return { ...tender, ...(dropsBids && { bids: [] }), status, date: at };
}

/** The scheduler sets the start of auctions. Its other requests only trigger deadlines that are due, which happens anyway. */
function planAuctions(tender: Tender, sent: ParsedPatch<TenderInput>): DomainResult<Tender> {
  const planned = withPlannedAuctions(tender, withoutNulls(sent.fields));
  const badInput = invalidInput(sent.problems, procedureOf(tender).checkTender(planned));
  if (badInput) return badInput;
  if (isFinal(tender) || tender.status === "draft")
    return wrongStatus("update tender", "itself", tender, endedWindow(tender));
  return ok(planned);
}

/** Sets the start of auctions. The end is ignored: the auction service reports it. */
function withPlannedAuctions(
  tender: Tender,
  { auctionPeriod, lots }: Pick<Patch<TenderInput>, "auctionPeriod" | "lots">,
): Tender {
  const withStart = (before: Period | undefined, sent: Patch<Period> | null | undefined): Period | undefined =>
    sent?.startDate === undefined ? before : merge(before ?? {}, { startDate: sent.startDate });
  const tenderAuctionPeriod = tender.lots.length === 0 ? withStart(tender.auctionPeriod, auctionPeriod) : undefined;
  return {
    ...tender,
    ...(tenderAuctionPeriod && { auctionPeriod: tenderAuctionPeriod }),
    lots: tender.lots.map((lot, i) => {
      const period = withStart(lot.auctionPeriod, lots?.[i]?.auctionPeriod);
      return period ? { ...lot, auctionPeriod: period } : lot;
    }),
  };
}

function applyEdit(tender: Tender, fields: Patch<TenderFields>, newId: () => string): Tender {
  const kind = tender.procuringEntity?.kind;
  const merged = merge<Tender>(tender, fields);
  const withFixedFields = {
    ...merged,
    enquiryPeriod: { ...merged.enquiryPeriod, startDate: tender.enquiryPeriod?.startDate },
    ...(merged.procuringEntity && kind && { procuringEntity: { ...merged.procuringEntity, kind } }),
  };
  return withLotTotals({ ...withFixedFields, ...procedureOf(tender).fillDefaults(fieldsOf(withFixedFields), newId) });
}

/** Narrows the type only: `fillDefaults` passes all other properties through. */
const fieldsOf = (tender: Tender): TenderFields => tender;

function checkStartDatesPresent(fields: Patch<TenderFields>): Problem[] {
  const periods = ["enquiryPeriod", "tenderPeriod"] as const;
  return periods
    .filter((name) => fields[name]?.startDate === null)
    .map((name) => problem([name, "startDate"], "This field cannot be deleted", "field-kept"));
}

/** Moves the tender to the status if the owner may set it. Others are ignored, so that clients may send back what they read. */
function setStatus(tender: Tender, status: TenderStatus | undefined, { at }: CommandContext): Tender {
  if (status === undefined || status === tender.status) return tender;
  const action = actionLeadingTo(status);
  if (!action || !accepts(tender, action)) return tender;
  return action === "cancel" ? cancelTender(tender, { at }) : { ...tender, status, date: at };
}

/** Marks the titles of a test tender, so that nobody mistakes it for a real one. */
function withTestMarks(tender: Tender): Tender {
  if (tender.mode !== "test") return tender;
  const withMark = (title = "", mark: string) => (title.includes(mark) ? title : `${mark} ${title}`);
  return {
    ...tender,
    title: withMark(tender.title, "[ТЕСТУВАННЯ]"),
    title_en: withMark(tender.title_en, "[TESTING]"),
    title_ru: withMark(tender.title_ru, "[ТЕСТИРОВАНИЕ]"),
  };
}
