import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, ADMINISTRATOR, OTHERS, OWNER, type Scene, windowIn } from "../../../test/support/decisions.ts";
import {
  addLot,
  DEADLINE,
  editLot,
  LOT_A,
  LOT_B,
  lotOf,
  meals,
  money,
  NOBODY,
  removeLot,
  START,
  TENDERING,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import { closed, published, SCENES, STATUSES, tendering } from "../../../test/support/scenes.ts";
import type { TenderCommand } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { DAY, MINUTE } from "../values/time.ts";

const C = "c".repeat(32);
const unread = problem(["price"], "Rogue field", "unknown-field", "shape");
const scene = published({ lots: twoLots.lots });
const ofItem = published(twoLots);

describe("a lot is added", () => {
  it("with the id that was sent or a new one, active and dated", () => {
    const added = scene.later(MINUTE).send(OWNER, addLot({ ...lotOf(C), auctionPeriod: { startDate: START } }));
    assert.equal(added.id, C);
    const { status, date, auctionPeriod, title } = added.tender.lots[2]!;
    assert.deepEqual([status, date, auctionPeriod, title], ["active", START + MINUTE, undefined, "Лот"]);
    const { id: _new, ...nameless } = lotOf("");
    assert.match(scene.send(OWNER, addLot(nameless)).id, /^[0-9a-f]{32}$/);
  });

  it("by the owner and by admins, and by nobody else", () => {
    for (const actor of [OWNER, ADMIN]) assert.equal(scene.outcome(actor, addLot(lotOf(C))), "ok");
    for (const actor of OTHERS) assert.equal(scene.outcome(actor, addLot(lotOf(C))), "forbidden");
  });

  it("if it is a lot: its own problems are named by its own fields, others by those of the tender", () => {
    const outcomeOf = (lot: Parameters<typeof addLot>[0]) => scene.outcome(OWNER, addLot(lot));
    assert.equal(outcomeOf({ ...lotOf(C), title: undefined }), "title: This field is required.");
    assert.equal(
      outcomeOf(lotOf(C, "1", { minimalStep: money("2") })),
      "minimalStep: value should be less than value of lot",
    );
    assert.equal(outcomeOf(lotOf(LOT_A)), "lots: Lot id should be uniq for all lots");
    const unreadable: TenderCommand = { kind: "add lot", sent: { fields: lotOf(C), problems: [unread] } };
    assert.equal(scene.outcome(OWNER, unreadable), "price: Rogue field");
  });

  it("with a guarantee in the currency of the others', compared as it was sent", () => {
    const inDollars = published({ lots: [lotOf(LOT_A, "9", { guarantee: money("1", { currency: "USD" }) })] });
    const outcomeOf = (currency?: string) =>
      inDollars.outcome(OWNER, addLot(lotOf(LOT_B, "9", { guarantee: money("1", { currency }) })));
    const DIFFERS = "lots: lot guarantee currency should be identical to tender guarantee currency";
    assert.deepEqual([outcomeOf("USD"), outcomeOf("EUR"), outcomeOf()], ["ok", DIFFERS, DIFFERS]);
  });
});

describe("a lot is changed", () => {
  it("in its texts and amounts, and keeps its id, status and plan", () => {
    const fields = { id: LOT_B, title: "Інший", auctionPeriod: { startDate: START }, value: money("5") };
    const changed = scene.send(OWNER, editLot(LOT_A, fields));
    const { id, title, status, auctionPeriod, value } = changed.tender.lots[0]!;
    assert.deepEqual([id, title, status, auctionPeriod, value!.amount], [LOT_A, "Інший", "active", undefined, "5"]);
    assert.deepEqual(changed.tender.lots[1], scene.tender.lots[1]);
    assert.equal(changed.id, LOT_A);
  });

  it("by the owner and by admins; an Administrator plans its auction and changes nothing else", () => {
    const fields = { title: "Інший", auctionPeriod: { startDate: START } };
    assert.equal(scene.send(ADMIN, editLot(LOT_A, fields)).tender.lots[0]!.title, "Інший");
    const [planned] = scene.send(ADMINISTRATOR, editLot(LOT_A, fields)).tender.lots;
    assert.deepEqual([planned!.title, planned!.auctionPeriod], ["Лот", { startDate: START }]);
    assert.equal(scene.send(ADMINISTRATOR, editLot(LOT_A, { title: "Інший" })).stored, scene.stored);
    for (const actor of OTHERS.filter((other) => other !== ADMINISTRATOR))
      assert.equal(scene.outcome(actor, editLot(LOT_A, {})), "forbidden");
  });

  it("by an owner in the group Administrator like any owner", () => {
    const actor = { ...OWNER, account: { name: "owner", group: "Administrator" } } as const;
    assert.equal(scene.send(actor, editLot(LOT_A, { title: "Інший" })).tender.lots[0]!.title, "Інший");
  });

  it("if it stays a lot", () => {
    const outcomeOf = (fields: Parameters<typeof editLot>[1]) => scene.outcome(OWNER, editLot(LOT_A, fields));
    assert.equal(outcomeOf({ value: money("0.5") }), "minimalStep: value should be less than value of lot");
    assert.equal(outcomeOf({ title: null }), "title: This field is required.");
    const unreadable: TenderCommand = { kind: "edit lot", lot: LOT_A, sent: { fields: {}, problems: [unread] } };
    assert.equal(scene.outcome(OWNER, unreadable), "price: Rogue field");
  });
});

describe("a lot is removed", () => {
  it("by the owner and by admins, and the outcome contains it", () => {
    for (const actor of [OWNER, ADMIN]) {
      const removed = scene.send(actor, removeLot(LOT_A));
      assert.deepEqual(
        removed.tender.lots.map(({ id }) => id),
        [LOT_B],
      );
      assert.deepEqual([removed.id, removed.removed], [LOT_A, scene.tender.lots[0]]);
    }
    for (const actor of OTHERS) assert.equal(scene.outcome(actor, removeLot(LOT_A)), "forbidden");
  });

  it("unless an item or a feature is about it", () => {
    assert.equal(ofItem.outcome(OWNER, removeLot(LOT_A)), "items.0.relatedLot: relatedLot should be one of lots");
    assert.equal(ofItem.outcome(OWNER, removeLot(LOT_B)), "ok");
    const feature = {
      title: "-",
      featureOf: "lot",
      relatedItem: LOT_A,
      enum: [{ title: "-", value: money("0.1").amount }],
    };
    const featured = published({ lots: twoLots.lots, items: [meals], features: [feature as never] });
    assert.equal(
      featured.outcome(OWNER, removeLot(LOT_A)),
      "features.0.relatedItem: relatedItem should be one of lots",
    );
  });
});

describe("a lot that is not there", () => {
  it("can be neither changed nor removed, by anyone", () => {
    for (const actor of [OWNER, {}])
      for (const command of [editLot(NOBODY, {}), removeLot(NOBODY)])
        assert.equal(scene.outcome(actor, command), "not found: lot");
  });
});

describe("lots are a matter of enquiries:", () => {
  const withLots = (status: (typeof STATUSES)[number]): Scene =>
    status === "active.enquiries" || status === "active.tendering" || status === "draft"
      ? SCENES[status](twoLots)
      : SCENES[status]();

  for (const status of STATUSES.filter((name) => name !== "active.enquiries"))
    it(`nothing about them is changed in ${status}`, () => {
      const { tender, outcome } = withLots(status);
      const expected = (doing: string) => `Can't ${doing} lot in current (${status}) tender status`;
      const lot = lotOf(C, "9", { value: money("9") });
      assert.equal(outcome(OWNER, addLot(lot)), expected("add"));
      if (tender.lots.length === 0) return;
      assert.equal(outcome(OWNER, editLot(LOT_B, { title: "Інший" })), expected("update"));
      assert.equal(outcome(ADMINISTRATOR, editLot(LOT_B, {})), expected("update"));
      assert.equal(outcome(OWNER, removeLot(LOT_B)), expected("delete"));
    });

  it("a refusal says when they were open", () => {
    const late = tendering([], twoLots).later(DAY);
    for (const command of [addLot(lotOf(C)), editLot(LOT_B, {}), removeLot(LOT_B)])
      assert.deepEqual(windowIn(late.refusal(OWNER, command)), { from: START, until: TENDERING });
    const over = closed([], twoLots).later(DAY);
    assert.deepEqual(windowIn(over.refusal(OWNER, addLot(lotOf(C)))), { from: START, until: TENDERING });
    assert.equal(over.tender.date, DEADLINE);
  });
});
