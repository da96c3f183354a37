import { settleAuctions } from "./auctions/liveAuctions.ts";
import { runAuctions } from "./auctions/runAuctions.ts";
import { finishAuction, reportAuction, setAuctionUrls } from "./awards/auctioning.ts";
import { editComplaint, fileComplaint } from "./awards/complaints.ts";
import { addContract } from "./awards/contracting.ts";
import { changeBid, placeBid, withdrawBid } from "./bids/bidding.ts";
import { replaceLink } from "./bids/participation.ts";
import { keepSealed } from "./bids/sealRules.ts";
import { advance } from "./deadlines.ts";
import type { CommandContext, CommandOutcome, TenderCommand, TimeContext } from "./model/commands.ts";
import { type DomainResult, notFound } from "./model/refusals.ts";
import { ok } from "./model/result.ts";
import type { Tender } from "./model/tender.ts";
import { absentObjectOf } from "./procedures/collections.ts";
import { procedureOf } from "./procedures/index.ts";
import { type CommandHandler, stageOf } from "./procedures/procedure.ts";
import { addCancellation, editCancellation } from "./tender/cancelling.ts";
import { addDocument, editDocument, replaceDocument } from "./tender/documents.ts";
import { editTender, renewToken } from "./tender/editing.ts";
import { addLot, editLot, removeLot } from "./tender/lotCommands.ts";
import { answerQuestion, askQuestion } from "./tender/questions.ts";
import { sizeRefusal } from "./tender/sizeRules.ts";
import { isSameJson } from "./values/merge.ts";

const HANDLERS: { readonly [Kind in TenderCommand["kind"]]: CommandHandler<Kind> } = {
  "edit tender": (tender, command, context) => {
    const edited = editTender(tender, command, context);
    return edited.ok ? ok({ tender: edited.value }) : edited;
  },
  "renew token": renewToken,
  "ask question": askQuestion,
  "answer question": answerQuestion,
  "place bid": placeBid,
  "change bid": changeBid,
  "withdraw bid": withdrawBid,
  "replace link": replaceLink,
  "record award": (tender, command, context) => context.procedure.awards.record(tender, command, context),
  "change award": (tender, command, context) => context.procedure.awards.change(tender, command, context),
  "report auction": reportAuction,
  "set auction urls": setAuctionUrls,
  "finish auction": finishAuction,
  "add lot": addLot,
  "edit lot": editLot,
  "remove lot": removeLot,
  "add contract": addContract,
  "edit contract": (tender, command, context) => context.procedure.contracts.edit(tender, command, context),
  "file complaint": fileComplaint,
  "edit complaint": editComplaint,
  "add cancellation": addCancellation,
  "edit cancellation": editCancellation,
  "add document": addDocument,
  "replace document": replaceDocument,
  "edit document": editDocument,
};

/**
 * Decides a command: returns the new state of the tender, or a refusal that leaves it unchanged. Deadlines are applied first, so
 * that a command one microsecond late is late even if no timer has run, and again afterwards, because a command can set a deadline
 * that has already passed. An outcome with the same tender object means that nothing changed.
 */
export function decide(tender: Tender, command: TenderCommand, context: CommandContext): DomainResult<CommandOutcome> {
  const procedure = procedureOf(tender);
  const absentObject = absentObjectOf(procedure, command);
  if (absentObject) return notFound(absentObject);
  const current = advance(tender, context);
  // HANDLERS maps each kind to the handler of that kind; TypeScript cannot correlate the two.
  const handler = HANDLERS[command.kind] as CommandHandler<TenderCommand["kind"]>;
  const result = handler(current, command, { ...context, procedure });
  if (!result.ok) return result;
  const outcome = result.value;
  const sealCheck = keepSealed(procedure, current, outcome.tender, context.at);
  if (!sealCheck.ok) return sealCheck;
  const { actor, limits, bidTotals } = context;
  const refusal = limits && sizeRefusal(current, sealCheck.value, command, actor, limits, bidTotals);
  if (refusal) return refusal;
  const after = advance(settleAuctions(sealCheck.value, context.at), context);
  return ok({ ...outcome, tender: withDateModified(tender, current, after, command, context) });
}

/** Applies the deadlines that are due, without a command. Returns the same object if none is. */
export function decideByTime(tender: Tender, context: TimeContext): Tender {
  const current = advance(tender, context);
  if (current === tender || isSameInPublic(tender, current)) return current;
  return { ...current, dateModified: context.at };
}

/** Applies an interruption of the service, which the context names, to the auctions that run. */
export function decideInterruption(tender: Tender, context: TimeContext): Tender {
  const current = decideByTime(tender, context);
  if (current.status !== "active.auction") return current;
  const after = runAuctions(current, { ...context, procedure: procedureOf(current) });
  return after === current || isSameInPublic(current, after) ? after : { ...after, dateModified: context.at };
}

/** Whether two states of a tender differ in nothing but its auctions, which have views of their own. */
function isSameInPublic(before: Tender, after: Tender): boolean {
  const { auctions: _before, ...publicBefore } = before;
  const { auctions: _after, ...publicAfter } = after;
  return isSameJson(publicBefore, publicAfter);
}

/** Sets `dateModified` after a real change. A change of a sealed bid keeps it, since it would reveal that there is a bid. */
function withDateModified(
  before: Tender,
  current: Tender,
  after: Tender,
  command: TenderCommand,
  { at }: CommandContext,
): Tender {
  if (isSameJson(current, after)) return current === before ? before : { ...current, dateModified: at };
  const isSecret =
    (stageOf(procedureOf(current), current).sealed && isAboutBid(command)) || command.kind === "renew token";
  return isSecret && current === before ? after : { ...after, dateModified: at };
}

function isAboutBid(command: TenderCommand): boolean {
  if ("of" in command) return command.of.bid !== undefined;
  return command.kind.endsWith(" bid") || command.kind === "report auction" || command.kind === "replace link";
}
