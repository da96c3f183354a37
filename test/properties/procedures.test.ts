import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { areBidsSealed } from "../../src/domain/bids/sealing.ts";
import { advance, nextDeadline } from "../../src/domain/deadlines.ts";
import type { Tender } from "../../src/domain/model/tender.ts";
import { PROCEDURES, procedureOf } from "../../src/domain/procedures/index.ts";
import { isFinal, type Procedure } from "../../src/domain/procedures/procedure.ts";
import { statusTransitions } from "../../src/domain/procedures/statusGraph.ts";
import { decimal } from "../../src/domain/values/decimal.ts";
import { publicTender } from "../../src/views/publicTender.ts";
import { auctionView, tenderView, visibleBids } from "../../src/views/visibility.ts";
import { checkResponse } from "../support/apiDescription.ts";
import { START } from "../support/domainCommands.ts";
import { DAY } from "../support/examples.ts";
import {
  brokerAccount,
  HOSTILE_WALK_OWNER,
  type HostileStepObserver,
  hostileWalksOf,
  walkHostile,
} from "../support/hostileWalks.ts";
import { dialects, shareRuns, zone } from "../support/randomWalks.ts";
import { runs } from "../support/tier.ts";

// Random sequences of commands by anybody, on tenders of every procedure, while time jumps.

const timeOf = (at: number) => ({ at, zone, sandbox: false, newId: () => "made by time" });
const viewContext = { now: START, zone, sandbox: false };

/** Checks an observer on random walks through every procedure. */
function checkWalks(
  observe: HostileStepObserver,
  numRuns = runs(150),
  onRefusal?: Parameters<typeof walkHostile>[2],
): void {
  for (const share of shareRuns(numRuns))
    fc.assert(
      fc.property(hostileWalksOf(share.procedure), (randomWalk) => walkHostile(randomWalk, observe, onRefusal)),
      { numRuns: share.numRuns },
    );
}

describe("after any sequence of commands", () => {
  it("the status changes only as the table of the procedure says, except by the Administrator", () => {
    checkWalks((before, after, _at, actor) => {
      if (actor.account?.group === "Administrator") return;
      const transitions = statusTransitions(procedureOf(after));
      const reached = new Set([before.status]);
      for (let size = 0; size < reached.size; ) {
        size = reached.size;
        for (const { from, to } of transitions) if (reached.has(from)) reached.add(to);
      }
      assert.ok(reached.has(after.status), `${before.status} became ${after.status}`);
      if (isFinal(before)) assert.equal(after.status, before.status);
    });
  });

  it("advancing twice is the same as advancing once", () => {
    checkWalks((_before, after, at) => {
      const once = advance(after, timeOf(at));
      assert.equal(advance(once, timeOf(at)), once);
      const due = nextDeadline(once);
      assert.ok(due === undefined || due > at);
    });
  });

  it("the next deadline is the time at which the tender changes, not a microsecond earlier", () => {
    checkWalks((_before, after, at) => {
      const current = advance(after, timeOf(at));
      const due = nextDeadline(current);
      if (due === undefined) return assert.equal(advance(current, timeOf(at + 10_000 * DAY)), current);
      assert.equal(advance(current, timeOf(due - 1)), current);
      assert.notEqual(advance(current, timeOf(due)), current);
    });
  });

  it("nobody, not even the Administrator, opens sealed bids before the end of the tender period", () => {
    checkWalks((before, after, at) => {
      const opens = (from: Tender) => areBidsSealed(from) && !areBidsSealed(after) && after.bids.length > 0;
      if (opens(before)) assert.ok(after.tenderPeriod!.endDate! <= at);
      if (opens(advance(before, timeOf(at)))) assert.notEqual(after.status, "cancelled");
    }, runs(300));
  });

  it("sealed bids are not visible, and placing one changes nothing public", () => {
    checkWalks((before, after) => {
      if (!areBidsSealed(after)) return;
      const visibleText = JSON.stringify([
        tenderView(after, viewContext),
        auctionView(after, {}, viewContext),
        visibleBids(after, HOSTILE_WALK_OWNER),
      ]);
      for (const { id, tokenHash, owner } of after.bids) {
        assert.ok(!visibleText.includes(`"${id}"`) && !visibleText.includes(tokenHash), visibleText);
        assert.equal(visibleBids(after, { account: brokerAccount("stranger"), tokenHash }).length, 0);
        assert.ok(
          visibleBids(after, { account: brokerAccount(owner), tokenHash }).some((bid) => bid.id === id) ||
            owner === "root",
        );
      }
      if (JSON.stringify(tenderView(before, viewContext)) !== JSON.stringify(tenderView(after, viewContext)))
        assert.notEqual(before.dateModified, after.dateModified);
      else assert.equal(before.dateModified, after.dateModified);
    });
  });

  it("the tender matches the API description in every version", () => {
    checkWalks((_before, after) => {
      for (const [version, dialect] of dialects) {
        const root = `http://tenderhall.example/api/${version}`;
        const body = { data: JSON.parse(dialect.write("Tender", publicTender(after, viewContext), root)) };
        checkResponse(version, "GET", new URL(`${root}/tenders/${after.id}`), { status: 200, body });
      }
    }, runs(30));
  });

  it("no refusal says that the command is allowed at this very time", () => {
    let windows = 0;
    checkWalks(
      () => {},
      runs(300),
      (refusal, at) => {
        const window = "window" in refusal ? refusal.window : undefined;
        if (!window) return;
        windows += 1;
        const { from, until } = window;
        assert.ok(from !== undefined || until !== undefined);
        const isOpen = (from ?? at) <= at && at < (until ?? at + 1);
        assert.ok(!isOpen, `${JSON.stringify(refusal)} at ${at}`);
      },
    );
    assert.ok(windows > runs(100), `only ${windows} refusals had a time window`);
  });

  it("no `belowThreshold` bid exceeds the value of its tender", () => {
    checkWalks((_before, after) => {
      if (after.procedure !== "belowThreshold") return;
      for (const { value } of after.bids) assert.notEqual(value?.amount, decimal("500000.01"));
    });
  });
});

