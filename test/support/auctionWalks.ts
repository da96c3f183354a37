import fc from "fast-check";
import { advanceAuction, nextStageChange } from "../../src/domain/auctions/advance.ts";
import { decideAuction, openAuction } from "../../src/domain/auctions/decideAuction.ts";
import type { AuctionCommand, AuctionRules, AuctionState, InitialBid } from "../../src/domain/auctions/model.ts";
import { highestAllowedPrice } from "../../src/domain/auctions/prices.ts";
import { runningTurn } from "../../src/domain/auctions/timeline.ts";
import { type Decimal, decimal, subtractDecimals } from "../../src/domain/values/decimal.ts";
import { HOUR, MINUTE, SECOND } from "../../src/domain/values/time.ts";
import type { SentCommand } from "./auctionOracle.ts";
import { AUCTION_RULES, AUCTION_START } from "./auctions.ts";

/** Random auctions: bidders who lower prices, come too early or a microsecond late, and services that fail. */

export type AuctionSetup = { readonly rules: AuctionRules; readonly bids: readonly InitialBid[] };

/** One step: time passes, and then something happens. */
export type WalkStep = {
  readonly move: "stay" | "within" | "just before" | "exactly" | "just after" | "far";
  /** How far within the stage, in thousandths. */
  readonly part: number;
  readonly act: "place" | "take back" | "interrupt" | "tick" | "plan" | "cancel";
  /** 0 is the bidder who has the turn; others are bidders by their position. */
  readonly who: number;
  readonly price: "highest" | "lower" | "too high" | "zero" | "decimals" | "half" | "match";
  readonly isConfirmed: boolean;
  readonly outage: number;
};

const times = <Value>(count: number, value: Value): readonly Value[] => Array.from({ length: count }, () => value);

// Few amounts, dates and coefficients, so that ties of every kind are common.
const bidsOf = fc
  .array(
    fc.tuple(
      fc.constantFrom("500", "500", "490.5", "480", "425", "12.34", "100.005"),
      fc.integer({ min: 0, max: 2 }),
      fc.constantFrom("1", "1", "20/17", "23/20"),
    ),
    { minLength: 2, maxLength: 5 },
  )
  .map((all) =>
    all.map(
      ([amount, date, coefficient], i): InitialBid => ({ id: `bid ${i}`, amount: decimal(amount), coefficient, date }),
    ),
  );

export const auctionSetups: fc.Arbitrary<AuctionSetup> = fc.record({
  rules: fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom("10", "5.5", "0.01", "0"), fc.constantFrom(1, 1, 0.5))
    .map(([rounds, step, scale]) => ({
      ...AUCTION_RULES,
      rounds,
      minimalStep: decimal(step),
      hasFeatures: true,
      turnMicros: AUCTION_RULES.turnMicros * scale,
      pauseMicros: AUCTION_RULES.pauseMicros * scale,
    })),
  bids: bidsOf,
});

const OUTAGES = [SECOND, 5 * SECOND, 5 * SECOND + 1, 40 * SECOND, 3 * MINUTE, 10 * MINUTE, 10 * MINUTE + 1];

export const walkSteps: fc.Arbitrary<readonly WalkStep[]> = fc.array(
  fc.record<WalkStep>({
    move: fc.constantFrom(
      "stay",
      "stay",
      "within",
      "within",
      "within",
      "just before",
      "exactly",
      "exactly",
      "just after",
      "far",
    ),
    part: fc.integer({ min: 1, max: 999 }),
    act: fc.constantFrom(
      ...times(16, "place" as const),
      ...times(3, "take back" as const),
      ...times(2, "interrupt" as const),
      ...times(4, "tick" as const),
      "plan",
      ...times(1, "cancel" as const),
    ),
    who: fc.constantFrom(0, 0, 0, 0, 0, 1, 2, 3),
    price: fc.constantFrom(
      "highest",
      "highest",
      "lower",
      "lower",
      "lower",
      "too high",
      "zero",
      "decimals",
      "half",
      "match",
    ),
    isConfirmed: fc.boolean(),
    outage: fc.constantFrom(...OUTAGES),
  }),
  { maxLength: 60, size: "max" },
);

/** The states of a walk: each with the state before it, and the command, if there was one. */
export type WalkEntry = {
  readonly before: AuctionState;
  readonly sent?: SentCommand;
  readonly after: AuctionState;
};
export type Walk = { readonly entries: readonly WalkEntry[]; readonly final: AuctionState; readonly end: number };

