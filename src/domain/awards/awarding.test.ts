import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, OTHERS, OWNER, windowIn } from "../../../test/support/decisions.ts";
import {
  changeAward,
  DEADLINE,
  editTender,
  money,
  NOBODY,
  recordAward,
  TENDERING,
} from "../../../test/support/domainCommands.ts";
import { cook } from "../../../test/support/organizations.ts";
import { plain } from "../../../test/support/scenes.ts";
import type { AwardInput, Patch, TenderCommand } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { AWARD_STATUSES } from "../model/tender.ts";
import { DAY, MINUTE } from "../values/time.ts";

/** Awards that the owner of a plain tender records; those that the service makes are in qualifying.test.ts. */

const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
const uah = { currency: "UAH", valueAddedTaxIncluded: true };
const scene = plain().at(DEADLINE).tick().later(MINUTE);

describe("the owner of a plain tender records an award", () => {
  it("with a status and any other fields, dated", () => {
    const fields = {
      status: "active",
      suppliers: [cook],
      value: money("5"),
      title: "Переможець",
      bid_id: NOBODY,
    } as const;
    const recorded = scene.send(OWNER, recordAward(fields));
    assert.deepEqual(recorded.tender.awards, [
      { ...fields, value: money("5", uah), id: recorded.id, date: scene.now, documents: [], complaints: [] },
    ]);
    assert.equal(recorded.send(OWNER, recordAward({ status: "pending" })).tender.awards.length, 2);
  });

  it("as admins may, and nobody else", () => {
    assert.equal(scene.outcome(ADMIN, recordAward({ status: "pending" })), "ok");
    for (const actor of OTHERS) assert.equal(scene.outcome(actor, recordAward({ status: "pending" })), "forbidden");
  });

  it("only with a status, a valid value and valid items", () => {
    const fields = { value: {}, items: [{ id: "" }] };
    const command: TenderCommand = { kind: "record award", sent: { fields, problems: [unread] } };
    assert.deepEqual(scene.outcome(OWNER, command).split("; "), [
      "colour: Rogue field",
      "status: This field is required.",
      "value.amount: This field is required.",
      "items.0.id: String value is too short.",
    ]);
  });

  it("with items that get ids", () => {
    const [award] = scene.send(OWNER, recordAward({ status: "active", items: [{ description: "-" }] })).tender.awards;
    assert.match(award!.items![0]!.id!, /^[0-9a-f]{32}$/);
  });

  it("in every status that is not final", () => {
    const stages = [plain({ status: "draft" }), plain(), plain().at(TENDERING), plain().at(DEADLINE)];
    for (const stage of stages) assert.equal(stage.outcome(OWNER, recordAward({ status: "active" })), "ok");
  });

  for (const status of ["complete", "unsuccessful", "cancelled"] as const)
    it(`but not once the tender is ${status}, and the refusal says since when`, () => {
      const over = scene.send(OWNER, editTender({ status })).later(DAY);
      const expected = `Can't create award in current (${status}) tender status`;
      assert.equal(over.outcome(OWNER, recordAward({ status: "active" })), expected);
      const window = windowIn(over.refusal(OWNER, recordAward({ status: "active" })));
      assert.deepEqual(window, { from: undefined, until: scene.now });
      assert.match(over.outcome(OWNER, recordAward({})), /^status: This field/, "what is wrong comes first");
    });
});

describe("an award of a plain tender is changed", () => {
  const recorded = (status: (typeof AWARD_STATUSES)[number]) =>
    scene
      .send(OWNER, recordAward({ status: "pending" }))
      .send(OWNER, recordAward({ status, value: money("5") }))
      .later(MINUTE);
  const pending = recorded("pending");
  const changed = (fields: Patch<AwardInput>, from = pending) =>
    from.send(OWNER, changeAward(from.id, fields)).tender.awards[1]!;

  it("in its texts and value, without a new date and without a new status", () => {
    const before = pending.tender.awards[1]!;
    const after = changed({ title: "Переможець", value: { amount: money("6").amount } });
    assert.deepEqual(after, { ...before, title: "Переможець", value: money("6", uah) });
    for (const status of AWARD_STATUSES) {
      const from = recorded(status);
      assert.equal(changed({ title: "!" }, from).title, "!", status);
      assert.equal(changed({ title: "!", status }, from).date, scene.now, status);
    }
  });

  it("in its status, which is dated, and no other award with it", () => {
    const { status, date } = changed({ status: "active" });
    assert.deepEqual([status, date], ["active", scene.now + MINUTE]);
    const { tender } = pending.send(OWNER, changeAward(pending.id, { status: "active" }));
    assert.deepEqual(tender.awards[0], pending.tender.awards[0]);
  });

  const MOVES = {
    pending: ["active", "unsuccessful", "cancelled"],
    active: ["cancelled"],
    unsuccessful: ["cancelled"],
    cancelled: [],
  } as const;
  for (const from of AWARD_STATUSES)
    for (const to of AWARD_STATUSES.filter((status) => status !== from)) {
      const isAllowed = (MOVES[from] as readonly string[]).includes(to);
      it(`${isAllowed ? "" : "not "}from ${from} to ${to}`, () => {
        const stage = recorded(from);
        const outcome = stage.outcome(OWNER, changeAward(stage.id, { status: to }));
        assert.equal(outcome, isAllowed ? "ok" : `Can't update award in current (${from}) status`);
      });
    }

  it("by the owner and admins alone, if it is there", () => {
    assert.equal(pending.outcome(ADMIN, changeAward(pending.id, {})), "ok");
    for (const actor of OTHERS) assert.equal(pending.outcome(actor, changeAward(pending.id, {})), "forbidden");
    assert.equal(pending.outcome({}, changeAward(NOBODY, {})), "not found: award");
  });

  it("if it stays an award, and everything that is wrong is reported", () => {
    const fields = { value: { amount: null }, items: [{ id: "" }] };
    const command: TenderCommand = { kind: "change award", award: pending.id, sent: { fields, problems: [unread] } };
    assert.deepEqual(pending.outcome(OWNER, command).split("; "), [
      "colour: Rogue field",
      "value.amount: This field is required.",
      "items.0.id: String value is too short.",
    ]);
  });

  it("in every status that is not final, and a refusal says until when", () => {
    const early = plain({ status: "draft" }).send(OWNER, recordAward({ status: "pending" }));
    assert.equal(early.outcome(OWNER, changeAward(early.id, { status: "active" })), "ok");
    const over = pending.send(OWNER, editTender({ status: "complete" })).later(DAY);
    const change = changeAward(pending.id, { status: "active" });
    assert.equal(over.outcome(OWNER, change), "Can't update award in current (complete) tender status");
    assert.deepEqual(windowIn(over.refusal(OWNER, change)), { from: undefined, until: scene.now + MINUTE });
  });
});
