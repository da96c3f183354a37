import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ADMIN,
  ADMINISTRATOR,
  AUCTION,
  OTHERS,
  OWNER,
  type Scene,
  STRANGER,
  windowIn,
} from "../../../test/support/decisions.ts";
import {
  addCancellation,
  cancelLot,
  cancelTender,
  DEADLINE,
  editCancellation,
  fileClaim,
  finishAuction,
  LOT_A,
  LOT_B,
  NOBODY,
  onA,
  onBoth,
  START,
  TENDERING,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import {
  awarded,
  closed,
  decided,
  placed,
  plain,
  published,
  qualifying,
  SCENES,
  STATUSES,
  signed,
  statusesOf,
  tendering,
} from "../../../test/support/scenes.ts";
import type { TenderCommand } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { HOUR, MINUTE } from "../values/time.ts";

const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
const REASON = "Потреба відпала";
const FINAL = ["complete", "cancelled", "unsuccessful"];
/** The status of the tender, then those of its lots. */
const statuses = ({ tender }: Scene): readonly string[] => [tender.status, ...statusesOf(tender.lots)];

describe("a cancellation", () => {
  const scene = published(twoLots).later(MINUTE);

  it("is pending by default, and cancels the tender by default", () => {
    const added = scene.send(OWNER, addCancellation());
    assert.deepEqual(added.tender.cancellations, [
      { id: added.id, date: scene.now, status: "pending", cancellationOf: "tender", reason: REASON, documents: [] },
    ]);
    assert.equal(added.tender.status, "active.enquiries");
    const two = added.send(OWNER, addCancellation({ cancellationOf: "lot", relatedLot: LOT_A }));
    assert.deepEqual(
      two.tender.cancellations.map(({ cancellationOf, relatedLot }) => [cancellationOf, relatedLot]),
      [
        ["tender", undefined],
        ["lot", LOT_A],
      ],
    );
  });

  it("is added by the owner and admins, and by nobody else", () => {
    for (const actor of [OWNER, ADMIN]) assert.equal(scene.outcome(actor, addCancellation()), "ok");
    for (const actor of OTHERS) assert.equal(scene.outcome(actor, addCancellation()), "forbidden");
  });

  it("is refused for everything that is wrong with it", () => {
    const required = "This field is required.";
    const command = (fields: object): TenderCommand => ({
      kind: "add cancellation",
      sent: { fields, problems: [unread] },
    });
    const outcome = (fields: object) => scene.outcome(OWNER, command(fields));
    assert.equal(outcome({}), `colour: Rogue field; reason: ${required}`);
    assert.equal(
      outcome({ cancellationOf: "lot" }),
      `colour: Rogue field; reason: ${required}; relatedLot: ${required}`,
    );
    const unknown = "relatedLot should be one of lots";
    assert.equal(scene.outcome(OWNER, addCancellation({ relatedLot: NOBODY })), `relatedLot: ${unknown}`);
    assert.equal(
      scene.outcome(OWNER, addCancellation({ cancellationOf: "lot", relatedLot: NOBODY })),
      `relatedLot: ${unknown}`,
    );
  });

  it("changes in its status alone, which is dated", () => {
    const added = scene.send(OWNER, addCancellation()).send(OWNER, addCancellation()).later(MINUTE);
    const fields = { reason: "інша", cancellationOf: "lot", relatedLot: LOT_A } as const;
    assert.equal(added.send(OWNER, editCancellation(added.id, fields)).stored, added.stored);
    assert.equal(added.send(OWNER, editCancellation(added.id, { status: "pending" })).stored, added.stored);
    const { tender } = added.send(OWNER, editCancellation(added.id, { ...fields, status: "active" }));
    const [first, second] = tender.cancellations;
    assert.deepEqual(second, { ...first, id: added.id, status: "active", date: added.now });
    assert.deepEqual([tender.status, tender.date, first!.status], ["cancelled", added.now, "pending"]);
  });

  it("is changed by the owner and admins; an Administrator has the wrong role", () => {
    const added = scene.send(OWNER, addCancellation());
    const activate = editCancellation(added.id, { status: "active" });
    for (const actor of [OWNER, ADMIN]) assert.equal(added.outcome(actor, activate), "ok");
    for (const actor of OTHERS)
      assert.equal(added.outcome(actor, activate), actor === ADMINISTRATOR ? "wrong role" : "forbidden");
    const owner = { ...OWNER, account: { name: "owner", group: "Administrator" } } as const;
    assert.equal(added.outcome(owner, activate), "ok");
    assert.equal(added.outcome({}, editCancellation(NOBODY, {})), "not found: cancellation");
    const sent = { fields: {}, problems: [unread] };
    assert.equal(
      added.outcome(OWNER, { kind: "edit cancellation", cancellation: added.id, sent }),
      "colour: Rogue field",
    );
  });
});

describe("the cancellation of a tender", () => {
  for (const status of STATUSES)
    it(`${FINAL.includes(status) ? "is refused" : "takes effect"} in ${status}`, () => {
      const scene = SCENES[status]().later(MINUTE);
      const outcome = scene.outcome(OWNER, cancelTender);
      if (FINAL.includes(status)) {
        assert.equal(outcome, `Can't add cancellation in current (${status}) tender status`);
        assert.deepEqual(windowIn(scene.refusal(OWNER, cancelTender)), { until: scene.tender.date });
      } else {
        const { tender } = scene.send(OWNER, cancelTender);
        assert.deepEqual([outcome, tender.status, tender.date], ["ok", "cancelled", scene.now]);
      }
    });

  it("is refused in a tender that ends meanwhile, though it was added before", () => {
    const added = published().send(OWNER, addCancellation());
    const over = added.at(DEADLINE);
    const expected = "Can't update cancellation in current (unsuccessful) tender status";
    assert.equal(over.outcome(OWNER, editCancellation(added.id, { status: "active" })), expected);
    const late = over.refusal(OWNER, editCancellation(added.id, {}));
    assert.deepEqual(windowIn(late), { until: DEADLINE });
  });

  it("drops bids that are still sealed, and keeps those that are open", () => {
    for (const scene of [tendering(["1", "2"]), closed(["1", "2"])])
      assert.deepEqual(scene.send(OWNER, cancelTender).tender.bids, []);
    for (const scene of [qualifying(["1", "2"]), awarded(["1", "2"])])
      assert.equal(scene.send(OWNER, cancelTender).tender.bids.length, 2);
  });

  it("leaves awards, contracts, complaints and lots as they are", () => {
    const filed = published().send(STRANGER, fileClaim()).tender.complaints;
    const scene = decided(qualifying([onBoth("1", "2")], twoLots), "active", LOT_A).with({ complaints: filed });
    const { tender } = scene.send(OWNER, cancelTender);
    const { awards, contracts, complaints, lots } = scene.stored;
    assert.deepEqual(
      [tender.awards, tender.contracts, tender.complaints, tender.lots],
      [awards, contracts, complaints, lots],
    );
  });

  it("keeps the bids of a plain tender, which are open from the first", () => {
    const { status, bids } = placed(plain().at(TENDERING), ["1"]).send(OWNER, cancelTender).tender;
    assert.deepEqual([status, bids.length], ["cancelled", 1]);
  });
});

describe("the cancellation of a lot", () => {
  const SPLIT: readonly (readonly [string, Scene])[] = [
    ["a draft", published({ ...twoLots, status: "draft" })],
    ["enquiries", published(twoLots)],
    ["tendering", tendering([onBoth("9", "8")], twoLots)],
    ["the auction", closed([onBoth("9", "8"), onBoth("7", "6")], twoLots)],
    ["qualification", qualifying([onBoth("9", "8")], twoLots)],
  ];
  for (const [where, scene] of SPLIT)
    it(`in ${where} leaves the tender to the other lot, and the last one ends it`, () => {
      const first = scene.later(MINUTE).send(OWNER, cancelLot(LOT_A));
      assert.deepEqual(statuses(first), [scene.tender.status, "cancelled", "active"]);
      assert.deepEqual([first.tender.lots[0]!.date, first.tender.date], [scene.now + MINUTE, scene.tender.date]);
      assert.equal(first.tender.bids.length, scene.tender.bids.length);
      const both = first.send(OWNER, cancelLot(LOT_B));
      assert.deepEqual(statuses(both), ["cancelled", "cancelled", "cancelled"]);
      const isOpen = scene.tender.status === "active.qualification";
      assert.equal(both.tender.bids.length, isOpen ? 1 : 0);
    });

  it("concerns the lot that it names, even if it says that it is of the tender", () => {
    const command = addCancellation({ status: "active", cancellationOf: "tender", relatedLot: LOT_A });
    assert.deepEqual(statuses(published(twoLots).send(OWNER, command)), ["active.enquiries", "cancelled", "active"]);
  });

  it("waits while it is pending", () => {
    const waiting = published(twoLots).send(OWNER, addCancellation({ cancellationOf: "lot", relatedLot: LOT_A }));
    assert.deepEqual(statuses(waiting), ["active.enquiries", "active", "active"]);
    const active = waiting.send(OWNER, editCancellation(waiting.id, { status: "active" }));
    assert.deepEqual(statuses(active), ["active.enquiries", "cancelled", "active"]);
  });

  it("is neither repeated nor taken back; a refusal says since when", () => {
    const cancelled = published(twoLots).later(MINUTE).send(OWNER, cancelLot(LOT_A)).later(MINUTE);
    const back = cancelled.refusal(OWNER, editCancellation(cancelled.id, { status: "pending" }));
    assert.equal("message" in back && back.message, "Can update cancellation only in active lot status");
    const again = cancelled.refusal(OWNER, cancelLot(LOT_A));
    assert.deepEqual(again, {
      ...{ kind: "rule", rule: "lot-not-active", message: "Can add cancellation only in active lot status" },
      window: { from: undefined, until: START + MINUTE },
    });
  });

  it("makes the tender unsuccessful if the other lot is", () => {
    const scene = closed([onA("9"), onA("8")], twoLots).later(MINUTE);
    const { tender } = scene.send(OWNER, cancelLot(LOT_A));
    assert.deepEqual([tender.status, tender.date], ["unsuccessful", scene.now]);
  });

  it("makes the tender complete if the other lot is", () => {
    const half = decided(qualifying([onBoth("9", "8")], twoLots), "active", LOT_A);
    const { tender } = signed(half).later(HOUR).send(OWNER, cancelLot(LOT_B));
    assert.deepEqual([tender.status, statusesOf(tender.lots)], ["complete", ["complete", "cancelled"]]);
  });

  it("makes the awards if no other lot waits for its auction", () => {
    const scene = closed([onBoth("9", "8"), onA("7")], twoLots)
      .later(HOUR)
      .send(OWNER, cancelLot(LOT_A));
    assert.deepEqual(
      scene.tender.awards.map(({ lotID }) => lotID),
      [LOT_B],
    );
    assert.equal(scene.tender.status, "active.qualification");
    const held = closed([onBoth("9", "8"), onBoth("7", "6")], twoLots).send(AUCTION, finishAuction({}, LOT_A));
    assert.deepEqual(statuses(held.send(OWNER, cancelLot(LOT_B))), ["active.qualification", "active", "cancelled"]);
    assert.deepEqual(held.send(OWNER, cancelLot(LOT_A)).tender.status, "active.auction");
  });

  it("creates no awards before the auction, even if no lot waits", () => {
    const scene = tendering([onBoth("9", "8")], twoLots).send(OWNER, cancelLot(LOT_A));
    assert.deepEqual([scene.tender.status, scene.tender.awards], ["active.tendering", []]);
  });

  it("leaves claims about it until the deadline, and then they are ignored", () => {
    const filed = published(twoLots)
      .send(STRANGER, fileClaim({ relatedLot: LOT_A }))
      .send(OWNER, cancelLot(LOT_A));
    assert.equal(filed.tender.complaints[0]!.status, "claim");
    assert.equal(filed.at(DEADLINE).tender.complaints[0]!.status, "ignored");
  });
});
