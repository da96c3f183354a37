import { participationRefusal } from "../accreditation.ts";
import { type Actor, accountName, isInGroup, owns } from "../model/actors.ts";
import type {
  BidInput,
  CommandContext,
  CommandOutcome,
  NewBidInput,
  ParsedObject,
  ParsedPatch,
  Patch,
  TenderCommand,
} from "../model/commands.ts";
import type { DomainResult } from "../model/refusals.ts";
import { forbidden, hidden, invalidInput, notFound, ruleRefusal, wrongStatus } from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Bid, Tender, Value } from "../model/tender.ts";
import { accepts, type Procedure, type RuleContext } from "../procedures/procedure.ts";
import { checkRegistration, newDocument } from "../tender/documentVersions.ts";
import { actionWindow } from "../timeWindows.ts";
import { checkEach } from "../validation.ts";
import { merge } from "../values/merge.ts";
import { formatInstant, type Instant } from "../values/time.ts";
import { checkBid } from "./bidRules.ts";
import { isBidVisible, isSealedStage } from "./sealRules.ts";

/** Commands of bidders: to place, change and withdraw a bid during the tender period. */

/** Adds a bid, with the documents whose files are already in the document service. */
export function placeBid(
  tender: Tender,
  { sent, files = [] }: Extract<TenderCommand, { kind: "place bid" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, at, newId, newTokenHash } = context;
  const refusal = placementRefusal(tender, sent, context);
  if (refusal) return refusal;
  const bid: Bid = {
    ...offerOf(tender, sent.fields, at),
    id: newId(),
    owner: accountName(actor),
    tokenHash: newTokenHash,
    documents: files.map((file, i) => {
      const registration = { fields: sent.fields.documents?.[i] ?? {}, problems: [] };
      return newDocument({ file, registration }, at, newId);
    }),
  };
  return ok({ tender: { ...tender, bids: [...tender.bids, bid] }, id: bid.id });
}

type Offer = Omit<Bid, "id" | "owner" | "tokenHash" | "documents">;

function offerOf(tender: Tender, { documents: _apart, ...fields }: NewBidInput, at: Instant): Offer {
  return {
    ...inTenderCurrency(tender, fields),
    date: at,
    status: fields.status ?? "active",
    lotValues: fields.lotValues?.map((lotValue) => ({ ...inTenderCurrency(tender, lotValue), date: at })),
  };
}

/**
 * Why a new bid would be refused, apart from its files: used before the files of its documents are looked up, so that a refused
 * request costs no access to them.
 */
export function placementRefusal(
  tender: Tender,
  { fields, problems }: ParsedObject<NewBidInput>,
  { actor, at, zone, procedure }: Pick<RuleContext, "actor" | "at" | "zone" | "procedure">,
) {
  const refusal = participationRefusal(procedure, actor, "bid", tender);
  if (refusal) return refusal;
  const badInput = invalidInput(problems, [
    ...checkBid(procedure, offerOf(tender, fields, at) as Bid, tender),
    ...checkEach(fields.documents, ["documents"], (document, path) =>
      checkRegistration(document, {}, tender).map((found) => ({ ...found, path: [...path, ...found.path] })),
    ),
  ]);
  if (badInput) return badInput;
  if (!accepts(procedure, tender, "place bid"))
    return wrongStatus("add bid", "tender", tender, actionWindow(procedure, tender, "place bid"));
  return tenderPeriodRefusal(tender, { at, zone }, "added");
}

/** Currency and VAT default to those of the tender. */
const withTenderCurrencyAndVat = (tender: Tender, value: Value): Value => ({
  currency: tender.value?.currency ?? "UAH",
  valueAddedTaxIncluded: tender.value?.valueAddedTaxIncluded ?? true,
  ...value,
});

/** The fields with the currency and VAT of the tender where their `value` names none. */
export const inTenderCurrency = <Fields extends { readonly value?: Value }>(tender: Tender, fields: Fields): Fields =>
  fields.value ? { ...fields, value: withTenderCurrencyAndVat(tender, fields.value) } : fields;

/**
 * The bid, if this actor may change it. To anyone who may not see it, a sealed bid is refused in the same way as one that does not
 * exist.
 */
export function findWritableBid(procedure: Procedure, tender: Tender, id: string, actor: Actor): DomainResult<Bid> {
  const bid = tender.bids.find((candidate) => candidate.id === id);
  if (!bid || !isBidVisible(procedure, bid, tender, actor))
    return isSealedStage(procedure, tender) ? hidden("bid") : notFound("bid");
  return owns(actor, bid) || isInGroup(actor, "admins", "Administrator") ? ok(bid) : forbidden();
}

/**
 * Why bids or their documents cannot be changed at this time, if they cannot. The period is checked besides the status because an
 * administrator can set a status that does not match it.
 */
