import { checkSubject, each } from "./checking.ts";
import { advance, earliest } from "./clock.ts";
import type { Context, Making } from "./commands.ts";
import type { Outcome } from "./decide.ts";
import { same } from "./merge.ts";
import { procedureOf } from "./procedures/index.ts";
import type { Decided, Path, Problem } from "./refusals.ts";
import { invalid, problem, rule } from "./refusals.ts";
import { ok } from "./result.ts";
import {
  areBidsSealed,
  beforeDeadline,
  hasDeadlinePassed,
  hasNoBidsYet,
  keepSealed,
  sealsBids,
  tenderingEnded,
} from "./sealing.ts";
import type { Complaint, Document, Tender } from "./tender.ts";
import type { Instant } from "./time.ts";

/** An operator puts a whole tender in the place of the one that is kept: the repair for what no command can mend. */

export type Replacement = {
  readonly tender: Tender;
  /** Whatever the procedure's rules say of it. */
  readonly force: boolean;
  readonly hasFile: (key: string) => boolean;
};

export function replaceTender(stored: Tender, replacement: Replacement, context: Context): Decided<Outcome> {
  const { id, tenderID, dateModified, testClock } = stored;
  const { testClock: _kept, ...fields } = replacement.tender;
  // On another clock the deadline for bids would be another one.
  const tender: Tender = { ...fields, id, tenderID, dateModified, ...(testClock !== undefined && { testClock }) };
  const before = asKept(stored);
  if (same(before, tender)) return ok({ tender: stored });
  const unsealing = refusedUnsealing(stored, tender, context.at);
  if (unsealing) return unsealing;
  const wrong = replacement.force ? undefined : invalid([], checkReplacement(stored, tender, replacement));
  if (wrong) return wrong;
  const stuck = whyTimeWouldStop(tender, context);
  if (stuck) return rule("deadlines-stuck", `the deadlines of this tender could not be carried out: ${stuck}`);
  const after = advance(tender, context);
  const secret = areBidsSealed(stored) && after === tender && same({ ...before, bids: tender.bids }, tender);
  return ok({ tender: secret ? after : { ...after, dateModified: context.at } });
}

/** As it would be read back: a member without a value is not there. */
const asKept = (tender: Tender): Tender => JSON.parse(JSON.stringify(tender));

const STEPS_MAX = 1000;

/** Lives through all the deadlines to come. One that throws, or that never ends, would stop the service and not only be wrong. */
function whyTimeWouldStop(tender: Tender, making: Making): string | undefined {
  let current = tender;
  let at: Instant = making.at;
  try {
    for (let step = 0; step < STEPS_MAX; step++) {
      const due = earliest(current);
      if (due === undefined) return undefined;
      at = Math.max(at, due.at);
      current = due.deadline.move(current, { ...making, at });
    }
  } catch (error) {
    return (error as Error).message;
  }
  return "they would never end";
}

function checkReplacement(stored: Tender, tender: Tender, { hasFile }: Replacement): readonly Problem[] {
  const procedure = procedureOf(tender);
  const strange = problem(
    ["status"],
    `the procedure ${tender.procedure} has no such status`,
    "unknown-status",
    "cross",
  );
  return [
    ...(procedure.stages[tender.status] ? [] : [strange]),
    ...checkStillSealed(stored, tender),
    ...procedure.checkTender(tender),
    ...each(tender.bids, ["bids"], (bid, path) => placed(procedure.checkBid(bid, tender), path)),
    ...checkIds(tender),
    ...checkReferences(tender),
    ...documentsIn(tender).flatMap(({ document, path }) => [
      ...checkSubject(document.documentOf, document.relatedItem, [...path, "relatedItem"], tender),
      ...(hasFile(document.key) ? [] : [problem([...path, "key"], "no file has this key", "unknown-file", "cross")]),
    ]),
  ];
}

const placed = (problems: readonly Problem[], path: Path): readonly Problem[] =>
  problems.map((one) => ({ ...one, path: [...path, ...one.path] }));

/**
 * What no repair may do, not even by force: open bids before their deadline, bring that deadline forward into the past,
 * or let bidding go on after it, directly or by way of another procedure.
 */
