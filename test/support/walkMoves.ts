import { complaintRulesFor } from "../../src/domain/awards/complaints.ts";
import type { Account, Actor } from "../../src/domain/model/actors.ts";
import type { AwardInput, ComplaintSubject, DocumentParent, TenderCommand } from "../../src/domain/model/commands.ts";
import { AWARD_STATUSES, type Complaint, type Tender, type TenderStatus } from "../../src/domain/model/tender.ts";
import { procedureOf } from "../../src/domain/procedures/index.ts";
import type { ComplaintRole, ComplaintRules, Procedure, TenderAction } from "../../src/domain/procedures/procedure.ts";
import { decimal } from "../../src/domain/values/decimal.ts";
import { knownFields, lotFor } from "./completeTenders.ts";
import {
  addCancellation,
  addContract,
  addDocument,
  addLot,
  answerQuestion,
  askQuestion,
  bidOnLots,
  changeAward,
  changeBid,
  editComplaint,
  editContract,
  editLot,
  editTender,
  fileClaim,
  finishAuction,
  money,
  placeBid,
  RESOLUTION,
  recordAward,
  removeLot,
  reportAuction,
  setAuctionUrls,
  withdrawBid,
} from "./domainCommands.ts";
import { cook } from "./organizations.ts";

/** The moves of random walks: for each action that a procedure can accept, a command of somebody who may succeed with it. */

/** A command and its actor. */
export type ChosenCommand = { readonly actor: Actor; readonly command: TenderCommand };

/** A command that may be possible for this tender; undefined if it has no object for it. `pick` makes random choices. */
type CommandChoice = (tender: Tender, pick: number) => ChosenCommand | undefined;

type Move = {
  /** How often the move is made in walks that are to get far. */
  readonly weight: (procedure: Procedure) => number;
  readonly choose: CommandChoice;
};

const account = (name: string, group: Account["group"] = "brokers"): Account => ({ name, group, levels: "1234" });
/** The owner of the tenders in random walks. */
export const WALK_OWNER: Actor = { account: account("owner"), tokenHash: "owner token" };
const AUCTION: Actor = { account: account("auction", "auction") };
const ADMIN: Actor = { account: account("root", "admins") };
const BIDDER: Actor = { account: account("bidder"), tokenHash: "bidder token" };

const pickFrom = <Item>(list: readonly Item[], pick: number): Item | undefined => list[pick % Math.max(1, list.length)];

/** One of the items for which something can still be done, if there are any; now and then any item. */
const preferOpen = <Item>(list: readonly Item[], isOpen: (item: Item) => boolean, pick: number): Item | undefined => {
  const open = list.filter(isOpen);
  return pickFrom(open.length > 0 && pick % 5 > 0 ? open : list, pick);
};
const isPending = ({ status }: { readonly status: string }): boolean => status === "pending";
const isActive = ({ status }: { readonly status: string }): boolean => status === "active";

const byOwner = (command: TenderCommand | undefined): ChosenCommand | undefined =>
  command && { actor: WALK_OWNER, command };
const byBidder = (command: TenderCommand | undefined): ChosenCommand | undefined =>
  command && { actor: BIDDER, command };

const AMOUNTS = ["1", "333.33", "250000", "499999.99", "500000"];
/** An amount that the tender's value allows; lots have a smaller one. */
const amountFor = ({ lots }: Tender, pick: number): string =>
  lots.length > 0 ? String((pick % 900) + 1) : (pickFrom(AMOUNTS, pick) ?? "1");

const bid: CommandChoice = (tender, pick) => {
  const amount = amountFor(tender, pick);
  if (tender.lots.length === 0) return byBidder(placeBid(amount));
  return byBidder(bidOnLots(Object.fromEntries(tender.lots.slice(0, 1 + (pick % 2)).map(({ id }) => [id, amount]))));
};

const rebid: CommandChoice = (tender, pick) => {
  const value = money(amountFor(tender, pick));
  const found = pickFrom(tender.bids, pick >> 2);
  const lotValues = tender.lots.slice(0, 1).map(({ id }) => ({ relatedLot: id, value }));
  return byBidder(found && changeBid(found.id, tender.lots.length > 0 ? { lotValues } : { value }));
};

/** The owner records suppliers. Where the service makes awards, an administrator repairs a tender with one for a bid. */
const award: CommandChoice = (tender, pick) => {
  const isByOwner = procedureOf(tender).awards.madeBy === "owner";
  const bidID = pickFrom(tender.bids, pick)?.id;
  const lastAwardOf = (lot: string) => tender.awards.findLast((existing) => existing.lotID === lot);
  const lotID = preferOpen(tender.lots, ({ id }) => lastAwardOf(id) === undefined, pick)?.id;
  const fields: AwardInput = {
    suppliers: [cook],
    status: "pending",
    qualified: pick % 4 !== 0,
    ...(pick % 8 !== 0 && { value: money(amountFor(tender, pick)) }),
    ...(bidID !== undefined && { bid_id: bidID }),
    ...(lotID !== undefined && { lotID }),
  };
  const command = recordAward(knownFields(tender.procedure, "Award", fields));
  return { actor: isByOwner ? WALK_OWNER : ADMIN, command };
};

