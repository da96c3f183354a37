import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { areBidsSealed } from "../../src/domain/bids/sealing.ts";
import { advance, nextDeadline } from "../../src/domain/deadlines.ts";
import type { Tender } from "../../src/domain/model/tender.ts";
import { procedureOf } from "../../src/domain/procedures/index.ts";
import { isFinal } from "../../src/domain/procedures/procedure.ts";
import { statusTransitions } from "../../src/domain/procedures/statusGraph.ts";
import { compareDecimals } from "../../src/domain/values/decimal.ts";
import { publicTender } from "../../src/views/publicTender.ts";
import { auctionView, tenderView } from "../../src/views/visibility.ts";
import { checkResponse } from "../support/apiDescription.ts";
import { dialects, type StepObserver, steps, walk, zone } from "../support/randomWalks.ts";
import { runs } from "../support/tier.ts";

/** With fewer, a rare status may not occur. */
const RUNS_TO_REACH_ALL = 150;
const reached = new Map<string, number>();
/** Checks an observer on random walks through the procedure. */
const checkWalks = (observe: StepObserver, numRuns = runs(150)) =>
  fc.assert(
    fc.property(fc.constantFrom(0, 0, 1, 2), steps, (lots, walkSteps) => walk(lots, walkSteps, observe)),
    { numRuns },
  );

const timeOf = (at: number) => ({ at, zone, sandbox: true, newId: () => "made by time" });
const viewContext = (now: number) => ({ now, zone, sandbox: true });

describe("on every path through a procedure", () => {
  it("the status changes only as its table says and never after the end, and every status is reached", () => {
    checkWalks((before, after) => {
      reached.set(after.status, (reached.get(after.status) ?? 0) + 1);
      const transitions = statusTransitions(procedureOf(after));
      const possible = new Set([before.status]);
      for (let size = 0; size < possible.size; ) {
        size = possible.size;
        for (const { from, to } of transitions) if (possible.has(from)) possible.add(to);
      }
      assert.ok(possible.has(after.status), `${before.status} became ${after.status}`);
      if (isFinal(before)) assert.equal(after.status, before.status);
    }, RUNS_TO_REACH_ALL);
    for (const status of Object.keys(procedureOf({ procedure: "belowThreshold" } as Tender).stages))
      if (status !== "draft") assert.ok(reached.get(status), `${status} was never reached`);
  });

  it("the next deadline takes effect at its time, not a microsecond earlier, and only once", () => {
    checkWalks((_before, after, at) => {
      const current = advance(after, timeOf(at));
      assert.equal(current, after, "a stored tender has an overdue deadline");
      const due = nextDeadline(current);
      if (due === undefined) return;
      assert.equal(advance(current, timeOf(due - 1)), current);
      assert.notDeepEqual(advance(current, timeOf(due)), current);
    });
  });

  it("no bid is visible before the bids are opened, and placing one changes nothing public", () => {
    checkWalks((before, after, at) => {
      if (!areBidsSealed(after)) return;
      const visibleText = JSON.stringify([tenderView(after, viewContext(at)), auctionView(after, {}, viewContext(at))]);
      for (const { id } of after.bids) assert.ok(!visibleText.includes(`"${id}"`), visibleText);
      const [previousView, currentView] = [tenderView(before, viewContext(at)), tenderView(after, viewContext(at))];
      if (JSON.stringify(previousView) === JSON.stringify(currentView))
        assert.equal(before.dateModified, after.dateModified);
    });
  });

  it("the public view and the next deadline change only with dateModified", () => {
    checkWalks((before, after, at) => {
      if (before.dateModified !== after.dateModified) return;
      const [previousView, currentView] = [before, after].map((tender) =>
        JSON.stringify(tenderView(tender, viewContext(at))),
      );
      assert.equal(currentView, previousView);
      assert.equal(nextDeadline(after), nextDeadline(before));
    });
  });

  it("no contract exceeds its award, and every award has exactly the value of its bid", () => {
    checkWalks((_before, { awards, contracts, bids }) => {
      for (const { awardID, value } of contracts) {
        const award = awards.find(({ id }) => id === awardID)!;
        assert.ok(compareDecimals(value!.amount!, award.value!.amount!) <= 0);
      }
      for (const { bid_id, lotID, value } of awards) {
        const bid = bids.find(({ id }) => id === bid_id)!;
        const offered = lotID ? bid.lotValues!.find(({ relatedLot }) => relatedLot === lotID)!.value : bid.value;
        assert.deepEqual(value, offered);
      }
    });
  });

  it("each lot has at most one open award, and no contract is signed before its stand-still ends", () => {
    checkWalks((_before, { awards, contracts, lots }, at) => {
      for (const lotID of lots.length > 0 ? lots.map(({ id }) => id) : [undefined]) {
        const open = awards.filter((award) => award.lotID === lotID && ["pending", "active"].includes(award.status));
        assert.ok(open.length <= 1, JSON.stringify(open));
      }
      for (const { status, awardID, dateSigned } of contracts.filter((contract) => contract.status === "active")) {
        const { complaintPeriod } = awards.find(({ id }) => id === awardID)!;
        assert.ok(dateSigned! >= complaintPeriod!.endDate! && dateSigned! <= at, status);
      }
    });
  });

  it("the tender matches the API description in every version", () => {
    checkWalks((_before, after, at) => {
      for (const [version, dialect] of dialects) {
        const root = `http://tenderhall.example/api/${version}`;
        const body = { data: JSON.parse(dialect.write("Tender", publicTender(after, viewContext(at)), root)) };
        checkResponse(version, "GET", new URL(`${root}/tenders/${after.id}`), { status: 200, body });
      }
    }, runs(20));
  });
});
