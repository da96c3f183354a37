import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isContested } from "../../src/domain/awards/finalising.ts";
import { areBidsSealed } from "../../src/domain/bids/sealing.ts";
import { advance, nextDeadline } from "../../src/domain/deadlines.ts";
import { AWARD_STATUSES, TENDER_STATUSES, type Tender } from "../../src/domain/model/tender.ts";
import { hasCollection, OPTIONAL_COLLECTIONS } from "../../src/domain/procedures/collections.ts";
import { PROCEDURES, procedureOf } from "../../src/domain/procedures/index.ts";
import { PROCEDURE_NAMES, type ProcedureName } from "../../src/domain/procedures/names.ts";
import { absentFieldsIn } from "../../src/domain/procedures/optionalFields.ts";
import {
  acceptingStages,
  type ComplaintRules,
  isFinal,
  isScheduled,
  type TenderAction,
} from "../../src/domain/procedures/procedure.ts";
import { canFollow } from "../../src/domain/procedures/statusGraph.ts";
import { compareDecimals } from "../../src/domain/values/decimal.ts";
import { publicTender } from "../../src/views/publicTender.ts";
import { auctionView, tenderView } from "../../src/views/visibility.ts";
import { checkResponse } from "../support/apiDescription.ts";
import { dialects, type StepObserver, shareRuns, walk, walksOf, zone } from "../support/randomWalks.ts";
import { runs } from "../support/tier.ts";

/** Checks an observer on random walks through every procedure. */
function checkWalks(observe: StepObserver, numRuns = runs(200)): void {
  for (const share of shareRuns(numRuns))
    fc.assert(
      fc.property(walksOf(share.procedure), (randomWalk) => walk(randomWalk, observe)),
      { numRuns: share.numRuns },
    );
}

const timeOf = (at: number) => ({ at, zone, sandbox: true, newId: () => "made by time" });
const viewContext = (now: number) => ({ now, zone, sandbox: true });

