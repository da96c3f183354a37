import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { complaintsOf } from "../../src/domain/awards/complaints.ts";
import { decide } from "../../src/domain/decide.ts";
import type { TenderCommand } from "../../src/domain/model/commands.ts";
import type { Refusal, TimeWindow } from "../../src/domain/model/refusals.ts";
import type { Tender } from "../../src/domain/model/tender.ts";
import { shareRuns, walk, widerWalksOf, zone } from "../support/randomWalks.ts";
import { runs } from "../support/tier.ts";
import type { ChosenCommand } from "../support/walkMoves.ts";

// Tries commands that were refused because of the time again at earlier points of the same walk.

type Moment = { readonly tender: Tender; readonly at: number };
type RefusalObserver = (
  refusal: Refusal,
  past: readonly Moment[],
  retryAt: (moment: Moment) => Refusal | undefined,
  at: number,
) => void;

/**
 * Checks an observer of refusals on random walks through every procedure. At its end, each command of the walk is sent once more,
 * since most of those that succeeded are then too late.
 */
function checkRefusals(observe: RefusalObserver): void {
  for (const { procedure, numRuns } of shareRuns(runs(200)))
    fc.assert(
      fc.property(widerWalksOf(procedure), (randomWalk) => {
        const past: Moment[] = [];
        const sent: ChosenCommand[] = [];
        const observeCommand = (refusal: Refusal, act: ChosenCommand, at: number) =>
          observe(refusal, past, (moment) => refusalAt(moment, act), at);
        walk(
          randomWalk,
          (_before, tender, at, act) => {
            past.push({ tender, at });
            if (act) sent.push(act);
          },
          observeCommand,
        );
        const last = past.at(-1);
        if (!last) return;
        const end = { ...last, at: last.at + 1 };
        for (const act of sent) {
          const refusal = refusalAt(end, act);
          if (refusal) observeCommand(refusal, act, end.at);
        }
      }),
      { numRuns },
    );
}

/** Whether the tender has the object to which a document is added. */
function hasDocumentParent(tender: Tender, command: TenderCommand): boolean {
  if (!("of" in command)) return true;
  const { award, contract, cancellation, complaint, bid } = command.of;
  const pairs = [
    [award, tender.awards],
    [contract, tender.contracts],
    [cancellation, tender.cancellations],
    [complaint, complaintsOf(tender, { award })],
    [bid, tender.bids],
  ] as const;
  return pairs.every(([id, list]) => id === undefined || list.some((object) => object.id === id));
}

function refusalAt({ tender, at }: Moment, { actor, command }: ChosenCommand): Refusal | undefined {
  if (!hasDocumentParent(tender, command)) return { kind: "not found", objectName: "document" };
  const context = { actor, at, zone, sandbox: true, newId: () => "again", newTokenHash: "again" };
  const decided = decide(tender, command, context);
  return decided.ok ? undefined : decided.refused;
}

const windowIn = (refusal: Refusal): TimeWindow | undefined => ("window" in refusal ? refusal.window : undefined);
const isWithin = (at: number, { from, until }: TimeWindow): boolean => (from ?? at) <= at && at < (until ?? at + 1);

/** Whether a command was refused because the tender or lot is in another stage. */
const isStageRefusal = (refusal: Refusal): boolean =>
  (refusal.kind === "wrong status" && (refusal.of === "tender" || refusal.action === "update tender")) ||
  (refusal.kind === "rule" && ["lot-not-active", "outside-enquiry-period"].includes(refusal.rule));

const reasonOf = (refusal: Refusal): string =>
  [refusal.kind, "rule" in refusal && refusal.rule, "of" in refusal && `${refusal.action} ${refusal.of}`].join();

describe("a command that is refused because of the time", () => {
  it("is not refused for that reason at any time at which it is said to be allowed", () => {
    let tried = 0;
    checkRefusals((refusal, past, retryAt, now) => {
      const window = windowIn(refusal);
      if (!window) return;
      assert.ok(!isWithin(now, window), `${JSON.stringify(refusal)} at ${now}`);
      // A draft waits for its owner, but its periods start with its creation.
      for (const moment of past.filter(({ tender, at }) => tender.status !== "draft" && isWithin(at, window))) {
        tried += 1;
        const earlier = retryAt(moment);
        assert.ok(!earlier || reasonOf(earlier) !== reasonOf(refusal), `${JSON.stringify(refusal)} at ${moment.at}`);
      }
    });
    assert.ok(tried > runs(1000), `only ${tried} attempts`);
  });

  it("says when it was allowed, if it ever was", () => {
    let windows = 0;
    checkRefusals((refusal, past, retryAt) => {
      if (!isStageRefusal(refusal)) return;
      if (windowIn(refusal)) windows += 1;
      else
        assert.ok(
          past.every((moment) => retryAt(moment)),
          JSON.stringify(refusal),
        );
    });
    assert.ok(windows > runs(1000), `only ${windows} refusals had a time window`);
  });
});
