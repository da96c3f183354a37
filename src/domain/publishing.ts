import { notAccredited } from "./accreditation.ts";
import { cancelTender } from "./cancelling.ts";
import { checkGuarantees, withLotTotals } from "./lotRules.ts";
import { hasLevel, isInGroup, isTestOnly, mayCreate, owns } from "./model/actors.ts";
import type {
  CommandContext,
  CommandOutcome,
  ParsedPatch,
  Patch,
  Publication,
  TenderCommand,
  TenderInput,
} from "./model/commands.ts";
import type { DomainResult, Problem, Refusal } from "./model/refusals.ts";
import { forbidden, invalidInput, problem, wrongStatus } from "./model/refusals.ts";
import { ok, refuse } from "./model/result.ts";
import type { Lot, Period, ProcedureName, Tender, TenderFields, TenderStatus } from "./model/tender.ts";
import { accepts, PROCEDURES, procedureOf } from "./procedures/index.ts";
import { actionLeadingTo, isFinal } from "./procedures/procedure.ts";
import { areBidsSealed } from "./sealing.ts";
import { publicationSizeRefusal } from "./sizeRules.ts";
import { endedWindow } from "./timeWindows.ts";
import { merge, withoutNulls } from "./values/merge.ts";
import { dayOf } from "./values/time.ts";

/** Publishing a tender, editing it, and the moves of status that are its owner's to make. */

/** The number a tender gets among those published on a day. */
export type NextDailyNumber = (day: string) => number;

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
  // Of guarantees as they were sent, and as they are in the tender's money: one of the two says all.
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
  const { status, mode, lots, auctionPeriod: _planned, ...rest } = fields;
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
    owner: context.actor.account!.name,
    tokenHash: context.newTokenHash,
    lots: (lots ?? []).map(
      ({ auctionPeriod: _later, ...lot }): Lot => ({
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
  const { status, mode: _fixed, lots: _apart, auctionPeriod: _planned, ...fields } = withoutNulls(sent.fields);
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

/** The owner asks for a new token; the old one is worth nothing from then on. */
export function renewToken(
  tender: Tender,
  _command: Extract<TenderCommand, { kind: "renew token" }>,
  { actor, newTokenHash }: CommandContext,
): DomainResult<CommandOutcome> {
  return owns(actor, tender) ? ok({ tender: { ...tender, tokenHash: newTokenHash } }) : forbidden();
}

/** The administrator repairs: status, mode and the buyer, whatever the procedure says of them, and nothing else. */
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
 * Any status that the procedure has, as far as `keepSealed` allows it. A tender that is ended while its bids are sealed
 * loses them, also after the deadline: nobody will award anything by them.
 */
function withRepairedStatus(tender: Tender, status: TenderStatus, { at }: CommandContext): Tender {
  const isEarlierStatus = status === "draft" || status === "active.enquiries";
  if (status === tender.status || isEarlierStatus || !procedureOf(tender).stages[status]) return tender;
  const dropsBids = areBidsSealed(tender) && (status === "cancelled" || status === "unsuccessful");
  return { ...tender, ...(dropsBids && { bids: [] }), status, date: at };
}

/** The scheduler plans auctions, and otherwise only asks how things stand: time moves by itself. */
function planAuctions(tender: Tender, sent: ParsedPatch<TenderInput>): DomainResult<Tender> {
  const planned = withPlannedAuctions(tender, withoutNulls(sent.fields));
  const badInput = invalidInput(sent.problems, procedureOf(tender).checkTender(planned));
  if (badInput) return badInput;
  if (isFinal(tender) || tender.status === "draft")
    return wrongStatus("update tender", "itself", tender, endedWindow(tender));
  return ok(planned);
}

/** Planning is about the beginning; when an auction is over, the auction says. */
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

/** The defaults are about a tender's fields; what hangs on the tender passes through untouched. */
const fieldsOf = (tender: Tender): TenderFields => tender;

function checkStartDatesPresent(fields: Patch<TenderFields>): Problem[] {
  const periods = ["enquiryPeriod", "tenderPeriod"] as const;
  return periods
    .filter((name) => (fields[name] as Patch<Period> | undefined)?.startDate === null)
    .map((name) => problem([name, "startDate"], "This field cannot be deleted", "field-kept"));
}

/** A status that is not the owner's to set is left as it is, so that a client may send back what it read. */
function setStatus(tender: Tender, status: TenderStatus | undefined, { at }: CommandContext): Tender {
  if (status === undefined || status === tender.status) return tender;
  const action = actionLeadingTo(status);
  if (!action || !accepts(tender, action)) return tender;
  return action === "cancel" ? cancelTender(tender, { at }) : { ...tender, status, date: at };
}

const TEST_MARKS = { title: "[ТЕСТУВАННЯ]", title_en: "[TESTING]", title_ru: "[ТЕСТИРОВАНИЕ]" } as const;

/** Nobody may take a test tender for a real one: its titles say what it is. */
function withTestMarks(tender: Tender): Tender {
  if (tender.mode !== "test") return tender;
  const marked = Object.entries(TEST_MARKS).map(([name, mark]) => {
    const title = tender[name as keyof typeof TEST_MARKS] ?? "";
    return [name, title.includes(mark) ? title : `${mark} ${title}`];
  });
  return { ...tender, ...Object.fromEntries(marked) };
}
