import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, ADMINISTRATOR, OTHERS, OWNER, type Scene, windowIn } from "../../../test/support/decisions.ts";
import {
  cancelLot,
  changeAward,
  DEADLINE,
  decideAward,
  LOT_A,
  LOT_B,
  money,
  NOBODY,
  onBoth,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import { cook } from "../../../test/support/organizations.ts";
import { closed, decided, qualifying, SCENES, statusesOf } from "../../../test/support/scenes.ts";
import type { TenderCommand } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { DAY, HOUR, MINUTE } from "../values/time.ts";

const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
const pending = qualifying(["400", "500"]).later(HOUR);
const accepted = decided(pending, "active").later(HOUR);
const rejected = decided(pending, "unsuccessful").later(HOUR);
const idOf = (scene: Scene, place = 0): string => scene.tender.awards[place]!.id;

describe("an Administrator", () => {
  it("moves the complaint period of an award in any status, and nothing else", () => {
    for (const scene of [pending, accepted, rejected]) {
      const [award] = scene.tender.awards;
      const complaintPeriod = { startDate: DEADLINE, endDate: DEADLINE + DAY };
      const fields = { complaintPeriod, title: "!", status: "cancelled" } as const;
      const { tender } = scene.send(ADMINISTRATOR, changeAward(award!.id, fields));
      assert.deepEqual(tender.awards[0], { ...award, complaintPeriod });
    }
  });

  it("who owns the tender decides as any owner", () => {
    const actor = { ...OWNER, account: { name: "owner", group: "Administrator" } } as const;
    assert.deepEqual(statusesOf(pending.send(actor, decideAward(idOf(pending), "active")).tender.awards), ["active"]);
  });
});

describe("a manually created award", () => {
  const award = { suppliers: [cook], bid_id: NOBODY };
  const make = (fields: object): TenderCommand => ({ kind: "record award", sent: { fields, problems: [] } });

  it("is created by admins only, always pending, and with its complaint period", () => {
    const fields = { ...award, status: "active", complaintPeriod: { startDate: 1 }, value: money("90"), title: "-" };
    const made = pending.send(ADMIN, make(fields));
    assert.deepEqual(made.tender.awards[1], {
      ...{ ...award, id: made.id, date: pending.now, status: "pending", title: "-" },
      ...{ value: money("90", { currency: "UAH", valueAddedTaxIncluded: true }), documents: [], complaints: [] },
      complaintPeriod: { startDate: pending.now },
    });
    for (const actor of [...OTHERS, OWNER]) assert.equal(pending.outcome(actor, make(award)), "forbidden");
  });

  it("has one complete supplier and a bid, and a valid value and items", () => {
    const outcome = (fields: object) => pending.outcome(ADMIN, make(fields)).split("; ");
    const required = "This field is required.";
    assert.deepEqual(outcome({}), [`suppliers: ${required}`, `bid_id: ${required}`]);
    assert.deepEqual(outcome({ ...award, suppliers: [cook, cook] }), [
      "suppliers: Please provide no more than 1 item.",
    ]);
    assert.deepEqual(outcome({ ...award, value: {} }), [`value.amount: ${required}`]);
    const items = [{ description: "-" }];
    assert.deepEqual(outcome({ ...award, items }), [`items.0.classification: ${required}`]);
    assert.deepEqual(outcome({ ...award, lotID: NOBODY }), ["lotID: lotID should be one of lots"]);
    const unreadable: TenderCommand = { kind: "record award", sent: { fields: award, problems: [unread] } };
    assert.equal(pending.outcome(ADMIN, unreadable), "colour: Rogue field");
  });

  it("is of a lot that is active, if there are any", () => {
    const scene = qualifying([onBoth("1", "2")], twoLots)
      .later(MINUTE)
      .send(OWNER, cancelLot(LOT_A))
      .later(MINUTE);
    assert.equal(scene.outcome(ADMIN, make(award)), "lotID: This field is required.");
    const refusal = scene.refusal(ADMIN, make({ ...award, lotID: LOT_A }));
    assert.deepEqual(refusal, {
      ...{ kind: "rule", rule: "lot-not-active", message: "Can create award only in active lot status" },
      window: { from: DEADLINE, until: scene.now - MINUTE },
    });
    assert.equal(scene.outcome(ADMIN, make({ ...award, lotID: LOT_B })), "ok");
  });

  it("is made in qualification alone", () => {
    for (const status of [
      "active.enquiries",
      "active.tendering",
      "active.auction",
      "active.awarded",
      "complete",
    ] as const)
      assert.equal(
        SCENES[status]().outcome(ADMIN, make(award)),
        `Can't create award in current (${status}) tender status`,
      );
    const early = closed(["1", "2"]).refusal(ADMIN, make(award));
    assert.equal(windowIn(early), undefined, "nobody knows when the auction will end");
    const late = accepted.refusal(ADMIN, make(award));
    assert.deepEqual(windowIn(late), { from: DEADLINE + HOUR, until: accepted.now - HOUR });
  });
});
