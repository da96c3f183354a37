import { notAccredited } from "./accreditation.ts";
import { hasLevel, isIn, isTestOnly, mayCreate, owns } from "./actors.ts";
import { cancelled } from "./cancelling.ts";
import type { Command, Context, Patch, Publication, Sent, TenderSent } from "./commands.ts";
import type { Outcome } from "./decide.ts";
import { checkGuarantees, withSumsOfLots } from "./lots.ts";
import { merge, withoutNulls } from "./merge.ts";
import { accepts, PROCEDURES, procedureOf } from "./procedures/index.ts";
import { actThatSets, isFinal } from "./procedures/procedure.ts";
import type { Decided, Problem, Refusal } from "./refusals.ts";
import { forbidden, invalid, problem, wrongStatus } from "./refusals.ts";
import { no, ok } from "./result.ts";
import { areBidsSealed } from "./sealing.ts";
import { refusedToPublish } from "./size.ts";
import type { Lot, Period, ProcedureName, Tender, TenderFields, TenderStatus } from "./tender.ts";
import { dayOf } from "./time.ts";
import { lifeOf } from "./windows.ts";

/** Publishing a tender, editing it, and the moves of status that are its owner's to make. */

/** The number a tender gets among those published on a day. */
export type NumberOfDay = (day: string) => number;

export function publish(publication: Publication, context: Context, numberOfDay: NumberOfDay): Decided<Tender> {
  const { actor } = context;
  const { procedure, sent } = publication;
  if (!mayCreate(actor) && !isIn(actor, "competitive_dialogue")) return forbidden();
  if (procedure === "unknown") return no<Refusal>({ kind: "unknown procedure" });
  if (!hasLevel(actor, "1")) return notAccredited("tender", "accreditation");
  const tender = drafted(procedure, sent.fields, context);
  // Of guarantees as they were sent, and as they are in the tender's money: one of the two says all.
  const problems = new Set([...checkGuarantees(sent.fields.lots ?? []), ...procedureOf(tender).checkTender(tender)]);
  const wrong = invalid(sent.problems, [...problems]);
  if (wrong) return wrong;
  if (isTestOnly(actor) && tender.mode !== "test") return notAccredited("tender", "mode");
  const tooLarge = context.limits && refusedToPublish(tender, context.limits);
  if (tooLarge) return tooLarge;
  const day = dayOf(context.at, context.zone);
  const tenderID = `UA-${day}-${String(numberOfDay(day)).padStart(6, "0")}`;
  const enquiryPeriod = { ...tender.enquiryPeriod, startDate: context.at };
  return ok(withTestMarks({ ...tender, tenderID, enquiryPeriod }));
}

