import { finishAuction } from "../awards/auctioning.ts";
import { SERVICE_AUCTION } from "../model/actors.ts";
import type { Interruption } from "../model/commands.ts";
import type { Tender } from "../model/tender.ts";
import type { DeadlineContext } from "../procedures/procedure.ts";
import type { Instant } from "../values/time.ts";
import { advanceAuction } from "./advance.ts";
import { decideAuction } from "./decideAuction.ts";
import { auctionedLot, settleAuctions, withLiveAuction, withoutLiveAuction } from "./liveAuctions.ts";
import type { AuctionState } from "./model.ts";
import { resultsCommand } from "./tenderAuctions.ts";

/** The passing of time in the auctions of a tender. */

/** Carries out the stages that have ended, and reports the results of auctions that are over. */
export function runAuctions(tender: Tender, context: DeadlineContext): Tender {
  let current = tender;
  for (const state of tender.auctions ?? []) {
    const advanced = auctionUpToNow(state, context.at, context.interruption);
    if (advanced === undefined) current = withoutLiveAuction(current, state.id);
    else if (advanced !== state) current = withLiveAuction(current, advanced);
    if (advanced?.status === "ended" && state.status !== "ended") current = withResults(current, advanced, context);
  }
  return settleAuctions(current, context.at);
}

/**
 * The auction as of now. An interruption of the service is applied before anything that it moves. If nobody was there to begin it in
 * time, it begins now; if its start was missed by more than an interruption may last, it has not taken place: `undefined`, and it is
 * planned again.
 */
export function auctionUpToNow(
  state: AuctionState,
  at: Instant,
  interruption: Interruption | undefined,
): AuctionState | undefined {
  const { status, bids, plannedStart, rules } = state;
  const late = status === "planned" && bids.length > 0 ? at - plannedStart : 0;
  if (late > rules.interruptionMicrosMax) return undefined;
  const begun =
    late > rules.turnLossMicrosMax
      ? decideAuction(state, { kind: "plan", start: at, startMissed: true }, at).state
      : state;
  return advanceAuction(withInterruption(begun, at, interruption), at);
}

/** An auction that has changed since the interruption knows of it already. */
function withInterruption(state: AuctionState, at: Instant, interruption: Interruption | undefined): AuctionState {
  if (!interruption || state.status !== "running" || interruption.until <= state.at || interruption.until > at)
    return state;
  return decideAuction(state, { kind: "report interruption", ...interruption }, at).state;
}

/** The results enter the tender by the same command as those of an external auction. */
function withResults(tender: Tender, state: AuctionState, context: DeadlineContext): Tender {
  const command = resultsCommand(state, tender, auctionedLot(tender, state.id));
  const finished = finishAuction(tender, command, { ...context, actor: SERVICE_AUCTION, newTokenHash: "" });
  if (!finished.ok) throw new Error(`the results of auction ${state.id} were refused: ${JSON.stringify(finished)}`);
  return finished.value.tender;
}