export function tenderPeriodRefusal(
  tender: Tender,
  { at, zone }: Pick<CommandContext, "at" | "zone">,
  participle: string,
  subject = "Bid",
) {
  const { startDate, endDate } = tender.tenderPeriod ?? {};
  if ((startDate ?? at) <= at && at <= (endDate ?? at)) return undefined;
  const shown = (moment: Instant | undefined) => (moment === undefined ? "None" : formatInstant(moment, zone));
  return ruleRefusal(
    "outside-tender-period",
    `${subject} can be ${participle} only during the tendering period: from (${shown(startDate)}) to (${shown(endDate)}).`,
    { window: { from: startDate, until: endDate } },
  );
}

/** The administrator may correct the tenderers of a bid that it can see, and nothing else. */
function repairTenderers(
  procedure: Procedure,
  tender: Tender,
  bid: Bid,
  sent: ParsedPatch<BidInput>,
): DomainResult<CommandOutcome> {
  const { tenderers } = sent.fields;
  const changed = tenderers ? merge(bid, { tenderers }) : bid;
  const badInput = invalidInput(sent.problems, checkBid(procedure, changed, tender));
  return badInput ?? ok({ tender: withBid(tender, changed), id: bid.id });
}

/** The tender with this bid in place of the one with the same id. */
export const withBid = (tender: Tender, bid: Bid): Tender => ({
  ...tender,
  bids: tender.bids.map((existing) => (existing.id === bid.id ? bid : existing)),
});

/** Edits a bid during the tender period. The only change of status is from draft to active. */
export function changeBid(
  tender: Tender,
  { bid: id, sent }: Extract<TenderCommand, { kind: "change bid" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, at, procedure } = context;
  const found = findWritableBid(procedure, tender, id, actor);
  if (!found.ok) return found;
  const bid = found.value;
  if (isInGroup(actor, "Administrator") && !owns(actor, bid)) return repairTenderers(procedure, tender, bid, sent);
  const merged = inTenderCurrency(tender, merge<Bid>(bid, withoutIgnoredNulls(sent.fields)));
  const changed = withDates(
    bid,
    { ...merged, lotValues: merged.lotValues?.map((lotValue) => inTenderCurrency(tender, lotValue)) },
    at,
  );
  const badInput = invalidInput(sent.problems, checkBid(procedure, changed, tender));
  if (badInput) return badInput;
  if (!accepts(procedure, tender, "change bid"))
    return wrongStatus("update bid", "tender", tender, actionWindow(procedure, tender, "change bid"));
  const outsidePeriod = tenderPeriodRefusal(tender, context, "updated");
  if (outsidePeriod) return outsidePeriod;
  if (changed.status !== bid.status && changed.status !== "active")
    return ruleRefusal("bid-status", `Can't update bid to (${changed.status}) status`, { name: "bid" });
  return ok({ tender: withBid(tender, changed), id });
}

/** Of a bid's fields only `value` can be cleared; a null elsewhere is ignored. */
const withoutIgnoredNulls = (fields: Patch<BidInput>): Patch<BidInput> =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== null || name === "value"));

/** Dates a bid, and each of its lot values, by the last change of its amount: among equal prices, the earlier date wins. */
export function withDates(before: Bid, after: Bid, at: Instant): Bid {
  return {
    ...after,
    date: after.value?.amount === before.value?.amount ? before.date : at,
    ...(after.lotValues && {
      lotValues: after.lotValues.map((lotValue, i) => {
        const { relatedLot } = lotValue;
        const sameLot = before.lotValues?.find((candidate) => candidate.relatedLot === relatedLot);
        const previous = relatedLot === undefined ? before.lotValues?.[i] : sameLot;
        const isSamePrice = previous !== undefined && previous.value?.amount === lotValue.value?.amount;
        return { ...lotValue, date: isSamePrice ? previous.date : at };
      }),
    }),
  };
}

/** Removes a bid during the tender period. The removed bid is in the outcome, for the response. */
export function withdrawBid(
  tender: Tender,
  { bid: id }: Extract<TenderCommand, { kind: "withdraw bid" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { procedure } = context;
  const found = findWritableBid(procedure, tender, id, context.actor);
  if (!found.ok) return found;
  if (isInGroup(context.actor, "Administrator") && !owns(context.actor, found.value)) return forbidden();
  if (!accepts(procedure, tender, "withdraw bid"))
    return wrongStatus("delete bid", "tender", tender, actionWindow(procedure, tender, "withdraw bid"));
  const outsidePeriod = tenderPeriodRefusal(tender, context, "deleted");
  if (outsidePeriod) return outsidePeriod;
  return ok({
    tender: { ...tender, bids: tender.bids.filter((existing) => existing.id !== id) },
    id,
    removed: found.value,
  });
}