describe("on every path through a procedure", () => {
  it("the status changes only as its table says and never after the end", () => {
    checkWalks((before, after) => {
      const isPossible = after.status === before.status || canFollow(procedureOf(after), after.status, before.status);
      assert.ok(isPossible, `${after.procedure}: ${before.status} became ${after.status}`);
      if (isFinal(before)) assert.equal(after.status, before.status);
    });
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

  it("no contract exceeds its award, and every award of the service has exactly the value of its bid", () => {
    checkWalks((_before, tender) => {
      const { awards, contracts, bids } = tender;
      for (const { awardID, value } of contracts) {
        const award = awards.find(({ id }) => id === awardID)!;
        if (value?.amount) assert.ok(compareDecimals(value.amount, award.value!.amount!) <= 0);
      }
      if (procedureOf(tender).awards.madeBy === "owner") return;
      for (const { bid_id, lotID, value } of awards) {
        const bid = bids.find(({ id }) => id === bid_id)!;
        const offered = lotID ? bid.lotValues!.find(({ relatedLot }) => relatedLot === lotID)!.value : bid.value;
        assert.deepEqual(value, offered);
      }
    });
  });

  it("where awards lead to contracts, each lot has at most one open award, and each accepted award one open contract", () => {
    checkWalks((_before, tender) => {
      const { awards, contracts } = tender;
      if (acceptingStages(procedureOf(tender), "edit contract").length === 0) return;
      for (const lotID of lotsOrTender(tender)) {
        const open = awards.filter((award) => award.lotID === lotID && ["pending", "active"].includes(award.status));
        assert.ok(open.length <= 1, JSON.stringify(open));
      }
      for (const { id, status } of awards) {
        const open = contracts.filter((contract) => contract.awardID === id && contract.status !== "cancelled");
        assert.equal(open.length, status === "active" ? 1 : 0, `${tender.procedure}: ${status}`);
      }
    });
  });

  it("no contract is signed before its stand-still ends, or while a complaint is open", () => {
    checkWalks((before, after, at) => {
      const { awards, procedure } = after;
      const { standStill } = procedureOf(after).awards;
      for (const { id, awardID, dateSigned } of after.contracts.filter(({ status }) => status === "active")) {
        const { complaintPeriod, lotID } = awards.find((award) => award.id === awardID)!;
        assert.equal(complaintPeriod !== undefined, standStill !== undefined, procedure);
        assert.ok(dateSigned! >= (complaintPeriod?.endDate ?? 0) && dateSigned! <= at, procedure);
        if (before.contracts.find((contract) => contract.id === id)?.status === "active") continue;
        // Time may have settled a complaint since.
        const current = advance(before, timeOf(at));
        assert.ok(!isContested(current, lotID, procedureOf(after).complaints.blocking), procedure);
      }
    });
  });

  it("a tender has nothing that its procedure does not have", () => {
    checkWalks((_before, tender, at) => {
      const procedure = procedureOf(tender);
      const { lots, questions, bids, complaints, awards } = tender;
      const awardComplaints = awards.flatMap((award) => award.complaints);
      const collections = { lots, questions, bids, complaints, auction: [], "award complaints": awardComplaints };
      for (const name of OPTIONAL_COLLECTIONS)
        assert.ok(hasCollection(procedure, name) || collections[name].length === 0, `${tender.procedure}: ${name}`);
      const body = JSON.parse(dialects.get("2.5")!.write("Tender", publicTender(tender, viewContext(at)), ""));
      for (const name of absentFieldsIn(procedure).Tender ?? [])
        assert.ok(!Object.hasOwn(body, name), `${tender.procedure}: ${name}`);
      if (!isScheduled(procedure)) assert.equal(nextDeadline(tender), undefined);
    });
  });

  it("fields and lots are fixed as soon as there is an award, if the procedure says so", () => {
    checkWalks((before, after) => {
      if (!procedureOf(before).frozenByAwards || before.awards.length === 0) return;
      const contentOf = ({ title, description, value, items, lots }: Tender) => ({
        ...{ title, description, value, items },
        lots: lots.map(({ id, title, value }) => ({ id, title, value })),
      });
      assert.deepEqual(contentOf(after), contentOf(before));
    });
  });

  it("an accepted supplier is qualified, if the procedure demands it", () => {
    checkWalks((_before, tender) => {
      if (!procedureOf(tender).awards.mustBeQualified) return;
      for (const { status, qualified } of tender.awards) if (status === "active") assert.equal(qualified, true);
    });
  });

  it("a lot with a cancellation, even a pending one, gets no award or contract, if the procedure says so", () => {
    checkWalks((before, after) => {
      if (!procedureOf(before).lots?.blockedByCancellation) return;
      const blocked = new Set(before.cancellations.flatMap(({ relatedLot }) => relatedLot ?? []));
      const decisionsOf = ({ awards, contracts }: Tender) => {
        const ofBlocked = awards.filter(({ lotID }) => blocked.has(lotID ?? ""));
        const isSigned = ({ id }: { readonly id: string }) =>
          contracts.some(({ awardID, status }) => awardID === id && status === "active");
        return ofBlocked.map((award) => ({ id: award.id, status: award.status, isSigned: isSigned(award) }));
      };
      assert.deepEqual(decisionsOf(after), decisionsOf(before));
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

/** The lots, or the tender as a whole if it has none. */
const lotsOrTender = ({ lots }: Tender): readonly (string | undefined)[] =>
  lots.length > 0 ? lots.map(({ id }) => id) : [undefined];

/** What the tender and its parts have become, for the check that walks get everywhere. */
function factsOf({ status, awards, contracts, complaints }: Tender): readonly string[] {
  return [
    status,
    ...awards.map((award) => `award ${award.status}`),
    ...contracts.map((contract) => `contract ${contract.status}`),
    ...complaints.map((complaint) => `complaint ${complaint.status}`),
    ...awards.flatMap((award) => award.complaints.map((complaint) => `award complaint ${complaint.status}`)),
  ];
}

/** The statuses to which the moves of these rules lead. */
const complaintStatusesOf = (rules: ComplaintRules | undefined): readonly string[] =>
  rules ? rules.statuses.filter((to) => Object.keys(rules.moves).some((move) => move.endsWith(` ${to}`))) : [];

/** Everything that the file of a procedure says can come about. */
function possibleFacts(name: ProcedureName): readonly string[] {
  const procedure = PROCEDURES[name];
  const isAccepted = (action: TenderAction) => acceptingStages(procedure, action).length > 0;
  const { tender, award } = procedure.complaints;
  return [
    ...TENDER_STATUSES.filter((status) => status === "draft" || canFollow(procedure, status, "draft")),
    ...(isAccepted("change award") ? AWARD_STATUSES.map((status) => `award ${status}`) : []),
    ...(isAccepted("edit contract") ? ["pending", "active", "cancelled"].map((status) => `contract ${status}`) : []),
    ...(isAccepted("file complaint") ? complaintStatusesOf(tender).map((status) => `complaint ${status}`) : []),
    ...(isAccepted("file award complaint")
      ? complaintStatusesOf(award).map((status) => `award complaint ${status}`)
      : []),
  ];
}

describe("random walks", () => {
  for (const procedure of PROCEDURE_NAMES)
    it(`through ${procedure} get wherever its file says, so that the properties are about more than refusals`, () => {
      let missing = possibleFacts(procedure);
      const observe: StepObserver = (_before, after) => {
        const facts = factsOf(after);
        missing = missing.filter((fact) => !facts.includes(fact));
      };
      // Always the same walks: whether they get far enough must not depend on chance.
      for (let seed = 1; seed <= 30 && missing.length > 0; seed++)
        for (const randomWalk of fc.sample(walksOf(procedure), { seed, numRuns: 100 })) walk(randomWalk, observe);
      assert.deepEqual(missing, []);
    });
});
