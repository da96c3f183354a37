import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { advanceAuction, carryOutStageEnd, nextStageChange } from "../../src/domain/auctions/advance.ts";
import { decideAuction } from "../../src/domain/auctions/decideAuction.ts";
import { type AuctionAudience, EVENTS_START, eventsAfter, eventsBetween } from "../../src/domain/auctions/events.ts";
import type { AuctionStage, AuctionState } from "../../src/domain/auctions/model.ts";
import { placeOffers } from "../../src/domain/auctions/order.ts";
import { type AuctionPhase, PHASES, phaseOf } from "../../src/domain/auctions/phases.ts";
import { recordOf, recordText } from "../../src/domain/auctions/record.ts";
import { replay, replayText } from "../../src/domain/auctions/replay.ts";
import { viewAuction } from "../../src/domain/auctions/view.ts";
import { compareDecimals, decimal, decimalPlaces, subtractDecimals } from "../../src/domain/values/decimal.ts";
import { followAuction, millionthsOf } from "../support/auctionOracle.ts";
import { auctionSetups, runWalk, sentIn, type Walk, walkSteps } from "../support/auctionWalks.ts";
import { runs } from "../support/tier.ts";

// Random auctions. AUCTION_RUNS sets their number, for long runs.

const CASES = Number(process.env.AUCTION_RUNS ?? runs(1000));

/** Checks something of the walks of many random auctions. */
function checkWalks(check: (walk: Walk, seed: number) => void, cases = CASES): void {
  const walks = fc.property(auctionSetups, walkSteps, fc.nat(), (setup, steps, seed) =>
    check(runWalk(setup, steps), seed),
  );
  fc.assert(walks, { numRuns: cases });
}

const bidOfNumber = ({ offers }: Pick<AuctionState, "offers">, bidder: number | undefined) =>
  offers.find((offer) => offer.bidder === bidder)?.bid;

/** The turns that were over, in the form of the oracle. */
const turnsOf = (attempt: Pick<AuctionState, "offers" | "stages">) =>
  attempt.stages.flatMap((stage: AuctionStage) => {
    if (stage.kind !== "turn" || !(stage.result || stage.isInterrupted)) return [];
    const { round, start, end, result } = stage;
    const price = result && { millionths: millionthsOf(result.amount), date: result.date };
    return [{ round, bid: bidOfNumber(attempt, stage.bidder), start, end, ...(price && { price }) }];
  });

describe("a random auction", () => {
  it("has the turns, prices, ranking and refusals of an independent computation", () => {
    const statuses = new Map<string, number>();
    checkWalks((walk) => {
      const { final, end } = walk;
      const sent = sentIn(walk);
      const expected = followAuction(final.rules, final.bids, sent, end);
      assert.equal(final.status, expected.status);
      const attempts = [...final.earlierAttempts, ...(final.stages.length > 0 ? [final] : [])];
      assert.deepEqual(attempts.map(turnsOf), expected.attempts);
      if (final.offers.length > 0)
        assert.deepEqual(
          placeOffers(final.offers).map(({ bidder }) => bidOfNumber(final, bidder)),
          expected.ranking,
        );
      for (const [i, { command, refused }] of final.inputs.entries())
        if (command.kind !== "begin" && command.kind !== "report interruption")
          assert.equal(refused === undefined, expected.accepted.has(i), `${i} ${JSON.stringify(command)} ${refused}`);
      statuses.set(final.status, (statuses.get(final.status) ?? 0) + 1);
    });
    // Walks that never got anywhere would prove nothing.
    assert.ok((statuses.get("ended") ?? 0) > CASES / 4, JSON.stringify([...statuses]));
    assert.ok(statuses.has("interrupted") && statuses.has("cancelled"), JSON.stringify([...statuses]));
  });

  it("is computed again from its record without a difference, at every step", () => {
    checkWalks(({ entries, final }) => {
      assert.deepEqual(replay(recordOf(final)).differences, []);
      for (const { after } of entries.slice(-3)) assert.deepEqual(replay(recordOf(after)).differences, []);
    });
  });

  it("shows every changed byte of its record as a difference", () => {
    checkWalks(({ final }, seed) => {
      const bytes = new TextEncoder().encode(recordText(recordOf(final)));
      const position = seed % bytes.length;
      const changed = bytes.with(position, (bytes[position] ?? 0) ^ (1 << (seed % 7)));
      assert.notEqual(replayText(new TextDecoder().decode(changed)).differences.length, 0, String(position));
    });
  });

  it("continues in the same way from a state that was written as JSON and read back", () => {
    checkWalks(({ entries, final, end }) => {
      for (const { before, sent, after } of entries.slice(1)) {
        const restored: AuctionState = JSON.parse(JSON.stringify(before));
        assert.deepEqual(restored, before);
        if (sent) assert.deepEqual(decideAuction(restored, sent.command, sent.at).state, after);
        assert.deepEqual(advanceAuction(restored, after.at), advanceAuction(before, after.at));
      }
      const last: AuctionState = JSON.parse(JSON.stringify(entries.at(-1)?.after));
      assert.deepEqual(advanceAuction(last, end), final);
    });
  });

  it("keeps the step: new prices are positive, have two decimal places, and are a step below the bidder's previous one", () => {
    let newPrices = 0;
    checkWalks(({ final }) => {
      for (const { stages, offers } of [...final.earlierAttempts, final])
        for (const { bidder, initial } of offers) {
          let previous = initial.amount;
          for (const stage of stages) {
            if (stage.kind !== "turn" || stage.bidder !== bidder || !stage.result) continue;
            const { amount, date, isNew } = stage.result;
            if (!isNew) assert.equal(amount, previous);
            else {
              newPrices++;
              assert.ok(compareDecimals(amount, decimal("0")) > 0 && decimalPlaces(amount) <= 2);
              assert.ok(compareDecimals(amount, subtractDecimals(previous, final.rules.minimalStep)) <= 0);
              assert.ok(date < stage.end);
            }
            previous = amount;
          }
        }
    });
    assert.ok(newPrices > CASES, String(newPrices));
  });

  it("has stages without gaps, one turn for each bidder in each round, and events in the order of time", () => {
    checkWalks(({ final }) => {
      for (const [i, stage] of final.stages.entries()) {
        const next = final.stages[i + 1];
        if (next) assert.equal("end" in stage && stage.end, next.start);
      }
      for (let round = 1; round <= final.rules.rounds && final.stages.length > 0; round++) {
        const turns = final.stages.filter((stage) => stage.kind === "turn" && stage.round === round);
        const whole = turns.flatMap((stage) => (stage.kind === "turn" && !stage.isInterrupted ? [stage.bidder] : []));
        assert.equal(whole.length, final.offers.length);
        const known = whole.filter((bidder) => bidder !== undefined);
        assert.equal(new Set(known).size, known.length);
      }
      for (const [i, event] of final.events.entries()) assert.ok(event.at >= (final.events[i - 1]?.at ?? 0));
    });
  });
});

