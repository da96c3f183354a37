import { settleAuctions } from "../auctions/liveAuctions.ts";
import { checkBid } from "../bids/bidRules.ts";
import { areBidsSealed } from "../bids/sealing.ts";
import {
  beforeDeadlineRefusal,
  hasDeadlinePassed,
  hasNoBidsYet,
  keepSealed,
  sealsBids,
  tenderingEndedRefusal,
} from "../bids/sealRules.ts";
import { advance, earliestDeadline } from "../deadlines.ts";
import type { CommandContext, CommandOutcome, TimeContext } from "../model/commands.ts";
import type { DomainResult, Path, Problem } from "../model/refusals.ts";
import { invalidInput, problem, ruleRefusal } from "../model/refusals.ts";
import { ok } from "../model/result.ts";
import type { Complaint, Document, Tender } from "../model/tender.ts";
import { procedureOf } from "../procedures/index.ts";
import { checkEach, checkSubject } from "../validation.ts";
import { isSameJson } from "../values/merge.ts";
import type { Instant } from "../values/time.ts";

/** Repair by an operator: replaces a stored tender as a whole, where no command can correct it. */

/** The replacement for a tender. */
export type Replacement = {
  readonly tender: Tender;
  /** Skips the checks of the procedure, but not those that keep bids sealed and deadlines working. */
  readonly force: boolean;
  /** Whether the file store has a file with this key. */
  readonly hasFile: (key: string) => boolean;
};

/**
 * Decides a replacement. The id, number, `dateModified`, test clock and auctions of the stored tender are kept. Refuses what would open sealed
 * bids early, what could not be stored, what breaks the procedure's rules unless forced, and what would make a deadline fail.
 */
export function replaceTender(
  stored: Tender,
  replacement: Replacement,
  context: CommandContext,
): DomainResult<CommandOutcome> {
  const { id, tenderID, dateModified, testClock, auctions } = stored;
  const { testClock: _testClock, auctions: _auctions, ...fields } = replacement.tender;
  // On another clock, the deadline for bids would be at another time.
  const kept = {
    id,
    tenderID,
    dateModified,
    ...(testClock !== undefined && { testClock }),
    ...(auctions && { auctions }),
  };
  const tender: Tender = { ...fields, ...kept };
  const before = asStored(stored);
  if (isSameJson(before, tender)) return ok({ tender: stored });
  const refusal = unsealingRefusal(stored, tender, context.at);
  if (refusal) return refusal;
  const badInput = replacement.force ? undefined : invalidInput([], checkReplacement(stored, tender, replacement));
  if (badInput) return badInput;
  if (!hasStorableBidIds(stored, tender))
    return ruleRefusal("bid-ids", "each bid needs an id of its own, of 32 hex digits");
  const timeProblem = findDeadlineProblem(tender, context);
  if (timeProblem) return ruleRefusal("deadlines-stuck", `the deadlines of this tender would fail: ${timeProblem}`);
  const after = advance(settleAuctions(tender, context.at), context);
  const isSecret = areBidsSealed(stored) && after === tender && isSameJson({ ...before, bids: tender.bids }, tender);
  return ok({ tender: isSecret ? after : { ...after, dateModified: context.at } });
}

/** Whether bids can be stored and found by their ids. In the ledger, a short number would be the place of a bid in the list. */
function hasStorableBidIds(stored: Tender, tender: Tender): boolean {
  const known = new Set(stored.bids.map(({ id }) => id));
  const ids = new Set(tender.bids.map(({ id }) => id));
  return ids.size === tender.bids.length && [...ids].every((id) => known.has(id) || /^[0-9a-f]{32}$/.test(id));
}

/** The tender as it is read back from the store, without properties that are undefined. */
const asStored = (tender: Tender): Tender => JSON.parse(JSON.stringify(tender));

const DEADLINES_MAX = 1000;

/**
 * Applies all future deadlines, and describes what goes wrong, if anything. A deadline that throws, or a series that never ends,
 * would stop the ticker for all tenders.
 */
function findDeadlineProblem(tender: Tender, context: TimeContext): string | undefined {
  const procedure = procedureOf(tender);
  let current = tender;
  let at: Instant = context.at;
  try {
    for (let step = 0; step < DEADLINES_MAX; step++) {
      const due = earliestDeadline(procedure, current);
      if (due === undefined) return undefined;
      at = Math.max(at, due.at);
      current = due.deadline.apply(current, { ...context, procedure, at });
    }
  } catch (error) {
    return (error as Error).message;
  }
  return "they would never end";
}

function checkReplacement(stored: Tender, tender: Tender, { hasFile }: Replacement): readonly Problem[] {
  const procedure = procedureOf(tender);
  const unknownStatus = problem(
    ["status"],
    `the procedure ${tender.procedure} has no such status`,
    "unknown-status",
    "cross",
  );
  return [
    ...(procedure.stages[tender.status] ? [] : [unknownStatus]),
    ...checkStillSealed(stored, tender),
    ...procedure.checkTender(tender),
    ...checkEach(tender.bids, ["bids"], (bid, path) => withPathPrefix(checkBid(procedure, bid, tender), path)),
    ...checkIds(tender),
    ...checkReferences(tender),
    ...allDocuments(tender).flatMap(({ document, path }) => [
      ...checkSubject(document.documentOf, document.relatedItem, [...path, "relatedItem"], tender),
      ...(hasFile(document.key) ? [] : [problem([...path, "key"], "no file has this key", "unknown-file", "cross")]),
    ]),
  ];
}

