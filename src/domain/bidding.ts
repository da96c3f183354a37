import { refusedToTakePart } from "./accreditation.ts";
import { type Actor, isIn, owns } from "./actors.ts";
import { each } from "./checking.ts";
import type { BidSent, Command, Context, New, NewBidSent, Patch, Sent } from "./commands.ts";
import type { Outcome } from "./decide.ts";
import { checkRegistration, newDocument } from "./documentVersions.ts";
import { merge } from "./merge.ts";
import { accepts, procedureOf } from "./procedures/index.ts";
import type { Decided } from "./refusals.ts";
import { forbidden, hidden, invalid, notFound, rule, wrongStatus } from "./refusals.ts";
import { ok } from "./result.ts";
import { areBidsSealed, maySeeBid } from "./sealing.ts";
import type { Bid, Tender, Value } from "./tender.ts";
import { formatInstant, type Instant } from "./time.ts";
import { windowOf } from "./windows.ts";

/** Suppliers bid, change their bid and withdraw it while the tender period lasts. */

export function placeBid(
  tender: Tender,
  { sent, files = [] }: Extract<Command, { kind: "place bid" }>,
  context: Context,
): Decided<Outcome> {
  const { actor, at, newId, newTokenHash } = context;
  const refused = refusedPlacing(tender, sent, context);
  if (refused) return refused;
  const bid: Bid = {
    ...offerOf(tender, sent.fields, at),
    id: newId(),
    owner: actor.account!.name,
    tokenHash: newTokenHash,
    documents: files.map((file, i) => {
      const said = { fields: sent.fields.documents?.[i] ?? {}, problems: [] };
      return newDocument({ file, said }, at, newId);
    }),
  };
  return ok({ tender: { ...tender, bids: [...tender.bids, bid] }, id: bid.id });
}

type Offer = Omit<Bid, "id" | "owner" | "tokenHash" | "documents">;

function offerOf(tender: Tender, { documents: _apart, ...fields }: NewBidSent, at: Instant): Offer {
  return {
    ...inMoneyOf(tender, fields),
    date: at,
    status: fields.status ?? "active",
    lotValues: fields.lotValues?.map((lotValue) => ({ ...inMoneyOf(tender, lotValue), date: at })),
  };
}

/** Everything that can be decided about a new bid before the files of its documents are looked for. */
export function refusedPlacing(
  tender: Tender,
  { fields, problems }: New<NewBidSent>,
  { actor, at, zone }: Pick<Context, "actor" | "at" | "zone">,
) {
  const refused = refusedToTakePart(actor, "bid", tender);
  if (refused) return refused;
  const wrong = invalid(problems, [
    ...procedureOf(tender).checkBid(offerOf(tender, fields, at) as Bid, tender),
    ...each(fields.documents, ["documents"], (document, path) =>
      checkRegistration(document, {}, tender).map((one) => ({ ...one, path: [...path, ...one.path] })),
    ),
  ]);
  if (wrong) return wrong;
  if (!accepts(tender, "place bid")) return wrongStatus("add bid", "tender", tender, windowOf(tender, "place bid"));
  return refusedOutside(tender, { at, zone }, "added");
}

/** Currency and VAT that a bid leaves out are the tender's. */
const valueInMoneyOf = (tender: Tender, value: Value): Value => ({
  currency: tender.value?.currency ?? "UAH",
  valueAddedTaxIncluded: tender.value?.valueAddedTaxIncluded ?? true,
  ...value,
});

export const inMoneyOf = <Fields extends { readonly value?: Value }>(tender: Tender, fields: Fields): Fields =>
  fields.value ? { ...fields, value: valueInMoneyOf(tender, fields.value) } : fields;

/** For anyone it is hidden from, a sealed bid does not exist: not even a refusal tells it from none. */
export function bidForWriting(tender: Tender, id: string, actor: Actor): Decided<Bid> {
  const bid = tender.bids.find((one) => one.id === id);
  if (!bid || !maySeeBid(bid, tender, actor)) return areBidsSealed(tender) ? hidden("bid") : notFound("bid");
  return owns(actor, bid) || isIn(actor, "admins", "Administrator") ? ok(bid) : forbidden();
}

