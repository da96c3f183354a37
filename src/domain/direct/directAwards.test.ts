import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, ADMINISTRATOR, AUCTION, BOT, OTHERS, OWNER, STRANGER } from "../../../test/support/decisions.ts";
import {
  accepted,
  contested,
  DIRECT_PROCEDURES,
  decideSupplier,
  direct,
  directLots,
  moveComplaint,
  NEGOTIATIONS,
  REVIEWERS,
  recorded,
  supplier,
} from "../../../test/support/directScenes.ts";
import {
  addCancellation,
  addDocument,
  cancelTender,
  changeAward,
  decideAward,
  LOT_A,
  LOT_B,
  money,
  recordAward,
  replaceDocument,
  START,
  sent,
} from "../../../test/support/domainCommands.ts";
import { cook } from "../../../test/support/organizations.ts";
import { lastAward, statusesOf } from "../../../test/support/scenes.ts";
import { AWARD_STATUSES } from "../model/tender.ts";
import { DAY, HOUR, MINUTE } from "../values/time.ts";

const announced = addCancellation({ cancellationOf: "lot", relatedLot: LOT_A });
const UPHELD = { status: "satisfied" } as const;

/** A contested award whose complaint the reviewers have upheld. */
const upheld = (scene = contested()) =>
  scene
    .send(REVIEWERS, moveComplaint(scene, { status: "accepted" }))
    .send(REVIEWERS, moveComplaint(scene, UPHELD))
    .later(MINUTE);

describe("recording a supplier", () => {
  for (const procedure of DIRECT_PROCEDURES) {
    it(`makes a pending award with the fields that the owner sets: ${procedure}`, () => {
      const scene = direct(procedure)
        .later(MINUTE)
        .send(OWNER, supplier({ status: "active", items: [], subcontractingDetails: "-", title: "Т" }));
      const award = lastAward(scene);
      assert.deepEqual([award.status, award.date, award.items], ["pending", START + MINUTE, undefined]);
      assert.deepEqual([award.subcontractingDetails, award.title], ["-", "Т"]);
      assert.deepEqual(award.value, money("400000", { currency: "UAH", valueAddedTaxIncluded: true }));
      const period = procedure === "reporting" ? undefined : { startDate: START + MINUTE };
      assert.deepEqual(award.complaintPeriod, period);
    });

    it(`is for the owner and admins, in an active tender: ${procedure}`, () => {
      const scene = direct(procedure);
      assert.equal(scene.outcome(ADMIN, supplier()), "ok");
      for (const actor of OTHERS) assert.equal(scene.outcome(actor, supplier()), "forbidden");
      const draft = direct(procedure, { status: "draft" });
      assert.equal(draft.outcome(OWNER, supplier()), "Can't create award in current (draft) tender status");
      const ended = scene.send(OWNER, cancelTender);
      assert.equal(ended.outcome(OWNER, supplier()), "Can't create award in current (cancelled) tender status");
      assert.equal(draft.outcome(OWNER, recordAward({})), "suppliers: This field is required.");
    });

    it(`needs exactly one supplier, and no value: ${procedure}`, () => {
      const scene = direct(procedure);
      assert.equal(scene.outcome(OWNER, supplier({ suppliers: [] })), "suppliers: Please provide at least 1 item.");
      assert.equal(
        scene.outcome(OWNER, supplier({ suppliers: [cook, cook] })),
        "suppliers: Please provide no more than 1 item.",
      );
      assert.equal(scene.outcome(OWNER, recordAward({ suppliers: [cook] })), "ok");
      assert.equal(scene.outcome(OWNER, supplier({ value: money("999999999") })), "ok");
    });

    it(`is possible again only after a decision against the last one: ${procedure}`, () => {
      const text = (status: string) => `Can't create new award while any (${status}) award exists`;
      assert.equal(recorded(procedure).outcome(OWNER, supplier()), text("pending"));
      assert.equal(accepted(procedure).outcome(OWNER, supplier()), text("active"));
      for (const status of ["unsuccessful", "cancelled"] as const) {
        const scene = status === "cancelled" ? accepted(procedure) : recorded(procedure);
        assert.equal(decideSupplier(scene, { status }).outcome(OWNER, supplier()), "ok");
      }
    });
  }

  it("keeps whether the supplier is qualified, except in a report", () => {
    assert.equal(lastAward(recorded("reporting")).qualified, undefined);
    for (const procedure of NEGOTIATIONS) assert.equal(lastAward(recorded(procedure)).qualified, true);
  });

  it("names a lot if there are lots, which has no cancellation and no other award", () => {
    const scene = direct("negotiation", directLots);
    assert.equal(scene.outcome(OWNER, supplier()), "lotID: This field is required.");
    assert.equal(scene.outcome(OWNER, supplier({ lotID: "x" })), "lotID: lotID should be one of lots");
    const noLots = direct("negotiation");
    assert.equal(noLots.outcome(OWNER, supplier({ lotID: LOT_A })), "lotID: lotID should be one of lots");
    const blocked = scene.send(OWNER, announced);
    assert.equal(
      blocked.outcome(OWNER, supplier({ lotID: LOT_A })),
      "Can't add award while cancellation for corresponding lot exists",
    );
    assert.equal(blocked.outcome(OWNER, supplier({ lotID: LOT_B })), "ok");
  });

  it("on a lot is refused by the status of the award that is in the way, not of the last one", () => {
    const both = accepted("negotiation", directLots, { lotID: LOT_A, qualified: true }).send(
      OWNER,
      supplier({ lotID: LOT_B }),
    );
    const text = (status: string) => `Can't create new award on lot while any (${status}) award exists`;
    assert.equal(both.outcome(OWNER, supplier({ lotID: LOT_A })), text("active"));
    assert.equal(both.outcome(OWNER, supplier({ lotID: LOT_B })), text("pending"));
  });
});

