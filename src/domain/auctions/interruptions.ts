import type { Instant } from "../values/time.ts";
import { carryOutStageEnd, nextStageChange, withEvent, withoutUnpublished } from "./advance.ts";
import type { AuctionCommand, AuctionState, AuctionTurn } from "./model.ts";
import { runningTurn, withTurnRepeated } from "./timeline.ts";

/**
 * Applies an interruption of the service to the state at its beginning. The first turn of which it took more
 * than the rules allow is given again in full from its end on, with the price that the bidder had placed; a longer interruption ends
 * the auction, which must then be planned again. An interruption that took no turn changes nothing: pauses and turns pass as planned.
 */
export function applyInterruption(
  state: AuctionState,
  { from, until }: Extract<AuctionCommand, { kind: "report interruption" }>,
): AuctionState {
  let current = state;
  for (;;) {
    const turn = runningTurn(current);
    if (turn && lostTime(turn, from, until) > current.rules.turnLossMicrosMax)
      return until - from > current.rules.interruptionMicrosMax
        ? breakOff(current, from, until)
        : repeatTurn(current, turn, from, until);
    const due = nextStageChange(current);
    if (due === undefined || due >= until) return current;
    current = carryOutStageEnd(current, due);
  }
}

const lostTime = (turn: AuctionTurn, from: Instant, until: Instant): number =>
  Math.min(turn.end, until) - Math.max(turn.start, from);

function repeatTurn(state: AuctionState, turn: AuctionTurn, from: Instant, until: Instant): AuctionState {
  const interrupted = state.current ?? 0;
  const stages = withTurnRepeated(state.stages, interrupted, turn, until, state.rules.turnMicros);
  const change = { kind: "turn repeated", from, until, index: interrupted, stages: stages.slice(interrupted) } as const;
  return withEvent({ ...state, at: until, stages, current: interrupted + 1 }, until, change);
}

function breakOff(state: AuctionState, from: Instant, until: Instant): AuctionState {
  const { current: _stopped, ...stopped } = withoutUnpublished(state);
  return withEvent({ ...stopped, at: until, status: "interrupted" }, until, { kind: "interrupted", from, until });
}
