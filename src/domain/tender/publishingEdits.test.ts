import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, AUCTION, BIDDER, BOT, OWNER, REVIEWER, STRANGER, windowIn } from "../../../test/support/decisions.ts";
import {
  cancelTender,
  DEADLINE,
  editTender,
  LOT_A,
  meals,
  money,
  NOBODY,
  START,
  TENDERING,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import { closed, plain, published, qualifying, SCENES, tendering } from "../../../test/support/scenes.ts";
import type { Patch, TenderInput } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { DAY, MINUTE } from "../values/time.ts";

const edited = (fields: Patch<TenderInput>, scene = published()) =>
  scene.later(MINUTE).send(OWNER, editTender(fields)).tender;

describe("the owner of a tender edits it during enquiries, and", () => {
  it("so may admins, but nobody else", () => {
    const scene = published();
    assert.equal(scene.send(ADMIN, editTender({ title: "Інше" })).tender.title, "Інше");
    for (const actor of [{}, BIDDER, STRANGER, { ...STRANGER, tokenHash: OWNER.tokenHash }, AUCTION, REVIEWER, BOT])
      assert.equal(scene.outcome(actor, editTender({ title: "Інше" })), "forbidden");
  });

  it("a patch changes its fields, objects key by key, and keeps the others", () => {
    const scene = published({ guarantee: money("12") });
    const before = scene.tender;
    const after = edited({ title: "Інше", guarantee: { currency: "USD" } }, scene);
    const guarantee = { ...money("12"), currency: "USD" };
    assert.deepEqual(after, { ...before, title: "Інше", guarantee, dateModified: START + MINUTE });
  });

  it("null clears what is inside a field, and is ignored for a field of the tender itself", () => {
    const scene = published({ description: "-" });
    const { title, description, value, items, status } = edited(
      { title: null, description: null, status: null, mode: null, value: { currency: null }, items: [{ unit: null }] },
      scene,
    );
    assert.deepEqual([title, description, status], [scene.tender.title, "-", "active.enquiries"]);
    assert.deepEqual(value, scene.tender.value, "the default comes back");
    assert.ok(!("unit" in items![0]!));
  });

  it("the begin of either period cannot be deleted", () => {
    const text = "This field cannot be deleted";
    const removed = { startDate: null };
    const outcomeOf = (fields: Patch<TenderInput>) => published().outcome(OWNER, editTender(fields));
    assert.equal(outcomeOf({ enquiryPeriod: removed }), `enquiryPeriod.startDate: ${text}`);
    assert.equal(outcomeOf({ tenderPeriod: removed }), `tenderPeriod.startDate: ${text}`);
    assert.equal(
      outcomeOf({ enquiryPeriod: removed, tenderPeriod: removed }),
      `enquiryPeriod.startDate: ${text}; tenderPeriod.startDate: ${text}`,
    );
    assert.equal(outcomeOf({ tenderPeriod: null }), "ok");
  });

  it("the start of enquiries is fixed, while their end may be changed", () => {
    const { enquiryPeriod, tenderPeriod } = edited({
      enquiryPeriod: { startDate: 1, endDate: TENDERING - DAY },
      tenderPeriod: { endDate: DEADLINE + DAY },
    });
    assert.deepEqual(enquiryPeriod, { startDate: START, endDate: TENDERING - DAY });
    assert.deepEqual(tenderPeriod, { startDate: TENDERING, endDate: DEADLINE + DAY });
  });

  it("mode, lots and the plan of the auction are not changed by it", () => {
    const scene = published(twoLots);
    const fields = { mode: "test", lots: [{ title: "Інший" }], auctionPeriod: { startDate: START } } as const;
    assert.equal(scene.send(OWNER, editTender(fields)).stored, scene.stored);
  });

  it("the kind of the buyer is fixed, but is set if it is missing", () => {
    assert.equal(edited({ procuringEntity: { kind: "defense" } }).procuringEntity!.kind, "general");
    const unkind = plain({ procuringEntity: { name: "Школа" } });
    assert.equal(edited({ procuringEntity: { kind: "defense" } }, unkind).procuringEntity!.kind, "defense");
    assert.deepEqual(edited({ title: "Без покупця" }, plain()).procuringEntity, undefined);
  });

  it("new items get ids and defaults, and old ones keep theirs", () => {
    const scene = published();
    const [first] = scene.tender.items!;
    const classification = { id: "55521000-8", description: "-" };
    const after = edited({ items: [{}, { description: "Сніданки", classification }] }, scene).items!;
    assert.deepEqual(after[0], first);
    assert.match(after[1]!.id!, /^[0-9a-f]{32}$/);
    assert.equal(after[1]!.classification!.scheme, "ДК021");
  });

  it("the value of a tender with lots stays their sum", () => {
    assert.equal(edited({ value: money("77") }, published(twoLots)).value!.amount, "2000");
  });

  it("the result must be a tender as a whole, and all that is wrong is reported", () => {
    const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
    const fields = { items: [], value: money("1") };
    const reason = published().outcome(OWNER, { kind: "edit tender", sent: { fields, problems: [unread] } });
    assert.equal(
      reason,
      "colour: Rogue field; items: Please provide at least 1 item.; minimalStep: value should be less than value of tender",
    );
  });

  it("the marks of a test are restored if a patch removes them", () => {
    const scene = published({ mode: "test" });
    assert.equal(edited({ title: "Справжня" }, scene).title, "[ТЕСТУВАННЯ] Справжня");
  });

  it("an account that has moved to another group still edits its own tender", () => {
    for (const group of ["Administrator", "chronograph", "admins"] as const) {
      const actor = { ...OWNER, account: { name: "owner", group } };
      assert.equal(published().send(actor, editTender({ title: "Інше" })).tender.title, "Інше", group);
    }
  });
});

describe("after enquiries a tender below the thresholds", () => {
  for (const [status, scene] of [
    ["active.tendering", tendering().tick()],
    ["active.auction", closed(["1", "2"])],
    ["active.qualification", qualifying()],
    ["active.awarded", SCENES["active.awarded"]()],
  ] as const)
    it(`is not changed by a patch of its fields in ${status}, which is checked all the same`, () => {
      const fields = { title: "Інше", value: money("1"), minimalStep: money("0") };
      assert.equal(scene.send(OWNER, editTender(fields)).stored, scene.stored);
      assert.equal(scene.outcome(OWNER, editTender({ items: [] })), "items: Please provide at least 1 item.");
    });

  for (const status of ["complete", "cancelled", "unsuccessful"] as const)
    it(`cannot be edited once it is ${status}, and the refusal says since when`, () => {
      const scene = SCENES[status]().tick().later(DAY);
      const refusal = scene.refusal(OWNER, editTender({ title: "Інше" }));
      assert.equal(scene.outcome(OWNER, editTender({})), `Can't update tender in current (${status}) status`);
      assert.deepEqual(windowIn(refusal), { until: scene.tender.date });
      assert.equal(scene.outcome(OWNER, editTender({ items: [] })), "items: Please provide at least 1 item.");
    });
});

describe("the owner sets the status", () => {
  it("cancelled at any time before the end, which is dated", () => {
    for (const status of ["draft", "active.enquiries", "active.tendering", "active.qualification"] as const) {
      const { tender, now } = SCENES[status]()
        .later(MINUTE)
        .send(OWNER, editTender({ status: "cancelled" }));
      assert.deepEqual([tender.status, tender.date], ["cancelled", now]);
    }
  });

  it("cancelled while bids are sealed, which drops them, and after that keeps them", () => {
    for (const scene of [tendering(["1", "2"]), closed(["1", "2"])])
      assert.deepEqual(scene.send(OWNER, editTender({ status: "cancelled" })).tender.bids, []);
    assert.equal(qualifying().send(OWNER, editTender({ status: "cancelled" })).tender.bids.length, 1);
  });

  it("and no other one below the thresholds, where it is left as it is", () => {
    const scene = published();
    for (const status of ["draft", "active.tendering", "active.auction", "complete", "unsuccessful"] as const)
      assert.equal(scene.send(OWNER, editTender({ status })).stored, scene.stored, status);
    assert.equal(scene.send(OWNER, editTender({ status: "active.enquiries" })).stored, scene.stored);
  });

  it("complete or unsuccessful in qualification where the procedure is the plain one", () => {
    const scene = plain().at(DEADLINE).tick().later(MINUTE);
    for (const status of ["complete", "unsuccessful"] as const) {
      const { tender } = scene.send(OWNER, editTender({ status, title: "Кінець" }));
      assert.deepEqual([tender.status, tender.date, tender.title], [status, DEADLINE + MINUTE, "Кінець"]);
      assert.equal(plain().send(OWNER, editTender({ status })).tender.status, "active.enquiries");
    }
  });
});

describe("a draft", () => {
  const draft = SCENES.draft().later(MINUTE);

  it("is published by its status alone, and other fields are ignored", () => {
    const { tender } = draft.send(OWNER, editTender({ status: "active.enquiries", title: "Інше" }));
    const moved = { status: "active.enquiries", date: START + MINUTE, dateModified: START + MINUTE };
    assert.deepEqual(tender, { ...draft.stored, ...moved });
  });

  it("accepts no other change", () => {
    const expected = "Can't update tender in current (draft) status";
    for (const fields of [{}, { title: "Інше" }, { status: "draft" }, { status: "active.tendering" }] as const)
      assert.equal(draft.outcome(OWNER, editTender(fields)), expected);
    assert.equal(windowIn(draft.refusal(OWNER, editTender({}))), undefined);
  });

  it("is cancelled by its status or by a cancellation, and moved by no time", () => {
    assert.equal(draft.send(OWNER, editTender({ status: "cancelled" })).tender.status, "cancelled");
    assert.equal(draft.send(OWNER, cancelTender).tender.status, "cancelled");
    assert.equal(draft.at(DEADLINE + DAY).tender.status, "draft");
  });
});

it("an item, a lot or a feature of an edited tender refers only to existing objects", () => {
  const scene = published({ ...twoLots, items: [{ ...meals, id: "1", relatedLot: LOT_A }] });
  const unknown = "relatedLot should be one of lots";
  assert.equal(scene.outcome(OWNER, editTender({ items: [{ relatedLot: NOBODY }] })), `items.0.relatedLot: ${unknown}`);
});
