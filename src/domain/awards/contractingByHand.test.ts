import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, OTHERS, OWNER, windowIn } from "../../../test/support/decisions.ts";
import {
  addContract,
  cancelLot,
  DEADLINE,
  LOT_A,
  LOT_B,
  meals,
  money,
  NOBODY,
  onBoth,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import { cook } from "../../../test/support/organizations.ts";
import { awarded, lastAward, qualifying, SCENES, STATUSES, signed } from "../../../test/support/scenes.ts";
import type { TenderCommand } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { DAY, MINUTE } from "../values/time.ts";

const REQUIRED = "This field is required.";
const scene = awarded(["500"]).later(MINUTE);
const awardID = lastAward(scene).id;

describe("a manually created contract", () => {
  it("is created by admins only, for an existing award, and always pending", () => {
    const fields = { awardID, status: "active", dateSigned: 1, title: "Ще один" } as const;
    const made = scene.send(ADMIN, addContract(fields));
    const [first, second] = made.tender.contracts;
    const own = { id: made.id, contractID: `${made.tender.tenderID}-2`, date: scene.now, title: "Ще один" };
    assert.deepEqual(second, { ...first, ...own });
    for (const actor of [...OTHERS, OWNER]) assert.equal(scene.outcome(actor, addContract({ awardID })), "forbidden");
  });

  it("keeps the items and the value that it names, completed as those of its tender", () => {
    const items = [{ description: "Тільки обіди", classification: meals.classification }];
    const made = scene.send(ADMIN, addContract({ awardID, items, value: money("7"), suppliers: [cook] }));
    const [, contract] = made.tender.contracts;
    assert.equal(contract!.items![0]!.description, "Тільки обіди");
    assert.match(contract!.items![0]!.id!, /^[0-9a-f]{32}$/);
    assert.deepEqual(contract!.value, money("7", { currency: "UAH", valueAddedTaxIncluded: true }));
  });

  it("is refused for everything that is wrong with it", () => {
    const outcome = (fields: Parameters<typeof addContract>[0]) =>
      scene.outcome(ADMIN, addContract(fields)).split("; ");
    assert.deepEqual(outcome({}), [`awardID: ${REQUIRED}`]);
    assert.deepEqual(outcome({ awardID: NOBODY }), ["awardID: awardID should be one of awards"]);
    assert.deepEqual(outcome({ awardID, suppliers: [cook, cook], value: {}, items: [{ description: "-" }] }), [
      "suppliers: Please provide no more than 1 item.",
      `value.amount: ${REQUIRED}`,
      `items.0.classification: ${REQUIRED}`,
    ]);
    const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
    const command: TenderCommand = { kind: "add contract", sent: { fields: { awardID }, problems: [unread] } };
    assert.equal(scene.outcome(ADMIN, command), "colour: Rogue field");
  });

  it("is created while awards are decided, and a refusal says when that was", () => {
    const open = STATUSES.filter((status) => {
      const stage = SCENES[status]();
      const [award] = stage.tender.awards;
      return award && stage.outcome(ADMIN, addContract({ awardID: award.id })) === "ok";
    });
    assert.deepEqual(open, ["active.qualification", "active.awarded"]);
    const over = signed(scene).later(DAY);
    assert.equal(
      over.outcome(ADMIN, addContract({ awardID })),
      "Can't add contract in current (complete) tender status",
    );
    assert.deepEqual(windowIn(over.refusal(ADMIN, addContract({ awardID }))), {
      from: DEADLINE,
      until: over.tender.date,
    });
  });

  it("is of an active lot", () => {
    const lots = qualifying([onBoth("1", "2")], twoLots).later(MINUTE);
    const cancelled = lots.send(OWNER, cancelLot(LOT_A)).later(MINUTE);
    const make = (lot: string) => addContract({ awardID: lastAward(lots, lot).id });
    assert.deepEqual(cancelled.refusal(ADMIN, make(LOT_A)), {
      ...{ kind: "rule", rule: "lot-not-active", message: "Can add contract only in active lot status" },
      window: { from: DEADLINE, until: lots.now },
    });
    assert.equal(cancelled.outcome(ADMIN, make(LOT_B)), "ok");
  });
});