describe("an award without competition", () => {
  for (const procedure of DIRECT_PROCEDURES) {
    it(`is edited while it is pending, and not afterwards: ${procedure}`, () => {
      const edited = decideSupplier(recorded(procedure), { title: "Т", value: { amount: money("5").amount } });
      assert.deepEqual([lastAward(edited).title, lastAward(edited).value!.amount], ["Т", "5"]);
      const scene = accepted(procedure);
      const text = "Can't update award in current (active) status";
      assert.equal(scene.outcome(OWNER, changeAward(lastAward(scene).id, { title: "Т" })), text);
      const cancelled = decideSupplier(scene, { status: "cancelled", title: "Т" });
      assert.equal(lastAward(cancelled).title, undefined);
    });

    it(`changes its status only along the table: ${procedure}`, () => {
      const pending = recorded(procedure);
      const scenes = {
        pending,
        active: decideSupplier(pending, { status: "active" }),
        unsuccessful: decideSupplier(pending, { status: "unsuccessful" }),
        cancelled: decideSupplier(decideSupplier(pending, { status: "active" }), { status: "cancelled" }),
      };
      const allowed = ["pending pending", "pending active", "pending unsuccessful", "active cancelled"];
      for (const from of AWARD_STATUSES)
        for (const to of AWARD_STATUSES) {
          const outcome = scenes[from].outcome(OWNER, decideAward(lastAward(scenes[from]).id, to));
          const refused = `Can't update award in current (${from}) status`;
          assert.equal(outcome, allowed.includes(`${from} ${to}`) ? "ok" : refused, `${from} ${to}`);
        }
    });

    it(`is changed by the owner and admins; an Administrator only sets its period: ${procedure}`, () => {
      const scene = recorded(procedure);
      const command = changeAward(lastAward(scene).id, { title: "Т", complaintPeriod: { endDate: START + DAY } });
      for (const actor of OTHERS.filter((other) => other !== ADMINISTRATOR))
        assert.equal(scene.outcome(actor, command), "forbidden");
      const repaired = lastAward(scene.send(ADMINISTRATOR, command));
      assert.deepEqual([repaired.title, repaired.complaintPeriod!.endDate], [undefined, START + DAY]);
      const edited = lastAward(scene.send(OWNER, command));
      assert.deepEqual([edited.title, edited.complaintPeriod?.endDate], ["Т", undefined]);
      const ended = scene.send(OWNER, cancelTender);
      assert.equal(ended.outcome(OWNER, command), "Can't update award in current (cancelled) tender status");
    });

    it(`gets a contract when it is accepted, which is cancelled with it: ${procedure}`, () => {
      const scene = accepted(procedure);
      const [contract] = scene.tender.contracts;
      const { id, suppliers, value } = lastAward(scene);
      assert.deepEqual([contract!.awardID, contract!.suppliers, contract!.value], [id, suppliers, value]);
      assert.deepEqual(contract!.items, scene.tender.items);
      assert.deepEqual([contract!.status, contract!.contractID], ["pending", `${scene.tender.tenderID}-1`]);
      const cancelled = decideSupplier(scene.later(HOUR), { status: "cancelled" });
      assert.deepEqual(statusesOf(cancelled.tender.contracts), ["cancelled"]);
      assert.equal(cancelled.tender.contracts[0]!.date, cancelled.now);
      assert.equal(cancelled.tender.status, "active");
    });

    it(`that is rejected leaves the tender active: ${procedure}`, () => {
      const rejected = decideSupplier(recorded(procedure), { status: "unsuccessful" });
      assert.equal(rejected.later(99 * DAY).tender.status, "active");
    });

    it(`has documents from its owner, added while it is pending and replaced at any time: ${procedure}`, () => {
      const pending = recorded(procedure);
      const of = { award: lastAward(pending).id };
      const scene = pending.send(OWNER, addDocument(of));
      const document = scene.id;
      for (const actor of [BOT, AUCTION, STRANGER]) assert.equal(pending.outcome(actor, addDocument(of)), "forbidden");
      const active = decideSupplier(scene, { status: "active" });
      assert.equal(active.outcome(OWNER, addDocument(of)), "Can't add document in current (active) award status");
      assert.equal(active.outcome(ADMIN, replaceDocument(document, of)), "ok");
      const ended = active.send(OWNER, cancelTender);
      assert.equal(ended.outcome(OWNER, addDocument(of)), "Can't add document in current (cancelled) tender status");
    });
  }
});