/** What the file of a procedure without competing bids says can come about, and these walks must reach. */
function directFacts(procedure: Procedure): readonly string[] {
  const { moves = {} } = procedure.complaints.award ?? {};
  const decisions = Object.keys(moves).flatMap((move) => {
    const [role, from, to] = move.split(" ");
    return role === "reviewer" && from === "pending" && to !== from ? [`complaint ${to}`] : [];
  });
  return ["award active", "award cancelled", "contract active", "complete", "cancelled", ...decisions];
}

describe("the rules of every procedure without competing bids", () => {
  for (const procedure of Object.values(PROCEDURES).filter(({ bids }) => !bids))
    it(`accept awards, contracts and decisions in these walks, so that the properties are about more than refusals: ${procedure.name}`, () => {
      let missing = directFacts(procedure);
      const observe: HostileStepObserver = (_before, { status, awards, contracts }) => {
        const facts = [
          status,
          ...awards.map((award) => `award ${award.status}`),
          ...awards.flatMap(({ complaints }) => complaints.map((complaint) => `complaint ${complaint.status}`)),
          ...contracts.map((contract) => `contract ${contract.status}`),
        ];
        missing = missing.filter((fact) => !facts.includes(fact));
      };
      // Always the same walks: whether they get far enough must not depend on chance.
      for (let seed = 1; seed <= 20 && missing.length > 0; seed++)
        for (const randomWalk of fc.sample(hostileWalksOf(procedure.name), { seed, numRuns: 100 }))
          walkHostile(randomWalk, observe);
      assert.deepEqual(missing, []);
    });
});

describe("the tables of the procedures", () => {
  it("lead from every status to a final one, and contain only known statuses", () => {
    for (const procedure of Object.values(PROCEDURES)) {
      const known = Object.keys(procedure.stages);
      for (const { from, to } of statusTransitions(procedure))
        assert.ok(known.includes(from) && known.includes(to), `${from} ${to}`);
      for (const status of known) {
        const leaves = statusTransitions(procedure).some(({ from }) => from === status);
        const final = ["complete", "cancelled", "unsuccessful"].includes(status);
        assert.equal(leaves, !final, status);
      }
    }
  });
});
