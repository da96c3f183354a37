import { standStillEnd } from "./acceleration.ts";
import { isIn, owns } from "./actors.ts";
import { inMoneyOf } from "./bidding.ts";
import { checkOneOrganization, checkPeriod, checkValue, inside, required, unknownReference } from "./checking.ts";
import type { AwardSent, Command, Context, Patch } from "./commands.ts";
import { contractFor } from "./contracting.ts";
import type { Outcome } from "./decide.ts";
import { checkItems, withItems } from "./itemLists.ts";
import { merge } from "./merge.ts";
import { generateAwards } from "./nextAward.ts";
import { accepts } from "./procedures/index.ts";
import type { Decided, Problem } from "./refusals.ts";
import { forbidden, invalid, notFound, rule, wrongStatus } from "./refusals.ts";
import { ok } from "./result.ts";
import type { Award, Complaint, Lot, Tender } from "./tender.ts";
import type { Instant } from "./time.ts";
import { windowOf, windowOfLot } from "./windows.ts";

/** Awards that the service made: the tender's owner accepts the winner or rejects it, and may take either back. */

export const lotOf = (tender: Tender, lotID: string | undefined): Lot | undefined =>
  lotID === undefined ? undefined : tender.lots.find(({ id }) => id === lotID);

export const isLotActive = (tender: Tender, lotID: string | undefined): boolean =>
  lotID === undefined || lotOf(tender, lotID)?.status === "active";

/** An award by hand, for repair: only administrators of the registry make one. */
export function makeAward(
  tender: Tender,
  { sent }: Extract<Command, { kind: "record award" }>,
  { actor, at, newId }: Context,
): Decided<Outcome> {
  if (!isIn(actor, "admins")) return forbidden();
  const { status: _set, complaintPeriod: _counted, ...fields } = sent.fields;
  const award: Award = {
    ...inMoneyOf(tender, withItems(fields, tender, newId)),
    id: newId(),
    date: at,
    status: "pending",
    complaintPeriod: { startDate: at },
    documents: [],
    complaints: [],
  };
  const wrong = invalid(sent.problems, checkMade(award, tender));
  if (wrong) return wrong;
  if (!accepts(tender, "record award"))
    return wrongStatus("create award", "tender", tender, windowOf(tender, "record award"));
  if (!isLotActive(tender, award.lotID))
    return rule("lot-not-active", "Can create award only in active lot status", {
      window: windowOfLot(tender, "record award", award.lotID),
    });
  return ok({ tender: { ...tender, awards: [...tender.awards, award] }, id: award.id });
}

function checkMade(award: Award, tender: Tender): readonly Problem[] {
  const strange = award.lotID !== undefined && !lotOf(tender, award.lotID);
  return [
    ...required(award, [], "suppliers", "bid_id", ...(tender.lots.length > 0 ? (["lotID"] as const) : [])),
    ...inside(award.suppliers, ["suppliers"], checkOneOrganization),
    ...inside(award.value, ["value"], checkValue),
    ...checkItems(award.items, tender),
    ...(strange ? [unknownReference(["lotID"], "lotID", "lots")] : []),
  ];
}

export function qualify(
  tender: Tender,
  { award: id, sent }: Extract<Command, { kind: "change award" }>,
  context: Context,
): Decided<Outcome> {
  const award = tender.awards.find((one) => one.id === id);
  if (!award) return notFound("award");
  const { actor } = context;
  const repairs = isIn(actor, "Administrator") && !owns(actor, tender);
  if (!owns(actor, tender) && !isIn(actor, "admins", "Administrator")) return forbidden();
  const changed = merge(award, repairs ? only(sent.fields, ["complaintPeriod"]) : withoutOwned(sent.fields));
  const wrong = invalid(sent.problems, inside(changed.complaintPeriod, ["complaintPeriod"], checkPeriod));
  if (wrong) return wrong;
  if (!accepts(tender, "change award"))
    return wrongStatus("update award", "tender", tender, windowOf(tender, "change award"));
  if (!isLotActive(tender, award.lotID))
    return rule("lot-not-active", "Can update award only in active lot status", {
      window: windowOfLot(tender, "change award", award.lotID),
    });
  if (repairs) return ok({ tender: withAward(tender, changed), id });
  const move = DECISIONS[`${award.status} ${changed.status}`];
  const allowed = move && (award.status !== "unsuccessful" || award.complaints.some(isObjection));
  return allowed ? ok({ tender: move(tender, changed, context), id }) : wrongStatus("update award", "itself", award);
}