function drafted(procedure: ProcedureName, fields: TenderSent, context: Context): Tender {
  const { at, newId } = context;
  const { status, mode, lots, auctionPeriod: _planned, ...rest } = fields;
  const given = { ...rest, ...(rest.enquiryPeriod && { enquiryPeriod: { ...rest.enquiryPeriod, startDate: at } }) };
  return withSumsOfLots({
    ...PROCEDURES[procedure].complete(given, newId),
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
  command: Extract<Command, { kind: "edit tender" }>,
  context: Context,
): Decided<Tender> {
  const { actor } = context;
  if (isIn(actor, "Administrator") && !owns(actor, tender)) return administer(tender, command.sent, context);
  if (isIn(actor, "chronograph") && !owns(actor, tender)) return schedule(tender, command.sent);
  if (!owns(actor, tender) && !isIn(actor, "admins")) return forbidden();
  const { sent } = command;
  const { status, mode: _fixed, lots: _apart, auctionPeriod: _planned, ...fields } = withoutNulls(sent.fields);
  const edited = edit(tender, fields, context.newId);
  const problems = [...checkStartsKept(fields), ...procedureOf(tender).checkTender(edited)];
  const wrong = invalid(sent.problems, problems);
  if (wrong) return wrong;
  if (isFinal(tender)) return wrongStatus("update tender", "itself", tender, lifeOf(tender));
  if (tender.status === "draft" && status !== "active.enquiries" && status !== "cancelled")
    return wrongStatus("update tender", "itself", tender);
  const current = accepts(tender, "edit fields") ? edited : tender;
  return ok(withTestMarks(setStatus(current, status ?? undefined, context)));
}

/** The owner asks for a new token; the old one is worth nothing from then on. */
export function renewToken(
  tender: Tender,
  _command: Extract<Command, { kind: "renew token" }>,
  { actor, newTokenHash }: Context,
): Decided<Outcome> {
  return owns(actor, tender) ? ok({ tender: { ...tender, tokenHash: newTokenHash } }) : forbidden();
}

/** The administrator repairs: status, mode and the buyer, whatever the procedure says of them, and nothing else. */
function administer(tender: Tender, sent: Sent<TenderSent>, context: Context): Decided<Tender> {
  const { status, mode, procuringEntity, ...planned } = withoutNulls(sent.fields);
  const publishes = tender.status === "draft" && status === "active.enquiries";
  if (publishes) return invalid(sent.problems, []) ?? ok(setStatus(tender, status, context));
  const repaired = merge<Tender>(tender, { ...(mode && { mode }), ...(procuringEntity && { procuringEntity }) });
  const edited = withAuctionsPlanned(repaired, planned);
  const wrong = invalid(sent.problems, procedureOf(tender).checkTender(edited));
  if (wrong) return wrong;
  if (tender.status === "draft") return wrongStatus("update tender", "itself", tender);
  return ok(withTestMarks(status ? repairedStatus(edited, status, context) : edited));
}

/**
 * Any status that the procedure has, as far as `keepSealed` allows it. A tender that is ended while its bids are sealed
 * loses them, also after the deadline: nobody will award anything by them.
 */
function repairedStatus(tender: Tender, status: TenderStatus, { at }: Context): Tender {
  const isBack = status === "draft" || status === "active.enquiries";
  if (status === tender.status || isBack || !procedureOf(tender).stages[status]) return tender;
  const dropsBids = areBidsSealed(tender) && (status === "cancelled" || status === "unsuccessful");
  return { ...tender, ...(dropsBids && { bids: [] }), status, date: at };
}

/** The scheduler plans auctions, and otherwise only asks how things stand: time moves by itself. */
function schedule(tender: Tender, sent: Sent<TenderSent>): Decided<Tender> {
  const planned = withAuctionsPlanned(tender, withoutNulls(sent.fields));
  const wrong = invalid(sent.problems, procedureOf(tender).checkTender(planned));
  if (wrong) return wrong;
  if (isFinal(tender) || tender.status === "draft")
    return wrongStatus("update tender", "itself", tender, lifeOf(tender));
  return ok(planned);
}

/** Planning is about the beginning; when an auction is over, the auction says. */
function withAuctionsPlanned(
  tender: Tender,
  { auctionPeriod, lots }: Pick<Patch<TenderSent>, "auctionPeriod" | "lots">,
): Tender {
  const planned = (before: Period | undefined, sent: Patch<Period> | null | undefined): Period | undefined =>
    sent?.startDate === undefined ? before : merge(before ?? {}, { startDate: sent.startDate });
  const own = tender.lots.length === 0 ? planned(tender.auctionPeriod, auctionPeriod) : undefined;
  return {
    ...tender,
    ...(own && { auctionPeriod: own }),
    lots: tender.lots.map((lot, i) => {
      const period = planned(lot.auctionPeriod, lots?.[i]?.auctionPeriod);
      return period ? { ...lot, auctionPeriod: period } : lot;
    }),
  };
}

function edit(tender: Tender, fields: Patch<TenderFields>, newId: () => string): Tender {
  const kind = tender.procuringEntity?.kind;
  const merged = merge<Tender>(tender, fields);
  const kept = {
    ...merged,
    enquiryPeriod: { ...merged.enquiryPeriod, startDate: tender.enquiryPeriod?.startDate },
    ...(merged.procuringEntity && kind && { procuringEntity: { ...merged.procuringEntity, kind } }),
  };
  return withSumsOfLots({ ...kept, ...procedureOf(tender).complete(fieldsOf(kept), newId) });
}

/** The defaults are about a tender's fields; what hangs on the tender passes through untouched. */
const fieldsOf = (tender: Tender): TenderFields => tender;

function checkStartsKept(fields: Patch<TenderFields>): Problem[] {
  const periods = ["enquiryPeriod", "tenderPeriod"] as const;
  return periods
    .filter((name) => (fields[name] as Patch<Period> | undefined)?.startDate === null)
    .map((name) => problem([name, "startDate"], "This field cannot be deleted", "field-kept"));
}

/** A status that is not the owner's to set is left as it is, so that a client may send back what it read. */
function setStatus(tender: Tender, status: TenderStatus | undefined, { at }: Context): Tender {
  if (status === undefined || status === tender.status) return tender;
  const act = actThatSets(status);
  if (!act || !accepts(tender, act)) return tender;
  return act === "cancel" ? cancelled(tender, { at }) : { ...tender, status, date: at };
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