describe("a price in a random auction", () => {
  it("changes nothing that anybody but its bidder can see, whether it is accepted or refused", () => {
    let accepted = 0;
    checkWalks(({ entries }) => {
      for (const { before, sent, after } of entries) {
        const command = sent?.command;
        if (command?.kind !== "place price" && command?.kind !== "take back price") continue;
        if (after.unpublished) accepted++;
        // Without the price, only time would have passed.
        const without = advanceAuction(before, sent?.at ?? 0);
        const others = after.bids.map(({ id }) => id).filter((id) => id !== command.bid);
        const audiences: readonly AuctionAudience[] = ["everyone", ...others.map((bid) => ({ bid }))];
        for (const audience of audiences) {
          assert.deepEqual(viewAuction(after, audience), viewAuction(without, audience));
          assert.deepEqual(eventsAfter(after, EVENTS_START, audience), eventsAfter(without, EVENTS_START, audience));
        }
      }
    });
    assert.ok(accepted > CASES, String(accepted));
  });

  it("is in the view of its bidder as soon as it is accepted", () => {
    checkWalks(({ entries }) => {
      for (const { sent, after } of entries) {
        if (sent?.command.kind !== "place price" || after.inputs.at(-1)?.refused) continue;
        const { own } = viewAuction(after, { bid: sent.command.bid });
        assert.deepEqual(own?.unpublished, { amount: sent.command.amount, date: sent.at });
      }
    });
  });
});

describe("the events of a random auction", () => {
  it("are complete and numbered without gaps for every audience, in steps of any size", () => {
    checkWalks(({ entries, final }) => {
      for (const audience of ["everyone", { bid: "bid 0" }, { bid: "bid 1" }] as const) {
        const stepwise = entries.flatMap(({ before, after }) => eventsBetween(before, after, audience));
        const rest = eventsBetween(entries.at(-1)?.after ?? final, final, audience);
        const [, ...all] = eventsAfter(final, EVENTS_START, audience) ?? [];
        assert.deepEqual([...stepwise, ...rest], all);
        const shared = all.filter(({ event }) => event.onlyTo === undefined).map(({ id }) => Number(id.split(".")[0]));
        assert.deepEqual(
          shared,
          shared.map((_, i) => i + 2),
        );
      }
    });
  });
});

describe("the phases of a random auction", () => {
  const next = (phase: AuctionPhase): readonly AuctionPhase[] => PHASES[phase].moves.map(({ to }) => to);
  /** Every phase that can follow, by any number of moves: an interruption can pass several stages at once. */
  const reachable = (phase: AuctionPhase, seen = new Set<AuctionPhase>()): ReadonlySet<AuctionPhase> => {
    for (const to of next(phase)) if (!seen.has(to)) reachable(to, seen.add(to));
    return seen;
  };

  it("follow the moves of the table", () => {
    checkWalks(({ entries, final, end }) => {
      const check = (from: AuctionState, to: AuctionState, isInterruption = false) => {
        const [before, after] = [phaseOf(from), phaseOf(to)];
        const allowed = isInterruption ? [...reachable(before)] : next(before);
        assert.ok(before === after || allowed.includes(after), `${before} to ${after}`);
      };
      /** Ends one stage after another. */
      const passTime = (state: AuctionState, until: number): AuctionState => {
        const due = nextStageChange(state);
        if (due === undefined || due > until) return state;
        const later = carryOutStageEnd(state, due);
        check(state, later);
        return passTime(later, until);
      };
      for (const { before, sent, after } of entries) {
        const isInterruption = sent?.command.kind === "report interruption";
        const current = isInterruption ? before : passTime(before, sent?.at ?? after.at);
        // A plan for a time that has passed begins the first pause at once.
        const isImmediate = sent?.command.kind === "plan" && after.status === "running";
        if (!isImmediate) check(current, after, isInterruption);
      }
      passTime(entries.at(-1)?.after ?? final, end);
    });
  });
});
