import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { areBidsSealed, isBeforeDeadline } from "../../src/domain/bids/sealing.ts";
import { LANGUAGES } from "../../src/portal/layout/languages.ts";
import { shareRuns, walk, widerWalksOf } from "../support/randomWalks.ts";
import { assertSound, renderTender } from "../support/tenderPages.ts";
import { runs } from "../support/tier.ts";

// The page of a tender after each step of random walks through every procedure.

describe("the page of a tender after any course of events", () => {
  for (const { procedure, numRuns } of shareRuns(runs(60)))
    it(`is sound in both languages, and sealed bids change nothing: ${procedure}`, () => {
      fc.assert(
        fc.property(widerWalksOf(procedure), (course) => {
          walk(course, (_before, tender, now) => {
            if (tender.status === "draft") return;
            for (const language of LANGUAGES) {
              const page = renderTender({ tender, now }, language);
              assertSound(page);
              // After the deadline everybody may know which lots have enough bids for an auction: see `auctionPlan`.
              if (areBidsSealed(tender) && isBeforeDeadline(tender, now))
                assert.equal(renderTender({ tender: { ...tender, bids: [] }, now }, language), page);
            }
          });
        }),
        { numRuns },
      );
    });
});
