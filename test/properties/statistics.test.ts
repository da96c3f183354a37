import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { areBidsSealed } from "../../src/domain/bids/sealing.ts";
import type { Tender } from "../../src/domain/model/tender.ts";
import {
  contributionDifference,
  recount,
  sortContributions,
  sumContributions,
} from "../../src/indexing/contributionSums.ts";
import {
  areBidsCounted,
  type Contribution,
  contributionsOf,
  haveSameContributions,
} from "../../src/indexing/statistics.ts";
import { shareRuns, walk, walksOf } from "../support/randomWalks.ts";
import { runs } from "../support/tier.ts";

// What random walks through every procedure contribute to the statistics.

/** Calls `check` for every step of random walks of every procedure. */
function eachStep(openCheck: () => (before: Tender, after: Tender) => void): void {
  for (const { procedure, numRuns } of shareRuns(runs(300)))
    fc.assert(
      fc.property(walksOf(procedure), (steps) => walk(steps, openCheck())),
      { numRuns },
    );
}

describe("the statistics of a random walk", () => {
  it("are what a recount gives, after every step, if each adds its difference", () => {
    eachStep(() => {
      let sums: readonly Contribution[] | undefined;
      return (before, after) => {
        sums ??= recount([before]);
        const difference = haveSameTotals(before, after)
          ? []
          : contributionDifference(contributionsOf(before), contributionsOf(after));
        sums = sumContributions([...sums, ...difference]);
        assert.deepEqual(sortContributions(sums), recount([after]));
      };
    });
  });

  it("do not depend on bids while those are sealed", () => {
    eachStep(() => (_before, after) => {
      if (areBidsSealed(after)) assert.deepEqual(recount([after]), recount([{ ...after, bids: [] }]));
    });
  });

  it("count as many bids in the same status, so that the difference of one bid is enough", () => {
    const countActive = ({ bids }: Tender) => bids.filter(({ status }) => status === "active").length;
    eachStep(() => (before, after) => {
      if (before.status === after.status && areBidsCounted(after))
        assert.equal(countActive(after), countActive(before), after.status);
    });
  });

  it("are never zero or negative, and have no more single bids than opened ones", () => {
    eachStep(() => (_before, after) => {
      for (const { counts, amounts } of recount([after])) {
        for (const count of Object.values(counts)) assert.ok(Number.isSafeInteger(count) && count > 0);
        for (const amount of Object.values(amounts)) assert.doesNotMatch(amount, /^-|^0$/);
        assert.ok((counts.singleBidTenders ?? 0) <= (counts.openedTenders ?? 0));
      }
    });
  });
});

const haveSameTotals = (before: Tender, after: Tender): boolean =>
  haveSameContributions(before, after) && before.bids === after.bids;