describe("an award of a negotiation", () => {
  it("is accepted only if the supplier is qualified", () => {
    for (const procedure of NEGOTIATIONS) {
      const scene = recorded(procedure, {}, { qualified: false });
      const accept = (fields: object) => scene.outcome(OWNER, changeAward(lastAward(scene).id, fields));
      const text = "Can't update award to active status with not qualified";
      assert.equal(accept({ status: "active" }), text);
      assert.equal(accept({ status: "active", qualified: true }), "ok");
      assert.equal(accept({ status: "unsuccessful" }), "ok");
    }
    const reported = recorded("reporting", {}, { qualified: false });
    assert.equal(reported.outcome(OWNER, decideAward(lastAward(reported).id, "active")), "ok");
  });

  const endOf = (scene: ReturnType<typeof accepted>) => lastAward(scene).complaintPeriod?.endDate;

  it("can be contested for ten or five days after the day on which it is accepted", () => {
    // Published on a Monday at 10:00 in Kyiv, so the next day begins 14 hours later.
    const midnight = START + 14 * HOUR;
    assert.equal(endOf(accepted("negotiation")), midnight + 10 * DAY);
    assert.equal(endOf(accepted("negotiation.quick")), midnight + 5 * DAY);
    assert.equal(endOf(accepted("reporting")), undefined);
    const atMidnight = recorded("negotiation").at(midnight);
    assert.equal(endOf(decideSupplier(atMidnight, { status: "active" })), midnight + 11 * DAY);
  });

  it("in a sandbox can be contested as long as the tender asks, from the moment of the decision", () => {
    const within = (procurementMethodDetails: string) => {
      const scene = direct("negotiation", { procurementMethodDetails }, { sandbox: true }).send(
        OWNER,
        supplier({ qualified: true }),
      );
      return endOf(decideSupplier(scene, { status: "active" }))! - START;
    };
    assert.equal(within("quick, accelerator=1440"), 10 * MINUTE);
    assert.equal(within("quick"), 10 * DAY);
  });

  it("that is rejected, or taken back, cannot be contested any longer", () => {
    const rejected = decideSupplier(recorded("negotiation").later(HOUR), { status: "unsuccessful" });
    assert.equal(endOf(rejected), rejected.now);
    const cancelled = decideSupplier(accepted("negotiation").later(HOUR), { status: "cancelled" });
    assert.equal(endOf(cancelled), cancelled.now);
    const late = accepted("negotiation").later(99 * DAY);
    assert.equal(endOf(decideSupplier(late, { status: "cancelled" })), endOf(late));
  });

  it("gets a contract with the items of its lot", () => {
    const { tender } = accepted("negotiation", directLots, { lotID: LOT_B, qualified: true });
    assert.deepEqual(
      tender.contracts[0]!.items!.map(({ relatedLot }) => relatedLot),
      [LOT_B],
    );
  });

  it("is not changed once a cancellation of its lot exists", () => {
    const scene = recorded("negotiation", directLots, { lotID: LOT_A, qualified: false }).send(OWNER, announced);
    const outcome = scene.outcome(OWNER, decideAward(lastAward(scene, LOT_A).id, "active"));
    assert.equal(outcome, "Can't update award while cancellation for corresponding lot exists");
    const elsewhere = recorded("negotiation", directLots, { lotID: LOT_B }).send(OWNER, announced);
    const moved = elsewhere.outcome(OWNER, changeAward(lastAward(elsewhere, LOT_B).id, { lotID: LOT_A }));
    assert.equal(moved, "Can't update award while cancellation for corresponding lot exists");
  });

  it("does not move to a lot that another award uses", () => {
    const both = recorded("negotiation", directLots, { lotID: LOT_A }).send(OWNER, supplier({ lotID: LOT_B }));
    const refusal = both.refusal(OWNER, changeAward(lastAward(both, LOT_B).id, { lotID: LOT_A }));
    assert.deepEqual(
      [refusal.kind === "rule" && refusal.message, refusal.kind === "rule" && refusal.name],
      ["Another award is already using this lotID.", "lotID"],
    );
    const free = decideSupplier(both, { status: "unsuccessful" }, LOT_A);
    assert.equal(free.outcome(OWNER, changeAward(lastAward(free, LOT_B).id, { lotID: LOT_A })), "ok");
  });
});

