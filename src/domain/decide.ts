import { finishAuction, reportAuction, setAuctionUrls } from "./auctioning.ts";
import { changeAward, recordAward } from "./awarding.ts";
import { changeBid, placeBid, withdrawBid } from "./bidding.ts";
import { addCancellation, editCancellation } from "./cancelling.ts";
import { advance } from "./clock.ts";
import type { Command, Context, Making } from "./commands.ts";
import { editComplaint, fileComplaint } from "./complaints.ts";
import { addContract, editContract } from "./contracting.ts";
import { addDocument, editDocument, replaceDocument } from "./documents.ts";
import { addLot, editLot, removeLot } from "./lotting.ts";
import { same } from "./merge.ts";
import { stageOf } from "./procedures/index.ts";
import { editTender, renewToken } from "./publishing.ts";
import { answerQuestion, askQuestion } from "./questions.ts";
import type { Decided } from "./refusals.ts";
import { ok } from "./result.ts";
import { keepSealed } from "./sealing.ts";
import { refusedForSize } from "./size.ts";
import type { Bid, Lot, Tender } from "./tender.ts";

export type Outcome = {
  readonly tender: Tender;
  /** What the command was about, where it was not the tender itself. */
  readonly id?: string;
  readonly removed?: Bid | Lot;
};

type Handler<Kind> = (tender: Tender, command: Extract<Command, { kind: Kind }>, context: Context) => Decided<Outcome>;

const HANDLERS: { readonly [Kind in Command["kind"]]: Handler<Kind> } = {
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
  "record award": recordAward,
  "change award": changeAward,
  "report auction": reportAuction,
  "set auction urls": setAuctionUrls,
  "finish auction": finishAuction,
  "add lot": addLot,
  "edit lot": editLot,
  "remove lot": removeLot,
  "add contract": addContract,
  "edit contract": editContract,
  "file complaint": fileComplaint,
  "edit complaint": editComplaint,
  "add cancellation": addCancellation,
  "edit cancellation": editCancellation,
  "add document": addDocument,
  "replace document": replaceDocument,
  "edit document": editDocument,
};

/**
 * Time first, then the command: what comes a microsecond late is late, whether or not any timer has run. And time again:
 * a command may set a deadline that has passed already.
 */
export function decide(tender: Tender, command: Command, context: Context): Decided<Outcome> {
  const current = advance(tender, context);
  const handler = HANDLERS[command.kind] as Handler<Command["kind"]>;
  const decided = handler(current, command, context);
  if (!decided.ok) return decided;
  const outcome = decided.value;
  const sealed = keepSealed(current, outcome.tender, context.at);
  if (!sealed.ok) return sealed;
  const { actor, limits } = context;
  const refused = limits && refusedForSize(current, sealed.value, command, actor, limits);
  if (refused) return refused;
  const after = advance(sealed.value, context);
  return ok({ ...outcome, tender: stamped(tender, current, after, command, context) });
}

/** Carries time out and nothing else. */
export function decideByTime(tender: Tender, making: Making): Tender {
  const current = advance(tender, making);
  return current === tender ? tender : { ...current, dateModified: making.at };
}

/** `dateModified` moves on a real change only, and never because of a bid that must not be known. */
function stamped(before: Tender, current: Tender, after: Tender, command: Command, { at }: Context): Tender {
  if (same(current, after)) return current === before ? before : { ...current, dateModified: at };
  const secret = (stageOf(current).sealed && isAboutBid(command)) || command.kind === "renew token";
  return secret && current === before ? after : { ...after, dateModified: at };
}

function isAboutBid(command: Command): boolean {
  if ("of" in command) return command.of.bid !== undefined;
  return command.kind.endsWith(" bid") || command.kind === "report auction";
}