const only = (fields: Patch<AwardSent>, names: readonly string[]): Patch<AwardSent> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

const EDITABLE = [
  "status",
  "title",
  "title_en",
  "title_ru",
  "description",
  "description_en",
  "description_ru",
] as const;
const withoutOwned = (fields: Patch<AwardSent>): Patch<AwardSent> => only(fields, EDITABLE);

const isObjection = ({ status }: Complaint): boolean => ["claim", "answered", "pending", "resolved"].includes(status);

type Decision = (tender: Tender, award: Award, context: Context) => Tender;

const DECISIONS: { readonly [fromTo: string]: Decision } = {
  "pending pending": (tender, award) => withAward(tender, award),
  "pending active": (tender, award, context) => {
    const accepted = withStandStill(award, tender, context);
    const decided = withAward(tender, accepted);
    const contracts = [...tender.contracts, contractFor(accepted, decided, context)];
    return generateAwards({ ...decided, contracts }, context);
  },
  "pending unsuccessful": (tender, award, context) =>
    generateAwards(withAward(tender, withStandStill(award, tender, context)), context),
  "active cancelled": (tender, award, context) =>
    generateAwards(withCancelled(tender, [award.id], context.at), context),
  "unsuccessful cancelled": (tender, award, context) => {
    const later = tender.awards.slice(tender.awards.findIndex(({ id }) => id === award.id));
    const ids = later.filter(({ lotID }) => lotID === award.lotID).map(({ id }) => id);
    return generateAwards(withCancelled(tender, ids, context.at), context);
  },
};

const withAward = (tender: Tender, award: Award): Tender => ({
  ...tender,
  awards: tender.awards.map((one) => (one.id === award.id ? award : one)),
});

/** From the decision on, those who object have two working days. */
function withStandStill(award: Award, tender: Tender, { at, sandbox, zone }: Context): Award {
  const endDate = standStillEnd(at, "award", tender.procurementMethodDetails, sandbox, zone);
  return { ...award, date: at, complaintPeriod: { startDate: at, ...award.complaintPeriod, endDate } };
}

/** A decision taken back takes its contract and whatever was said against it along. */
function withCancelled(tender: Tender, ids: readonly string[], at: Instant): Tender {
  const gone = new Set(ids);
  return {
    ...tender,
    awards: tender.awards.map((award) => (gone.has(award.id) ? cancelled(award, at) : award)),
    contracts: tender.contracts.map((contract) =>
      gone.has(contract.awardID) && contract.status !== "cancelled"
        ? { ...contract, status: "cancelled", date: at }
        : contract,
    ),
  };
}

function cancelled(award: Award, at: Instant): Award {
  const { startDate, endDate } = award.complaintPeriod ?? {};
  const settled = ["invalid", "resolved", "declined"];
  return {
    ...award,
    status: "cancelled",
    date: award.status === "cancelled" ? award.date : at,
    complaintPeriod: { startDate, endDate: award.status === "active" ? Math.min(endDate ?? at, at) : at },
    complaints: award.complaints.map((complaint) =>
      settled.includes(complaint.status)
        ? complaint
        : { ...complaint, status: "cancelled", date: at, cancellationReason: "cancelled", dateCanceled: at },
    ),
  };
}