describe("an award about which a complaint is upheld", () => {
  it("takes all awards of its lot and their contracts with it, and complaints keep their status", () => {
    const scene = decideSupplier(upheld(), { status: "cancelled" });
    assert.deepEqual(statusesOf(scene.tender.awards), ["cancelled"]);
    assert.deepEqual(statusesOf(scene.tender.contracts), ["cancelled"]);
    assert.deepEqual(statusesOf(lastAward(scene).complaints), ["satisfied"]);
  });

  it("is cancelled also if it was rejected; without such a complaint it is not", () => {
    const pending = recorded("negotiation").later(MINUTE);
    const filed = pending.send(STRANGER, {
      kind: "file complaint",
      about: { award: lastAward(pending).id },
      sent: sent({ author: cook, title: "Скарга", status: "pending" }),
    });
    const rejected = decideSupplier(filed, { status: "unsuccessful" });
    const again = rejected.send(OWNER, supplier({ qualified: true }));
    const first = again.tender.awards[0]!.id;
    const text = "Can't update award in current (unsuccessful) status";
    assert.equal(again.outcome(OWNER, decideAward(first, "cancelled")), text);
    const complaint = again.tender.awards[0]!.complaints[0]!.id;
    const decide = (status: "accepted" | "satisfied") =>
      ({ kind: "edit complaint", about: { award: first }, complaint, sent: sent({ status }) }) as const;
    const won = again.send(REVIEWERS, decide("accepted")).send(REVIEWERS, decide("satisfied"));
    const cancelled = won.send(OWNER, decideAward(first, "cancelled"));
    assert.deepEqual(statusesOf(cancelled.tender.awards), ["cancelled", "cancelled"]);
  });
});
