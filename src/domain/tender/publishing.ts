import { notAccredited } from "../accreditation.ts";
import { accountName, hasLevel, isInGroup, isTestOnly, mayCreate } from "../model/actors.ts";
import type { CommandContext, Publication, TenderInput } from "../model/commands.ts";
import type { DomainResult, Refusal } from "../model/refusals.ts";
import { forbidden, invalidInput, ruleRefusal } from "../model/refusals.ts";
import { ok, refuse } from "../model/result.ts";
import type { Lot, Tender } from "../model/tender.ts";
import { PROCEDURES } from "../procedures/index.ts";
import { hasEnquiryPeriod, type Procedure } from "../procedures/procedure.ts";
import { dayOf } from "../values/time.ts";
import { checkGuarantees, withLotTotals } from "./lotRules.ts";
import { publicationSizeRefusal } from "./sizeRules.ts";
import { withTestMarks } from "./testMarks.ts";

/** Publishing a tender. */

/** Reserves the next number for a tender that is published on this day (YYYY-MM-DD). */
export type NextDailyNumber = (day: string) => number;

/** Decides a publication: returns the new tender, or a refusal. A number is reserved only for a tender that is accepted. */
export function publish(
  publication: Publication,
  context: CommandContext,
  nextDailyNumber: NextDailyNumber,
): DomainResult<Tender> {
  const { actor } = context;
  const { sent } = publication;
  if (!mayCreate(actor) && !isInGroup(actor, "competitive_dialogue")) return forbidden();
  if (publication.procedure === "unknown") return refuse<Refusal>({ kind: "unknown procedure" });
  const procedure = PROCEDURES[publication.procedure];
  if (!hasLevel(actor, procedure.accreditation.publish)) return notAccredited("tender", "accreditation");
  const tender = draftTender(procedure, sent.fields, context);
  // Guarantees are checked as sent and as converted to the tender's currency; a Set, as both checks may return the same problem.
  const problems = new Set([...checkGuarantees(sent.fields.lots ?? []), ...procedure.checkTender(tender)]);
  const badInput = invalidInput(sent.problems, [...problems]);
  if (badInput) return badInput;
  if (isTestOnly(actor) && tender.mode !== "test") return notAccredited("tender", "mode");
  const kindRefusal = buyerKindRefusal(procedure, tender);
  if (kindRefusal) return kindRefusal;
  const tooLarge = context.limits && publicationSizeRefusal(tender, context.limits);
  if (tooLarge) return tooLarge;
  const day = dayOf(context.at, context.zone);
  const tenderID = `UA-${day}-${String(nextDailyNumber(day)).padStart(6, "0")}`;
  const enquiryPeriod = { ...tender.enquiryPeriod, startDate: context.at };
  return ok(withTestMarks({ ...tender, tenderID, ...(hasEnquiryPeriod(procedure) && { enquiryPeriod }) }));
}

/** Why a buyer of this kind may not use the procedure, if it may not. The protocol quotes the kind as Python does. */
function buyerKindRefusal({ buyerKinds }: Procedure, { procuringEntity }: Tender) {
  const kind = procuringEntity?.kind;
  if (kind === undefined || buyerKinds.includes(kind)) return undefined;
  const text = `u'${kind}' procuringEntity cannot publish this type of procedure. Only ${buyerKinds.join(", ")} are allowed.`;
  return ruleRefusal("buyer-kind", text, { name: "kind" });
}

function draftTender(procedure: Procedure, fields: TenderInput, context: CommandContext): Tender {
  const { at, newId } = context;
  const { status, mode, lots, auctionPeriod: _auctionPeriod, ...rest } = fields;
  const fieldsAtStart = {
    ...rest,
    ...(rest.enquiryPeriod && { enquiryPeriod: { ...rest.enquiryPeriod, startDate: at } }),
  };
  const tender: Tender = {
    ...procedure.fillDefaults(fieldsAtStart, newId),
    id: newId(),
    tenderID: "",
    procedure: procedure.name,
    status: status === "draft" ? "draft" : procedure.entryStatus,
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
  };
  return withLotTotals(tender, procedure);
}
