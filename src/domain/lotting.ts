import { isIn, owns } from "./actors.ts";
import type { Command, Context } from "./commands.ts";
import type { Outcome } from "./decide.ts";
import { checkGuarantees, withSumsOfLots } from "./lots.ts";
import { merge } from "./merge.ts";
import { withLot } from "./nextAward.ts";
import { accepts, procedureOf } from "./procedures/index.ts";
import type { Decided, Problem } from "./refusals.ts";
import { forbidden, invalid, notFound, wrongStatus } from "./refusals.ts";
import { ok } from "./result.ts";
import type { Lot, Tender } from "./tender.ts";
import { windowOf } from "./windows.ts";

/** While enquiries last, the owner splits the tender into lots. */

const mayEdit = ({ actor }: Context, tender: Tender): boolean => owns(actor, tender) || isIn(actor, "admins");

/** What is wrong with the lot itself is told in its own words; what it breaks in the tender, in the tender's. */
function checkWith(tender: Tender, lotId: string | undefined): readonly Problem[] {
  const index = tender.lots.findIndex(({ id }) => id === lotId);
  return procedureOf(tender)
    .checkTender(tender)
    .flatMap((one) => {
      const [top, at, ...inside] = one.path;
      return top === "lots" && at === index ? [{ ...one, path: inside }] : [one];
    });
}

export function addLot(
  tender: Tender,
  { sent }: Extract<Command, { kind: "add lot" }>,
  context: Context,
): Decided<Outcome> {
  if (!mayEdit(context, tender)) return forbidden();
  const { auctionPeriod: _planned, ...fields } = sent.fields;
  const lot: Lot = { ...fields, id: fields.id ?? context.newId(), status: "active", date: context.at };
  const after = withSumsOfLots({ ...tender, lots: [...tender.lots, lot] });
  // As it was sent: in the tender, every guarantee is in the tender's money.
  const guarantees = checkGuarantees([...tender.lots, lot]);
  const wrong = invalid(sent.problems, [...guarantees, ...checkWith(after, lot.id)]);
  if (wrong) return wrong;
  if (!accepts(tender, "edit lots")) return wrongStatus("add lot", "tender", tender, windowOf(tender, "edit lots"));
  return ok({ tender: after, id: lot.id });
}

export function editLot(
  tender: Tender,
  { lot: id, sent }: Extract<Command, { kind: "edit lot" }>,
  context: Context,
): Decided<Outcome> {
  const lot = tender.lots.find((one) => one.id === id);
  if (!lot) return notFound("lot");
  const { actor } = context;
  const repairs = isIn(actor, "Administrator") && !owns(actor, tender);
  if (!repairs && !mayEdit(context, tender)) return forbidden();
  const { id: _fixed, auctionPeriod, ...fields } = sent.fields;
  const changed = merge<Lot>(lot, repairs ? { ...(auctionPeriod && { auctionPeriod }) } : fields);
  const after = withSumsOfLots(withLot(tender, changed));
  const wrong = invalid(sent.problems, checkWith(after, id));
  if (wrong) return wrong;
  if (!accepts(tender, "edit lots")) return wrongStatus("update lot", "tender", tender, windowOf(tender, "edit lots"));
  return ok({ tender: after, id });
}

export function removeLot(
  tender: Tender,
  { lot: id }: Extract<Command, { kind: "remove lot" }>,
  context: Context,
): Decided<Outcome> {
  const removed = tender.lots.find((one) => one.id === id);
  if (!removed) return notFound("lot");
  if (!mayEdit(context, tender)) return forbidden();
  if (!accepts(tender, "edit lots")) return wrongStatus("delete lot", "tender", tender, windowOf(tender, "edit lots"));
  const after = withSumsOfLots({ ...tender, lots: tender.lots.filter((one) => one !== removed) });
  return invalid([], procedureOf(tender).checkTender(after)) ?? ok({ tender: after, id, removed });
}