/** Status and period may differ where an administrator moved the tender by hand. */
export function refusedOutside(tender: Tender, { at, zone }: Pick<Context, "at" | "zone">, done: string, what = "Bid") {
  const { startDate, endDate } = tender.tenderPeriod ?? {};
  if ((startDate ?? at) <= at && at <= (endDate ?? at)) return undefined;
  const shown = (moment: Instant | undefined) => (moment === undefined ? "None" : formatInstant(moment, zone));
  return rule(
    "outside-tender-period",
    `${what} can be ${done} only during the tendering period: from (${shown(startDate)}) to (${shown(endDate)}).`,
    { window: { from: startDate, until: endDate } },
  );
}

/** Once bids are open, the administrator may correct who bids, and nothing else. */
function repairTenderers(tender: Tender, bid: Bid, sent: Sent<BidSent>): Decided<Outcome> {
  const { tenderers } = sent.fields;
  const changed = tenderers ? merge(bid, { tenderers }) : bid;
  const wrong = invalid(sent.problems, procedureOf(tender).checkBid(changed, tender));
  return wrong ?? ok({ tender: withBid(tender, changed), id: bid.id });
}

export const withBid = (tender: Tender, bid: Bid): Tender => ({
  ...tender,
  bids: tender.bids.map((one) => (one.id === bid.id ? bid : one)),
});

export function changeBid(
  tender: Tender,
  { bid: id, sent }: Extract<Command, { kind: "change bid" }>,
  context: Context,
): Decided<Outcome> {
  const { actor, at } = context;
  const found = bidForWriting(tender, id, actor);
  if (!found.ok) return found;
  const bid = found.value;
  if (isIn(actor, "Administrator") && !owns(actor, bid)) return repairTenderers(tender, bid, sent);
  const merged = inMoneyOf(tender, merge<Bid>(bid, withoutIgnoredNulls(sent.fields)));
  const changed = withDates(bid, { ...merged, lotValues: merged.lotValues?.map((one) => inMoneyOf(tender, one)) }, at);
  const wrong = invalid(sent.problems, procedureOf(tender).checkBid(changed, tender));
  if (wrong) return wrong;
  if (!accepts(tender, "change bid"))
    return wrongStatus("update bid", "tender", tender, windowOf(tender, "change bid"));
  const early = refusedOutside(tender, context, "updated");
  if (early) return early;
  if (changed.status !== bid.status && changed.status !== "active")
    return rule("bid-status", `Can't update bid to (${changed.status}) status`, { name: "bid" });
  return ok({ tender: withBid(tender, changed), id });
}

/** Only a bid's value can be cleared. */
const withoutIgnoredNulls = (fields: Patch<BidSent>): Patch<BidSent> =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== null || name === "value"));

/** The date of a bid is the moment of its price: it decides between equal ones. */
export function withDates(before: Bid, after: Bid, at: Instant): Bid {
  return {
    ...after,
    date: after.value?.amount === before.value?.amount ? before.date : at,
    ...(after.lotValues && {
      lotValues: after.lotValues.map((lotValue, i) => {
        const { relatedLot } = lotValue;
        const sameLot = before.lotValues?.find((one) => one.relatedLot === relatedLot);
        const old = relatedLot === undefined ? before.lotValues?.[i] : sameLot;
        const kept = old !== undefined && old.value?.amount === lotValue.value?.amount;
        return { ...lotValue, date: kept ? old.date : at };
      }),
    }),
  };
}

export function withdrawBid(
  tender: Tender,
  { bid: id }: Extract<Command, { kind: "withdraw bid" }>,
  context: Context,
): Decided<Outcome> {
  const found = bidForWriting(tender, id, context.actor);
  if (!found.ok) return found;
  if (isIn(context.actor, "Administrator") && !owns(context.actor, found.value)) return forbidden();
  if (!accepts(tender, "withdraw bid"))
    return wrongStatus("delete bid", "tender", tender, windowOf(tender, "withdraw bid"));
  const early = refusedOutside(tender, context, "deleted");
  if (early) return early;
  return ok({ tender: { ...tender, bids: tender.bids.filter((one) => one.id !== id) }, id, removed: found.value });
}