function refusedUnsealing(stored: Tender, tender: Tender, at: Instant) {
  if (hasNoBidsYet(stored) && hasNoBidsYet(tender)) return undefined;
  if (tender.procedure !== stored.procedure)
    return rule("procedure-fixed", "the procedure can't be changed once bids may be placed");
  if (!sealsBids(stored)) return undefined;
  const wasOver = hasDeadlinePassed(stored, at);
  if (wasOver !== hasDeadlinePassed(tender, at)) return wasOver ? tenderingEnded() : beforeDeadline(stored);
  const opens = areBidsSealed(stored) && !areBidsSealed(tender) && tender.bids.length > 0;
  if (opens && !wasOver) return beforeDeadline(stored);
  const kept = keepSealed(stored, tender, at);
  return kept.ok ? undefined : kept;
}

/** After the deadline, bids that are still sealed are opened by the auction's results, never by the tender's end. */
function checkStillSealed(stored: Tender, tender: Tender): readonly Problem[] {
  const hasEnded = tender.status === "cancelled" || tender.status === "unsuccessful";
  return areBidsSealed(stored) && !areBidsSealed(tender) && tender.bids.length > 0 && hasEnded
    ? [problem(["status"], "would open sealed bids: leave out the bids, or the change", "stays-sealed", "cross")]
    : [];
}

type Named = { readonly id?: string };

const has = (list: readonly Named[] | undefined, id: string | undefined): boolean =>
  id === undefined || (list?.some((one) => one.id === id) ?? false);

function checkIds(tender: Tender): readonly Problem[] {
  const { bids, questions, awards, contracts, complaints, cancellations, lots } = tender;
  const lists = { bids, questions, awards, contracts, complaints, cancellations, lots };
  return Object.entries(lists).flatMap(([name, list]) => {
    const seen = new Set<string>();
    return each<Named>(list, [name], ({ id }, path) => {
      const repeated = seen.has(id!);
      seen.add(id!);
      return repeated ? [problem([...path, "id"], "stands there twice", "id-repeated", "cross")] : [];
    });
  });
}

function checkReferences(tender: Tender): readonly Problem[] {
  const { lots, bids, awards } = tender;
  const refer = (list: readonly Named[], id: string | undefined, path: Path, name: string, to: string) =>
    has(list, id) ? [] : [problem([...path, name], `should be one of ${to}`, "unknown-reference", "cross")];
  // In the basic procedure the owner records awards freely, also of bids that are not there.
  const offered = (id: string | undefined) => (tender.procedure === "basic" ? undefined : id);
  const checkComplaint = (complaint: Complaint, path: Path): readonly Problem[] => [
    ...refer(lots, complaint.relatedLot, path, "relatedLot", "lots"),
    ...(complaint.status === "answered" && complaint.resolutionType === undefined
      ? [problem([...path, "resolutionType"], "an answer says how the claim is resolved", "resolution-missing")]
      : []),
  ];
  return [
    ...each(awards, ["awards"], (award, path) => [
      ...refer(bids, offered(award.bid_id), path, "bid_id", "bids"),
      ...refer(lots, award.lotID, path, "lotID", "lots"),
      ...each(award.complaints, [...path, "complaints"], checkComplaint),
    ]),
    ...each(tender.contracts, ["contracts"], (one, path) => refer(awards, one.awardID, path, "awardID", "awards")),
    ...each(tender.complaints, ["complaints"], checkComplaint),
    ...each(tender.cancellations, ["cancellations"], (one, path) =>
      refer(lots, one.relatedLot, path, "relatedLot", "lots"),
    ),
    ...each(tender.questions, ["questions"], (one, path) =>
      checkSubject(one.questionOf, one.relatedItem, [...path, "relatedItem"], tender),
    ),
  ];
}

type Placed = { readonly document: Document; readonly path: Path };
type Holding = { readonly documents: readonly Document[]; readonly complaints?: readonly Complaint[] };

/** Every version of every document, wherever it hangs. */
export function documentsIn(tender: Tender): readonly Placed[] {
  const { bids, awards, contracts, cancellations } = tender;
  const inLists = Object.entries<readonly Holding[]>({ bids, awards, contracts, cancellations });
  return [
    ...heldBy(tender, []),
    ...inLists.flatMap(([name, list]) => list.flatMap((holding, i) => heldBy(holding, [name, i]))),
  ];
}

function heldBy({ documents, complaints = [] }: Holding, path: Path): readonly Placed[] {
  return [
    ...documents.map((document, i) => ({ document, path: [...path, "documents", i] })),
    ...complaints.flatMap((complaint, i) => heldBy(complaint, [...path, "complaints", i])),
  ];
}
