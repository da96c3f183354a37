import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { advance, nextDeadline } from "../../src/domain/deadlines.ts";
import type { Tender } from "../../src/domain/model/tender.ts";
import { procedureOf } from "../../src/domain/procedures/index.ts";
import { isFinal, statusTransitions } from "../../src/domain/procedures/procedure.ts";
import { areBidsSealed } from "../../src/domain/sealing.ts";
import { compareDecimals } from "../../src/domain/values/decimal.ts";
import { publicTender } from "../../src/views/publicTender.ts";
import { auctionView, tenderView } from "../../src/views/visibility.ts";
import { checkResponse } from "../support/apiDescription.ts";
import { dialects, type StepObserver, steps, walk, zone } from "../support/randomWalks.ts";
import { runs } from "../support/tier.ts";

/** With fewer, a rare status may not occur. */
const RUNS_TO_REACH_ALL = 150;
const reached = new Map<string, number>();
const lives = (look: StepObserver, numRuns = runs(150)) =>
  fc.assert(
    fc.property(fc.constantFrom(0, 0, 1, 2), steps, (lots, life) => walk(lots, life, look)),
    { numRuns },
  );

const timeOf = (at: number) => ({ at, zone, sandbox: true, newId: () => "made by time" });
const looking = (now: number) => ({ now, zone, sandbox: true });

describe("however a procedure goes, enquiries to contract", () => {
  it("its status moves only along its table, and never from an end; and all of it is walked", () => {
    lives((before, after) => {
      reached.set(after.status, (reached.get(after.status) ?? 0) + 1);
      const moves = statusTransitions(procedureOf(after));
      const possible = new Set([before.status]);
      for (let size = 0; size < possible.size; ) {
        size = possible.size;
        for (const { from, to } of moves) if (possible.has(from)) possible.add(to);
      }
      assert.ok(possible.has(after.status), `${before.status} became ${after.status}`);
      if (isFinal(before)) assert.equal(after.status, before.status);
    }, RUNS_TO_REACH_ALL);
    for (const status of Object.keys(procedureOf({ procedure: "belowThreshold" } as Tender).stages))
      if (status !== "draft") assert.ok(reached.get(status), `${status} was never reached`);
  });

  it("what time does next happens at its moment, not a microsecond earlier, and only once", () => {
    lives((_before, after, at) => {
      const current = advance(after, timeOf(at));
      assert.equal(current, after, "nothing that is stored is overdue");
      const due = nextDeadline(current);
      if (due === undefined) return;
      assert.equal(advance(current, timeOf(due - 1)), current);
      assert.notDeepEqual(advance(current, timeOf(due)), current);
    });
  });

  it("no bid shows before bidding is over and opened, nor moves what is public", () => {
    lives((before, after, at) => {
      if (!areBidsSealed(after)) return;
      const shown = JSON.stringify([tenderView(after, looking(at)), auctionView(after, {}, looking(at))]);
      for (const { id } of after.bids) assert.ok(!shown.includes(`"${id}"`), shown);
      const [was, is] = [tenderView(before, looking(at)), tenderView(after, looking(at))];
      if (JSON.stringify(was) === JSON.stringify(is)) assert.equal(before.dateModified, after.dateModified);
    });
  });

  it("what everybody sees, and when time goes on, changes only with dateModified", () => {
    lives((before, after, at) => {
      if (before.dateModified !== after.dateModified) return;
      const [was, is] = [before, after].map((tender) => JSON.stringify(tenderView(tender, looking(at))));
      assert.equal(is, was);
      assert.equal(nextDeadline(after), nextDeadline(before));
    });
  });

  it("money is exact: no contract costs more than its award, no award other than its bid", () => {
    lives((_before, { awards, contracts, bids }) => {
      for (const { awardID, value } of contracts) {
        const award = awards.find(({ id }) => id === awardID)!;
        assert.ok(compareDecimals(value!.amount!, award.value!.amount!) <= 0);
      }
      for (const { bid_id, lotID, value } of awards) {
        const from = bids.find(({ id }) => id === bid_id)!;
        const offered = lotID ? from.lotValues!.find(({ relatedLot }) => relatedLot === lotID)!.value : from.value;
        assert.deepEqual(value, offered);
      }
    });
  });

  it("there is at most one open award for each lot, and no contract is signed before its stand-still is over", () => {
    lives((_before, { awards, contracts, lots }, at) => {
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

  it("it can be shown in every version, as that version is described", () => {
    lives((_before, after, at) => {
      for (const [version, dialect] of dialects) {
        const root = `http://tenderhall.example/api/${version}`;
        const body = { data: JSON.parse(dialect.write("Tender", publicTender(after, looking(at)), root)) };
        checkResponse(version, "GET", new URL(`${root}/tenders/${after.id}`), { status: 200, body });
      }
    }, runs(20));
  });
});
