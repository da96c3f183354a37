import { decideByTime } from "../decide.ts";
import type { CommandContext, CommandOutcome } from "../model/commands.ts";
import { type DomainResult, notFound, problem, type Refusal } from "../model/refusals.ts";
import { ok, refuse } from "../model/result.ts";
import type { Tender } from "../model/tender.ts";
import { decideAuction } from "./decideAuction.ts";
import { liveAuction, withLiveAuction } from "./liveAuctions.ts";
import type { AuctionCommand, AuctionState } from "./model.ts";
import type { AuctionRefusal } from "./refusals.ts";
import { auctionUpToNow } from "./runAuctions.ts";
import { runningTurn } from "./timeline.ts";

/** What a bidder does in an auction. The caller has checked that it is the bidder. */
export type PriceCommand = Extract<AuctionCommand, { kind: "place price" | "take back price" }>;

/** How many refused prices of a bidder are recorded in a turn or pause. More are refused without being recorded. */
export const RECORDED_REFUSALS_MAX = 20;

/**
 * Decides a price in an auction of the tender. Stages that have ended, and an interruption of the service, are applied first. A refused
 * price is recorded, too, so that the published record shows everything that bidders tried. The tender itself does not change with a
 * price: `dateModified` would reveal it.
 */
export function decidePrice(
  tender: Tender,
  auction: string,
  command: PriceCommand,
  context: CommandContext,
): DomainResult<CommandOutcome> {
  const current = decideByTime(tender, context);
  const stored = liveAuction(current, auction);
  const state = stored && auctionUpToNow(stored, context.at, context.interruption);
  if (!state) return notFound("auction");
  const { state: decided, refusal } = decideAuction(state, command, context.at);
  if (!refusal) return ok({ tender: withLiveAuction(current, decided) });
  const refused = refusalOf(refusal);
  return isRecorded(state, command.bid) ? ok({ tender: withLiveAuction(current, decided), refused }) : refuse(refused);
}

/** Whether one more refused price of the bidder is recorded. Those of bids that do not take part never are. */
function isRecorded(state: AuctionState, bid: string): boolean {
  if (!state.bids.some(({ id }) => id === bid)) return false;
  const since = runningTurn(state)?.start ?? state.stages[state.current ?? 0]?.start ?? 0;
  const refused = state.inputs.filter(
    ({ at, command, refused: rule }) => at >= since && rule !== undefined && "bid" in command && command.bid === bid,
  );
  return refused.length < RECORDED_REFUSALS_MAX;
}

/** The refusal in the words of the other refusals of the domain. */
function refusalOf(refusal: AuctionRefusal): Refusal {
  const { message, window, highestAllowed } = refusal;
  if (refusal.kind === "price") {
    const found = problem([refusal.field], message, refusal.rule, "cross");
    return { kind: "invalid", problems: [{ ...found, ...(highestAllowed && { highestAllowed }) }] };
  }
  return { kind: "rule", rule: refusal.rule, message, ...(window && { window }) };
}
