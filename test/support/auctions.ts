import assert from "node:assert/strict";
import { advanceAuction } from "../../src/domain/auctions/advance.ts";
import { type AuctionDecision, decideAuction, openAuction } from "../../src/domain/auctions/decideAuction.ts";
import type { AuctionCommand, AuctionRules, AuctionState, InitialBid } from "../../src/domain/auctions/model.ts";
import type { AuctionRefusal } from "../../src/domain/auctions/refusals.ts";
import { DEFAULT_AUCTION_SETTINGS } from "../../src/domain/auctions/tenderAuctions.ts";
import { decimal } from "../../src/domain/values/decimal.ts";
import { MINUTE } from "../../src/domain/values/time.ts";

/** The planned start of the auctions of these tests: 2026-11-17T09:00:00Z. */
export const AUCTION_START = Date.UTC(2026, 10, 17, 9) * 1000;

export const AUCTION_RULES: AuctionRules = {
  ...DEFAULT_AUCTION_SETTINGS,
  minimalStep: decimal("10"),
  currency: "UAH",
  hasFeatures: false,
};

/** A bid with an amount; `date` decides between equal amounts. */
export const initialBid = (id: string, amount: string, date = 0, coefficient = "1"): InitialBid => ({
  id,
  amount: decimal(amount),
  coefficient,
  date,
});

/** Two bids: "dear" is bidder 1 and has the first turn, "cheap" is bidder 2. */
export const TWO_BIDS = [initialBid("cheap", "480", 1), initialBid("dear", "500", 2)];

/** An auction that the test drives. Times are microseconds after the planned start. */
export type AuctionDriver = {
  readonly state: () => AuctionState;
  /** Sends a command that must be accepted. */
  readonly send: (after: number, command: AuctionCommand) => AuctionState;
  /** Sends a command that must be refused. */
  readonly refused: (after: number, command: AuctionCommand) => AuctionRefusal;
  readonly place: (after: number, bid: string, amount: string) => AuctionState;
  readonly goTo: (after: number) => AuctionState;
};

/** An auction with these bids, an hour before its start. */
export function driveAuction(bids: readonly InitialBid[] = TWO_BIDS, rules: Partial<AuctionRules> = {}): AuctionDriver {
  const opened = AUCTION_START - 60 * MINUTE;
  let current = openAuction("a".repeat(32), { ...AUCTION_RULES, ...rules }, AUCTION_START, opened);
  const decide = (after: number, command: AuctionCommand): AuctionDecision => {
    const decision = decideAuction(current, command, AUCTION_START + after);
    current = decision.state;
    return decision;
  };
  const send = (after: number, command: AuctionCommand) => {
    assert.deepEqual(decide(after, command).refusal, undefined);
    return current;
  };
  if (bids.length > 0) send(opened - AUCTION_START, { kind: "begin", bids });
  return {
    state: () => current,
    send,
    refused: (after, command) => {
      const { refusal } = decide(after, command);
      assert.ok(refusal, "the command should be refused");
      return refusal;
    },
    place: (after, bid, amount) => send(after, { kind: "place price", bid, amount: decimal(amount), confirmed: true }),
    goTo: (after) => {
      current = advanceAuction(current, AUCTION_START + after);
      return current;
    },
  };
}

/** The published amounts by bid. */
export const amountsOf = ({ offers }: AuctionState): { readonly [bid: string]: string } =>
  Object.fromEntries(offers.map(({ bid, amount }) => [bid, amount]));
