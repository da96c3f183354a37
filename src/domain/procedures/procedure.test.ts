import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { plain, published, SCENES, STATUSES } from "../../../test/support/scenes.ts";
import { TENDER_STATUSES } from "../model/tender.ts";
import { PROCEDURES, procedureOf } from "./index.ts";
import { accepts, isFinal, stageOf } from "./procedure.ts";
import { actionLeadingTo, statusTransitions } from "./statusGraph.ts";

const movesFrom = (name: keyof typeof PROCEDURES, status: string) =>
  statusTransitions(PROCEDURES[name])
    .filter(({ from }) => from === status)
    .map(({ to, why }) => `${to}: ${why}`);

describe("a procedure", () => {
  it("is found by its name, and a status that it does not have opens nothing and hides everything", () => {
    assert.equal(procedureOf(published().tender), PROCEDURES.belowThreshold);
    assert.equal(procedureOf(plain().tender), PROCEDURES.basic);
    const { accepts: open, sealed, anonymous } = stageOf(PROCEDURES.basic, { status: "active.auction" });
    assert.deepEqual([open, sealed, anonymous], [[], true, true]);
    assert.equal(accepts(PROCEDURES.belowThreshold, published().tender, "ask question"), true);
    assert.equal(accepts(PROCEDURES.belowThreshold, published().tender, "place bid"), false);
  });

  it("ends in three statuses, in which nothing is accepted", () => {
    const final = STATUSES.filter((status) => isFinal(SCENES[status]().tender));
    assert.deepEqual(final, ["complete", "cancelled", "unsuccessful"]);
    for (const { stages } of Object.values(PROCEDURES))
      for (const status of final) assert.deepEqual(stages[status]!.accepts, []);
  });

  it("has four statuses that its owner may set, as far as it accepts that", () => {
    const acts = TENDER_STATUSES.flatMap((status) => actionLeadingTo(PROCEDURES.basic, status) ?? []);
    assert.deepEqual(acts, ["publish draft", "complete", "cancel", "declare unsuccessful"]);
  });
});

describe("the moves of status", () => {
  it("of a plain tender are made by time and by its owner", () => {
    assert.deepEqual(movesFrom("basic", "active.enquiries"), [
      "active.tendering: the tender period begins",
      "cancelled: owner: cancel",
    ]);
    assert.deepEqual(movesFrom("basic", "active.qualification"), [
      "cancelled: owner: cancel",
      "complete: owner: complete",
      "unsuccessful: owner: declare unsuccessful",
    ]);
    assert.deepEqual(movesFrom("basic", "complete"), []);
  });

  it("below the thresholds are made by time, by decisions and by the owner, in this order", () => {
    assert.deepEqual(movesFrom("belowThreshold", "active.tendering"), [
      "unsuccessful: the tender period ends",
      "active.qualification: the tender period ends",
      "active.auction: the tender period ends",
      "unsuccessful: the last lot is cancelled",
      "complete: the last lot is cancelled",
      "cancelled: owner: cancel",
    ]);
    assert.deepEqual(movesFrom("belowThreshold", "draft"), [
      "active.enquiries: owner: publish draft",
      "cancelled: owner: cancel",
    ]);
  });
});