/** All commands of a walk, with the plan and the bids. */
export const sentIn = (walk: Walk): readonly SentCommand[] => walk.entries.flatMap(({ sent }) => sent ?? []);

const OPENED = AUCTION_START - HOUR;

/** Runs a walk up to a time at which the auction is over, unless it waits for a plan. */
export function runWalk({ rules, bids }: AuctionSetup, steps: readonly WalkStep[]): Walk {
  const plan = { at: OPENED, command: { kind: "plan", start: AUCTION_START } } as const;
  const begin = { at: OPENED, command: { kind: "begin", bids } } as const;
  const opened = openAuction("auction", rules, AUCTION_START, OPENED);
  let state = decideAuction(opened, begin.command, begin.at).state;
  const entries: WalkEntry[] = [
    { before: opened, sent: plan, after: opened },
    { before: opened, sent: begin, after: state },
  ];
  let now = OPENED;
  for (const step of steps) {
    now = timeAfter(state, step, now);
    const before = state;
    const isAfterTick = entries.at(-1)?.sent === undefined;
    const sent = commandOf(advanceAuction(state, now), step, now, isAfterTick);
    state = sent ? decideAuction(state, sent.command, sent.at).state : advanceAuction(state, now);
    now = sent?.at ?? now;
    entries.push({ before, ...(sent && { sent }), after: state });
  }
  const end = now + 30 * HOUR;
  return { entries, final: advanceAuction(state, end), end };
}

function timeAfter(state: AuctionState, { move, part }: WalkStep, now: number): number {
  const due = nextStageChange(advanceAuction(state, now)) ?? now;
  const target = {
    stay: now,
    within: now + Math.floor(((due - now) * part) / 1000),
    "just before": due - 1,
    exactly: due,
    "just after": due + 1,
    far: due + part * (SECOND / 5),
  }[move];
  return Math.max(now, target);
}

function commandOf(state: AuctionState, step: WalkStep, now: number, isAfterTick: boolean): SentCommand | undefined {
  switch (step.act) {
    case "tick":
      return undefined;
    case "cancel":
      // Most auctions should get to their end.
      return step.part < 150 ? { at: now, command: { kind: "cancel" } } : undefined;
    case "plan":
      return step.part < 500
        ? { at: now, command: { kind: "plan", start: now + step.part * SECOND - MINUTE } }
        : undefined;
    case "interrupt":
      return interruptionOf(step, now, isAfterTick);
    default:
      return { at: now, command: priceCommand(state, step) };
  }
}

/**
 * An interruption from now on, which is reported at its end or later. Some claim to have begun earlier than the last command; not
 * after a tick, of which the oracle does not know.
 */
function interruptionOf({ outage, part, who }: WalkStep, now: number, isAfterTick: boolean): SentCommand {
  const until = now + outage;
  const from = who === 1 && !isAfterTick ? now - part * 10_000 : now;
  return { at: who === 0 ? until : until + part, command: { kind: "report interruption", from, until } };
}

function priceCommand(state: AuctionState, step: WalkStep): AuctionCommand {
  const turn = runningTurn(state);
  const inTurn = state.offers.find(({ bidder }) => bidder === turn?.bidder)?.bid;
  const bid = (step.who === 0 ? inTurn : state.bids[step.who % state.bids.length]?.id) ?? "bid 0";
  if (step.act === "take back") return { kind: "take back price", bid };
  const amount = amountOf(state, bid, step);
  return { kind: "place price", bid, amount, ...(step.isConfirmed && { confirmed: true as const }) };
}

function amountOf({ offers, rules }: AuctionState, bid: string, { price, part }: WalkStep): Decimal {
  const previous = offers.find((offer) => offer.bid === bid)?.amount ?? decimal("100");
  const highest = highestAllowedPrice(previous, rules) ?? decimal("0.01");
  const cents = decimal((part / 100).toFixed(2));
  switch (price) {
    case "highest":
      return highest;
    case "lower":
      return subtractDecimals(highest, cents);
    case "too high":
      return decimal((Number(highest) + 0.01).toFixed(2));
    case "zero":
      return decimal("0");
    case "decimals":
      return decimal((part / 1000).toFixed(3));
    case "half":
      return decimal((Number(previous) / 2).toFixed(2));
    case "match":
      return offers.find((offer) => offer.bid !== bid)?.amount ?? highest;
  }
}