const decideAward: CommandChoice = ({ awards, procedure }, pick) => {
  const found = preferOpen(awards, isPending, pick);
  const status = pickFrom(["active", ...AWARD_STATUSES] as const, pick >> 3);
  const fields = { status, ...(pick % 3 === 0 && { qualified: true }) };
  return byOwner(found && changeAward(found.id, knownFields(procedure, "Award", fields)));
};

const sign: CommandChoice = ({ contracts }, pick) => {
  const contract = preferOpen(contracts, isPending, pick);
  const fields = pick % 3 === 0 ? { value: { amount: decimal("1") } } : { status: "active" as const };
  return byOwner(contract && editContract(contract.id, fields));
};

const contractByHand: CommandChoice = ({ awards }, pick) => {
  const found = pickFrom(awards, pick);
  return found && { actor: ADMIN, command: addContract({ awardID: found.id }) };
};

/** Files a complaint as a draft, or submits it at once in the status that the procedure has for that. */
const complainAbout = (tender: Tender, about: ComplaintSubject, pick: number): ChosenCommand | undefined => {
  const submitted = complaintRulesFor(procedureOf(tender), about)?.filedAs ?? [];
  const status = pickFrom(["draft" as const, ...submitted, ...submitted, ...submitted], pick >> 4);
  return byBidder(fileClaim({ status }, about.award));
};

const complainAboutAward: CommandChoice = (tender, pick) => {
  const found = pickFrom(tender.awards, pick);
  return found && complainAbout(tender, { award: found.id }, pick);
};

/** Moves a complaint along the table of the procedure, now and then against it, with all fields that any move needs. */
function moveComplaint(tender: Tender, about: ComplaintSubject, complaint: Complaint, pick: number) {
  const rules = complaintRulesFor(procedureOf(tender), about);
  const actors: { readonly [role in ComplaintRole]?: Actor } = {
    complaint_owner: BIDDER,
    tender_owner: WALK_OWNER,
    reviewer: { account: account("reviewer", rules?.reviewers) },
  };
  const moves = Object.entries(actors).flatMap(([role, actor]) =>
    (rules?.statuses ?? []).map((to) => ({
      actor,
      to,
      isListed: `${role} ${complaint.status} ${to}` in (rules?.moves ?? {}),
    })),
  );
  const move = preferOpen(moves, ({ isListed }) => isListed, pick);
  if (!move) return undefined;
  const reasons = { cancellationReason: "over", resolution: RESOLUTION, resolutionType: "declined" } as const;
  const fields = { ...reasons, status: move.to, satisfied: true, tendererAction: "The award is revoked." };
  return { actor: move.actor, command: editComplaint(complaint.id, fields, about.award) };
}

const settleComplaint: CommandChoice = (tender, pick) => {
  const complaint = pickFrom(tender.complaints, pick);
  return complaint && moveComplaint(tender, {}, complaint, pick >> 2);
};

const settleAwardComplaint: CommandChoice = (tender, pick) => {
  const all = tender.awards.flatMap(({ id, complaints }) => complaints.map((complaint) => ({ id, complaint })));
  const found = pickFrom(all, pick);
  return found && moveComplaint(tender, { award: found.id }, found.complaint, pick >> 2);
};

/** Mostly cancels a lot. A cancellation of the whole tender mostly stays pending, so that walks do not end at once. */
const cancelWithReason: CommandChoice = ({ lots }, pick) => {
  const relatedLot = pick % 8 === 0 ? undefined : preferOpen(lots, isActive, pick)?.id;
  if (relatedLot === undefined) return byOwner(addCancellation({ status: pick % 3 === 0 ? "active" : "pending" }));
  const status = pick % 8 === 1 ? "pending" : "active";
  return byOwner(addCancellation({ status, cancellationOf: "lot", relatedLot }));
};

const ask: CommandChoice = ({ lots }, pick) => {
  const lot = pick % 2 === 0 ? pickFrom(lots, pick >> 1) : undefined;
  return byBidder(askQuestion(lot ? { questionOf: "lot", relatedItem: lot.id } : {}));
};

const answer: CommandChoice = ({ questions }, pick) => {
  const question = pickFrom(questions, pick);
  return byOwner(question && answerQuestion(question.id, "!"));
};

const changeLots: CommandChoice = ({ lots, procedure }, pick) => {
  const lot = pickFrom(lots, pick);
  if (!lot || pick % 16 === 0) return byOwner(addLot(lotFor(procedure)));
  return byOwner(pick % 16 === 1 ? removeLot(lot.id) : editLot(lot.id, { title: `Лот ${pick}` }));
};