const withPathPrefix = (problems: readonly Problem[], path: Path): readonly Problem[] =>
  problems.map((found) => ({ ...found, path: [...path, ...found.path] }));

/**
 * Refuses what not even a forced repair may do: open bids before their deadline, move that deadline into the past, or let bidding
 * continue after it, directly or by changing the procedure.
 */
function unsealingRefusal(stored: Tender, tender: Tender, at: Instant) {
  if (hasNoBidsYet(stored) && hasNoBidsYet(tender)) return undefined;
  if (tender.procedure !== stored.procedure)
    return ruleRefusal("procedure-fixed", "the procedure can't be changed once bids may be placed");
  const procedure = procedureOf(stored);
  if (!sealsBids(procedure)) return undefined;
  const wasOver = hasDeadlinePassed(stored, at);
  if (wasOver !== hasDeadlinePassed(tender, at))
    return wasOver ? tenderingEndedRefusal() : beforeDeadlineRefusal(stored);
  const opensBids = areBidsSealed(stored) && !areBidsSealed(tender) && tender.bids.length > 0;
  if (opensBids && !wasOver) return beforeDeadlineRefusal(stored);
  const sealCheck = keepSealed(procedure, stored, tender, at);
  return sealCheck.ok ? undefined : sealCheck;
}

/** After the deadline, the results of the auction open sealed bids. Ending the tender must not. */
function checkStillSealed(stored: Tender, tender: Tender): readonly Problem[] {
  const hasEnded = tender.status === "cancelled" || tender.status === "unsuccessful";
  return areBidsSealed(stored) && !areBidsSealed(tender) && tender.bids.length > 0 && hasEnded
    ? [problem(["status"], "would open sealed bids: leave out the bids, or the change", "stays-sealed", "cross")]
    : [];
}

/** An object with an id, or without one yet. */
type Identified = { readonly id?: string };

const hasId = (list: readonly Identified[], id: string | undefined): boolean =>
  id === undefined || list.some((existing) => existing.id === id);

function checkIds(tender: Tender): readonly Problem[] {
  const { bids, questions, awards, contracts, complaints, cancellations, lots } = tender;
  const lists = { bids, questions, awards, contracts, complaints, cancellations, lots };
  return Object.entries(lists).flatMap(([name, list]) => {
    const ids = new Set<string | undefined>();
    return checkEach<Identified>(list, [name], ({ id }, path) => {
      const isRepeated = ids.has(id);
      ids.add(id);
      return isRepeated ? [problem([...path, "id"], "is not unique", "id-repeated", "cross")] : [];
    });
  });
}

function checkReferences(tender: Tender): readonly Problem[] {
  const { lots, bids, awards } = tender;
  const checkReference = (list: readonly Identified[], id: string | undefined, path: Path, name: string, to: string) =>
    hasId(list, id) ? [] : [problem([...path, name], `should be one of ${to}`, "unknown-reference", "cross")];
  // Owners record awards freely, even for bids that do not exist.
  const checkedBidId = (id: string | undefined) => (procedureOf(tender).awards.madeBy === "owner" ? undefined : id);
  const checkComplaint = (complaint: Complaint, path: Path): readonly Problem[] => [
    ...checkReference(lots, complaint.relatedLot, path, "relatedLot", "lots"),
    ...(complaint.status === "answered" && complaint.resolutionType === undefined
      ? [problem([...path, "resolutionType"], "is required for an answered claim", "resolution-missing")]
      : []),
  ];
  return [
    ...checkEach(awards, ["awards"], (award, path) => [
      ...checkReference(bids, checkedBidId(award.bid_id), path, "bid_id", "bids"),
      ...checkReference(lots, award.lotID, path, "lotID", "lots"),
      ...checkEach(award.complaints, [...path, "complaints"], checkComplaint),
    ]),
    ...checkEach(tender.contracts, ["contracts"], (contract, path) =>
      checkReference(awards, contract.awardID, path, "awardID", "awards"),
    ),
    ...checkEach(tender.complaints, ["complaints"], checkComplaint),
    ...checkEach(tender.cancellations, ["cancellations"], (cancellation, path) =>
      checkReference(lots, cancellation.relatedLot, path, "relatedLot", "lots"),
    ),
    ...checkEach(tender.questions, ["questions"], (question, path) =>
      checkSubject(question.questionOf, question.relatedItem, [...path, "relatedItem"], tender),
    ),
  ];
}

type LocatedDocument = { readonly document: Document; readonly path: Path };
type DocumentHolder = { readonly documents: readonly Document[]; readonly complaints?: readonly Complaint[] };

/** Every version of every document of the tender and its objects, with its path. */
export function allDocuments(tender: Tender): readonly LocatedDocument[] {
  const { bids, awards, contracts, cancellations } = tender;
  const inLists = Object.entries<readonly DocumentHolder[]>({ bids, awards, contracts, cancellations });
  return [
    ...documentsHeldBy(tender, []),
    ...inLists.flatMap(([name, list]) => list.flatMap((holder, i) => documentsHeldBy(holder, [name, i]))),
  ];
}

function documentsHeldBy({ documents, complaints = [] }: DocumentHolder, path: Path): readonly LocatedDocument[] {
  return [
    ...documents.map((document, i) => ({ document, path: [...path, "documents", i] })),
    ...complaints.flatMap((complaint, i) => documentsHeldBy(complaint, [...path, "complaints", i])),
  ];
}
