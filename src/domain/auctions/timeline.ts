import type { Instant } from "../values/time.ts";
import type { AuctionRules, AuctionStage, AuctionState, AuctionTurn } from "./model.ts";

/** The stages of an auction as a list without gaps: each begins when the one before it ends. */

/** All stages of an auction with this many bidders. Who has which turn is decided when the pause before each round begins. */
export function layOutStages(rules: AuctionRules, bidders: number, start: Instant): readonly AuctionStage[] {
  const stages: AuctionStage[] = [];
  let end = start;
  const period = (length: number) => {
    const from = end;
    end += length;
    return { start: from, end };
  };
  for (let round = 1; round <= rules.rounds; round++) {
    stages.push({ kind: "pause", round, ...period(round === 1 ? rules.firstPauseMicros : rules.pauseMicros) });
    for (let turn = 0; turn < bidders; turn++) stages.push({ kind: "turn", round, ...period(rules.turnMicros) });
  }
  stages.push({ kind: "pre-announcement", ...period(rules.preAnnouncementMicros) });
  stages.push({ kind: "announcement", start: end });
  return stages;
}

/** The stages with the bidders of a round, in the order of their turns. */
export function withTurnOrder(
  stages: readonly AuctionStage[],
  round: number,
  order: readonly number[],
): readonly AuctionStage[] {
  const remaining = [...order];
  return stages.map((stage) => {
    if (stage.kind !== "turn" || stage.round !== round) return stage;
    const bidder = remaining.shift();
    return bidder === undefined ? stage : { ...stage, bidder };
  });
}

/** Gives the turn at `index` again, in full, from `start` on. The stages after it move. */
export function withTurnRepeated(
  stages: readonly AuctionStage[],
  index: number,
  turn: AuctionTurn,
  start: Instant,
  length: number,
): readonly AuctionStage[] {
  const repeated: AuctionTurn = { ...turn, start, end: start + length };
  const delay = repeated.end - turn.end;
  return [
    ...stages.slice(0, index),
    { ...turn, end: start, isInterrupted: true },
    repeated,
    ...stages.slice(index + 1).map((stage) => delayedStage(stage, delay)),
  ];
}

const delayedStage = (stage: AuctionStage, delay: number): AuctionStage =>
  stage.kind === "announcement"
    ? { ...stage, start: stage.start + delay }
    : { ...stage, start: stage.start + delay, end: stage.end + delay };

/** The stage that runs, if the auction does. */
export const runningStage = ({ status, stages, current }: AuctionState): AuctionStage | undefined =>
  status === "running" && current !== undefined ? stages[current] : undefined;

/** The turn that runs, if one does. */
export function runningTurn(state: AuctionState): AuctionTurn | undefined {
  const stage = runningStage(state);
  return stage?.kind === "turn" ? stage : undefined;
}
