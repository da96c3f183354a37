import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { decide } from "../../src/domain/decide.ts";
import type { TenderCommand } from "../../src/domain/model/commands.ts";
import type { Refusal, TimeWindow } from "../../src/domain/model/refusals.ts";
import type { Tender } from "../../src/domain/model/tender.ts";
import { allSteps, type ChosenCommand, walk, zone } from "../support/randomWalks.ts";
import { runs } from "../support/tier.ts";

/** Whoever is refused because of the time goes back to when it was otherwise, and tries again. */

type Moment = { readonly tender: Tender; readonly at: number };
type Look = (
  refusal: Refusal,
  past: readonly Moment[],
  again: (moment: Moment) => Refusal | undefined,
  at: number,
) => void;

const lives = (look: Look) =>
  fc.assert(
    fc.property(fc.constantFrom(0, 1, 2), allSteps, (lots, life) => {
      const past: Moment[] = [];
      walk(
        lots,
        life,
        (_before, tender, at) => past.push({ tender, at }),
        (refusal, act, at) => look(refusal, past, (moment) => triedAt(moment, act), at),
      );
    }),
    { numRuns: runs(200) },
  );

/** Nobody is asked for the documents of what is not there. */
function hasHolder({ awards, contracts, cancellations, complaints }: Tender, command: TenderCommand): boolean {
  if (!("of" in command)) return true;
  const { award, contract, cancellation, complaint } = command.of;
  const pairs = [
    [award, awards],
    [contract, contracts],
    [cancellation, cancellations],
    [complaint, complaints],
  ] as const;
  return pairs.every(([id, list]) => id === undefined || list.some((one) => one.id === id));
}

function triedAt({ tender, at }: Moment, { actor, command }: ChosenCommand): Refusal | undefined {
  if (!hasHolder(tender, command)) return { kind: "not found", objectName: "document" };
  const context = { actor, at, zone, sandbox: true, newId: () => "again", newTokenHash: "again" };
  const decided = decide(tender, command, context);
  return decided.ok ? undefined : decided.refused;
}

const windowIn = (refusal: Refusal): TimeWindow | undefined => ("window" in refusal ? refusal.window : undefined);
const isWithin = (at: number, { from, until }: TimeWindow): boolean => (from ?? at) <= at && at < (until ?? at + 1);

/** The reasons that time brings about: the tender, or the lot, has come to another stage. */
const isOfStage = (refusal: Refusal): boolean =>
  (refusal.kind === "wrong status" && (refusal.of === "tender" || refusal.action === "update tender")) ||
  (refusal.kind === "rule" && ["lot-not-active", "outside-enquiry-period"].includes(refusal.rule));

const reasonOf = (refusal: Refusal): string =>
  [refusal.kind, "rule" in refusal && refusal.rule, "of" in refusal && `${refusal.action} ${refusal.of}`].join();

describe("what is refused because of the time", () => {
  it("was not refused for that reason at any moment at which it is said to have been allowed", () => {
    let tried = 0;
    lives((refusal, past, again, now) => {
      const window = windowIn(refusal);
      if (!window) return;
      assert.ok(!isWithin(now, window), `${JSON.stringify(refusal)} at ${now}`);
      for (const moment of past.filter(({ at }) => isWithin(at, window))) {
        tried += 1;
        const then = again(moment);
        assert.ok(!then || reasonOf(then) !== reasonOf(refusal), `${JSON.stringify(refusal)} at ${moment.at}`);
      }
    });
    assert.ok(tried > runs(1000), `it was tried ${tried} times only`);
  });

  it("says when it was allowed, if it ever was", () => {
    let said = 0;
    lives((refusal, past, again) => {
      if (!isOfStage(refusal)) return;
      if (windowIn(refusal)) said += 1;
      else
        assert.ok(
          past.every((moment) => again(moment)),
          JSON.stringify(refusal),
        );
    });
    assert.ok(said > runs(1000), `${said} refusals said when`);
  });
});
