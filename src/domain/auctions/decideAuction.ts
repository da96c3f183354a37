import { parseFraction } from "../values/fraction.ts";
import type { Instant } from "../values/time.ts";
import { advanceAuction, withEvent, withoutUnpublished } from "./advance.ts";
import { applyInterruption } from "./interruptions.ts";
import type { AuctionAttempt, AuctionCommand, AuctionRules, AuctionState } from "./model.ts";
import { acceptsCommand, phaseOf } from "./phases.ts";
import { outOfTurnRefusal, placePrice, takeBackPrice } from "./placing.ts";
import { type AuctionRefusal, stageRefusal } from "./refusals.ts";

/** The decisions of the engine. */

/** The state after a command. A refused command is recorded too, so there is a new state in any case, and it must be stored. */
export type AuctionDecision = { readonly state: AuctionState; readonly refusal?: AuctionRefusal };

type InterruptionReport = Extract<AuctionCommand, { kind: "report interruption" }>;

/** What applying a command returns: the new state, or why it is refused. */
type AuctionCommandResult = AuctionState | { readonly refusal: AuctionRefusal };

/** A new auction that is planned to start at `start`. `at` is now. */
export function openAuction(id: string, rules: AuctionRules, start: Instant, at: Instant): AuctionState {
  const empty: AuctionState = {
    id,
    rules,
    status: "planned",
    at,
    plannedStart: start,
    bids: [],
    offers: [],
    stages: [],
    earlierAttempts: [],
    inputs: [],
    events: [],
  };
  return decideAuction(empty, { kind: "plan", start }, at).state;
}

/**
 * Decides a command at the instant of its commit. Stages that have ended are carried out first, so a price that comes in the
 * microsecond in which the turn ends is late, even if no timer has run; an interruption is applied before the stages that it moves.
 * Throws a `RangeError` if `commandProblem` finds a mistake of the caller.
 */
export function decideAuction(state: AuctionState, sent: AuctionCommand, at: Instant): AuctionDecision {
  const mistake = commandProblem(state, sent, at);
  if (mistake) throw new RangeError(`auction ${state.id}: ${mistake}`);
  const command = sent.kind === "report interruption" ? effectiveInterruption(sent, state.at) : sent;
  const current = advanceAuction(state, timeBefore(state, command, at));
  const applied: AuctionCommandResult = acceptsCommand(current, command.kind)
    ? applyCommand(current, command, at)
    : applyOutOfPhase(current, command);
  if ("refusal" in applied) {
    const inputs = [...current.inputs, { at, command, refused: applied.refusal.rule }];
    // Time does not change an auction that refuses an interruption, so `current` is the state at this instant in any case.
    return { state: { ...current, at, inputs }, refusal: applied.refusal };
  }
  const advanced = advanceAuction(applied, at);
  return { state: { ...advanced, at, inputs: [...advanced.inputs, { at, command }] } };
}

/**
 * The time up to which stages are carried out before the command: an interruption, and a new start instead of a missed one, come
 * before the stages that they move.
 */
function timeBefore(state: AuctionState, command: AuctionCommand, at: Instant): Instant {
  if (command.kind === "report interruption") return command.from;
  const isInsteadOfStart = command.kind === "plan" && command.startMissed === true && state.status === "planned";
  return isInsteadOfStart ? state.at : at;
}

/**
 * The interruption without the time in which the service evidently still worked: it stored something, or carried out a stage. It is
 * recorded in this form, because a replay does not know when stages were carried out.
 */
function effectiveInterruption(sent: InterruptionReport, lastSeenAt: Instant): InterruptionReport {
  const from = Math.max(sent.from, lastSeenAt);
  return { ...sent, from, until: Math.max(sent.until, from) };
}

/** What a correct caller never sends, in words; `undefined` if all is well. Bidders cannot cause any of it. */
export function commandProblem(state: AuctionState, command: AuctionCommand, at: Instant): string | undefined {
  if (!Number.isSafeInteger(at)) return "the instant is not a whole number of microseconds";
  if (at < state.at) return "the instant is before that of the last input";
  switch (command.kind) {
    case "begin": {
      if (command.bids.length < 2) return "an auction needs two bids";
      if (new Set(command.bids.map(({ id }) => id)).size < command.bids.length) return "a bid is given twice";
      const unreadable = command.bids.find(({ coefficient }) => !parseFraction(coefficient)?.numerator);
      return unreadable && `the coefficient ${unreadable.coefficient} is not a positive fraction`;
    }
    case "report interruption":
      if (command.until < command.from) return "the interruption ends before it begins";
      return command.until > at ? "the interruption ends in the future" : undefined;
    case "disclose names": {
      const named = new Set(command.names.map(({ bid }) => bid));
      const areSame = named.size === state.bids.length && state.bids.every(({ id }) => named.has(id));
      return areSame && command.names.length === named.size ? undefined : "the names are not those of the bids";
    }
    default:
      return undefined;
  }
}

/** Applies a command that the phase accepts. */
function applyCommand(state: AuctionState, command: AuctionCommand, at: Instant): AuctionCommandResult {
  switch (command.kind) {
    case "plan":
      return planAuction(state, command.start, at);
    case "begin":
      return { ...state, bids: command.bids, plannedStart: Math.max(state.plannedStart, at) };
    case "place price":
      return placePrice(state, command, at);
    case "take back price":
      return takeBackPrice(state, command, at);
    case "report interruption":
      return applyInterruption(state, command);
    case "cancel": {
      const { current: _stopped, ...stopped } = withoutUnpublished(state);
      return withEvent({ ...stopped, status: "cancelled" }, at, { kind: "cancelled" });
    }
    case "disclose names":
      return discloseNames(state, command, at);
  }
}

function applyOutOfPhase(state: AuctionState, command: AuctionCommand): AuctionCommandResult {
  if (command.kind === "place price" || command.kind === "take back price")
    return { refusal: outOfTurnRefusal(state, command.bid) };
  return { refusal: stageRefusal("auction-stage", `Can't ${command.kind} in the phase ${phaseOf(state)}.`) };
}

/** Plans the start. Prices of an auction that had begun are discarded; its stages stay in the log. */
function planAuction(state: AuctionState, start: Instant, at: Instant): AuctionState {
  const { current: _stopped, ...stopped } = withoutUnpublished(state);
  const attempt: AuctionAttempt = { plannedStart: state.plannedStart, stages: state.stages, offers: state.offers };
  const planned: AuctionState = {
    ...stopped,
    status: "planned",
    plannedStart: state.bids.length > 0 ? Math.max(start, at) : start,
    offers: [],
    stages: [],
    earlierAttempts: state.stages.length > 0 ? [...state.earlierAttempts, attempt] : state.earlierAttempts,
  };
  return withEvent(planned, at, { kind: "planned", start: planned.plannedStart });
}

function discloseNames(
  state: AuctionState,
  { names }: Extract<AuctionCommand, { kind: "disclose names" }>,
  at: Instant,
): AuctionState {
  const nameOf = new Map(names.map(({ bid, name }) => [bid, name]));
  const numbered = state.offers
    .map(({ bid, bidder }) => ({ bidder, name: nameOf.get(bid) ?? "" }))
    .toSorted((a, b) => a.bidder - b.bidder);
  return withEvent({ ...state, names }, at, { kind: "names", names: numbered });
}