/** The results of an auction, from whoever the procedure says holds it. */
const report: CommandChoice = (tender, pick) => {
  const isByOwner = procedureOf(tender).auction?.heldBy === "owner";
  const bids = tender.bids.map(() => ({ value: money(amountFor(tender, pick)) }));
  return { actor: isByOwner ? WALK_OWNER : AUCTION, command: reportAuction({ bids }) };
};

const setStatus =
  (status: TenderStatus): CommandChoice =>
  () =>
    byOwner(editTender({ status }));

/** Adds a document to one of these objects. */
const documentOf =
  (parentsIn: (tender: Tender) => readonly DocumentParent[], actor: Actor = WALK_OWNER): CommandChoice =>
  (tender, pick) => {
    const parent = pickFrom(parentsIn(tender), pick);
    return parent && { actor, command: addDocument(parent) };
  };
const bidDocument = documentOf(({ bids }) => bids.map(({ id }) => ({ bid: id })), BIDDER);

/** A complaint takes documents from its author and from the owner of the tender. */
const orComplaintDocument =
  (choose: CommandChoice, parentsIn: (tender: Tender) => readonly DocumentParent[]): CommandChoice =>
  (tender, pick) =>
    pick % 4 > 0
      ? choose(tender, pick >> 2)
      : documentOf(parentsIn, pick % 3 === 0 ? BIDDER : WALK_OWNER)(tender, pick >> 2);

const move = (weight: number, choose: CommandChoice): Move => ({ weight: () => weight, choose });

const moveCount = (rules: ComplaintRules | undefined): number => Object.keys(rules?.moves ?? {}).length;

/** Weights of moves. One that ends the tender is rare; one that never is made leads nowhere, or repairs a tender. */
const [OFTEN, SOMETIMES, RARELY, NEVER] = [60, 10, 2, 0];

/** The compiler asks for a move when an action is added. */
export const MOVES: { readonly [action in TenderAction]: Move } = {
  "edit fields": move(SOMETIMES, (_tender, pick) => byOwner(editTender({ description: `as of ${pick}` }))),
  "publish draft": move(2 * SOMETIMES, (tender) => setStatus(procedureOf(tender).entryStatus)(tender, 0)),
  cancel: move(RARELY, setStatus("cancelled")),
  complete: move(RARELY, setStatus("complete")),
  "declare unsuccessful": move(RARELY, setStatus("unsuccessful")),
  "ask question": move(SOMETIMES, ask),
  "answer question": move(SOMETIMES, answer),
  "add tender document": move(
    NEVER,
    documentOf(() => [{}]),
  ),
  "add auction document": move(
    NEVER,
    documentOf(() => [{}], AUCTION),
  ),
  "place bid": move(2 * OFTEN, bid),
  "change bid": move(SOMETIMES, rebid),
  "withdraw bid": move(NEVER, ({ bids }, pick) => byBidder(withdrawBid(pickFrom(bids, pick)?.id ?? "none"))),
  "add bid document": move(NEVER, bidDocument),
  "record award": { weight: ({ awards }) => (awards.madeBy === "owner" ? OFTEN : NEVER), choose: award },
  "change award": move(OFTEN, decideAward),
  "report auction": move(SOMETIMES, report),
  "set auction urls": move(NEVER, ({ lots }, pick) => ({
    actor: AUCTION,
    command: setAuctionUrls({}, pickFrom(lots, pick)?.id),
  })),
  "finish auction": move(OFTEN, ({ lots }, pick) => ({
    actor: AUCTION,
    command: finishAuction({}, pickFrom(lots, pick)?.id),
  })),
  "edit lots": move(SOMETIMES, changeLots),
  "file complaint": move(2 * SOMETIMES, (tender, pick) => complainAbout(tender, {}, pick)),
  "file award complaint": move(2 * SOMETIMES, complainAboutAward),
  "edit complaint": {
    weight: ({ complaints }) => 4 * moveCount(complaints.tender),
    choose: orComplaintDocument(settleComplaint, ({ complaints }) => complaints.map(({ id }) => ({ complaint: id }))),
  },
  "edit award complaint": {
    weight: ({ complaints }) => 4 * moveCount(complaints.award),
    choose: orComplaintDocument(settleAwardComplaint, ({ awards }) =>
      awards.flatMap(({ id, complaints }) => complaints.map((complaint) => ({ award: id, complaint: complaint.id }))),
    ),
  },
  "add contract": move(NEVER, contractByHand),
  "edit contract": move(OFTEN, sign),
  "add cancellation": move(SOMETIMES, cancelWithReason),
  "add award document": move(
    NEVER,
    documentOf(({ awards }) => awards.map(({ id }) => ({ award: id }))),
  ),
  "add contract document": move(
    NEVER,
    documentOf(({ contracts }) => contracts.map(({ id }) => ({ contract: id }))),
  ),
  "add pending bid document": move(NEVER, bidDocument),
};
