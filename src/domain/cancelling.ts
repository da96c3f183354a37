import { isIn, owns } from "./actors.ts";
import { missing, required, unknownReference } from "./checking.ts";
import { isAuctionOver } from "./closing.ts";
import type { Command, Context } from "./commands.ts";
import type { Outcome } from "./decide.ts";
import { endedAs, endedByLots } from "./finalising.ts";
import { generateAwards, withLot } from "./nextAward.ts";
import { stageOf } from "./procedures/index.ts";
import { isFinal } from "./procedures/procedure.ts";
import { isLotActive, lotOf } from "./qualifying.ts";
import type { Decided, Problem } from "./refusals.ts";
import { forbidden, invalid, notFound, rule, wrongRole, wrongStatus } from "./refusals.ts";
import { ok } from "./result.ts";
import type { Cancellation, Tender } from "./tender.ts";
import { lifeOf, windowOfLot } from "./windows.ts";

/** A tender, or one of its lots, is called off with a reason; it takes effect when the cancellation becomes active. */

export function addCancellation(
  tender: Tender,
  { sent }: Extract<Command, { kind: "add cancellation" }>,
  context: Context,
): Decided<Outcome> {
  const { actor, at, newId } = context;
  if (!owns(actor, tender) && !isIn(actor, "admins")) return forbidden();
  const { fields } = sent;
  const cancellation: Cancellation = {
    ...fields,
    id: newId(),
    date: at,
    status: fields.status ?? "pending",
    cancellationOf: fields.cancellationOf ?? "tender",
    documents: [],
  };
  const wrong = invalid(sent.problems, checkCancellation(cancellation, tender));
  if (wrong) return wrong;
  const refused = refusedNow(cancellation, tender, "add");
  if (refused) return refused;
  const added = { ...tender, cancellations: [...tender.cancellations, cancellation] };
  return ok({ tender: carriedOut(cancellation, added, context), id: cancellation.id });
}

export function editCancellation(
  tender: Tender,
  { cancellation: id, sent }: Extract<Command, { kind: "edit cancellation" }>,
  context: Context,
): Decided<Outcome> {
  const { actor, at } = context;
  const before = tender.cancellations.find((one) => one.id === id);
  if (!before) return notFound("cancellation");
  if (isIn(actor, "Administrator") && !owns(actor, tender)) return wrongRole();
  if (!owns(actor, tender) && !isIn(actor, "admins")) return forbidden();
  const wrong = invalid(sent.problems, []);
  if (wrong) return wrong;
  const refused = refusedNow(before, tender, "update");
  if (refused) return refused;
  const status = sent.fields.status ?? before.status;
  if (status === before.status) return ok({ tender, id });
  const after: Cancellation = { ...before, status, date: at };
  const cancellations = tender.cancellations.map((one) => (one === before ? after : one));
  return ok({ tender: carriedOut(after, { ...tender, cancellations }, context), id });
}

function checkCancellation(cancellation: Cancellation, tender: Tender): readonly Problem[] {
  const { cancellationOf, relatedLot } = cancellation;
  const strange = relatedLot !== undefined && !lotOf(tender, relatedLot);
  return [
    ...required(cancellation, [], "reason"),
    ...(cancellationOf === "lot" && relatedLot === undefined ? [missing(["relatedLot"], "cross")] : []),
    ...(strange ? [unknownReference(["relatedLot"], "relatedLot", "lots")] : []),
  ];
}

function refusedNow({ relatedLot }: Cancellation, tender: Tender, doing: "add" | "update") {
  if (isFinal(tender)) return wrongStatus(`${doing} cancellation`, "tender", tender, lifeOf(tender));
  return isLotActive(tender, relatedLot)
    ? undefined
    : rule("lot-not-active", `Can ${doing} cancellation only in active lot status`, {
        window: windowOfLot(tender, "add cancellation", relatedLot),
      });
}

/** The lot that is named decides, whatever the cancellation says it is of. */
function carriedOut({ status, relatedLot }: Cancellation, tender: Tender, context: Context): Tender {
  if (status !== "active") return tender;
  if (relatedLot === undefined) return cancelled(tender, context);
  const lot = lotOf(tender, relatedLot)!;
  const without = withLot(tender, { ...lot, status: "cancelled", date: context.at });
  if (without.lots.every((one) => one.status === "cancelled")) return cancelled(without, context);
  const ended = endedByLots(without, context.at);
  const waits = ended.status === "active.auction" && isAuctionOver(ended);
  return waits ? generateAwards(ended, context) : ended;
}

/** Bids that were still sealed are never opened: they are forgotten. */
export function cancelled(tender: Tender, { at }: Pick<Context, "at">): Tender {
  const forgotten = stageOf(tender).sealed ? { bids: [] } : {};
  return endedAs("cancelled", { ...tender, ...forgotten }, at);
}
