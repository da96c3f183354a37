import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMINISTRATOR, BIDDER, RIVAL, reasonOf, windowIn } from "../../../test/support/decisions.ts";
import {
  bidOnLots,
  changeBid,
  DEADLINE,
  LOT_A,
  LOT_B,
  money,
  onBoth,
  placeBid,
  TENDERING,
  twoLots,
  withdrawBid,
} from "../../../test/support/domainCommands.ts";
import { cook } from "../../../test/support/organizations.ts";
import { bidOf, plain, qualifying, tendering } from "../../../test/support/scenes.ts";
import type { BidInput, Patch } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { MINUTE, SECOND } from "../values/time.ts";

const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
const uah = { currency: "UAH", valueAddedTaxIncluded: true };

describe("a bid is changed", () => {
  const scene = tendering(["400"]);
  const { id } = bidOf(scene, BIDDER);
  const changed = (fields: Patch<BidInput>, from = scene) =>
    from.later(MINUTE).send(BIDDER, changeBid(id, fields)).tender.bids[0]!;

  it("by its owner, key by key", () => {
    const before = scene.tender.bids[0]!;
    const tenderers = [{ name: "ТОВ Смачніше" }];
    assert.deepEqual(changed({ tenderers }), { ...before, tenderers: [{ ...cook, name: "ТОВ Смачніше" }] });
    const priced = changed({ value: { amount: money("399").amount } });
    assert.deepEqual(priced, { ...before, value: money("399", uah), date: TENDERING + SECOND + MINUTE });
  });

  it("and gets a new date with a new amount, not with the same one", () => {
    assert.equal(changed({ value: money("400") }).date, TENDERING);
    assert.equal(changed({ value: money("400.01") }).date, TENDERING + SECOND + MINUTE);
  });

  it("by null only in its value, which below the thresholds it needs", () => {
    assert.deepEqual(changed({ tenderers: null, status: null }), scene.tender.bids[0]);
    assert.equal(scene.outcome(BIDDER, changeBid(id, { value: null })), "value: This field is required.");
    const open = plain().at(TENDERING).send(BIDDER, placeBid("4"));
    assert.equal(open.send(BIDDER, changeBid(open.id, { value: null })).tender.bids[0]!.value, undefined);
  });

  it("if it stays a bid, and everything that is wrong is reported", () => {
    const fields = { value: money("500001"), tenderers: [] };
    const outcome = scene.outcome(BIDDER, { kind: "change bid", bid: id, sent: { fields, problems: [unread] } });
    assert.deepEqual(outcome.split("; "), [
      "colour: Rogue field",
      "tenderers: Please provide at least 1 item.",
      "value: value of bid should be less than value of tender",
    ]);
  });

  it("from draft to active, and never back", () => {
    const draft = tendering().send(BIDDER, placeBid("1", { status: "draft" }));
    assert.equal(draft.send(BIDDER, changeBid(draft.id, { status: "draft" })).stored, draft.stored);
    const active = draft.send(BIDDER, changeBid(draft.id, { status: "active" }));
    assert.equal(active.tender.bids[0]!.status, "active");
    const refusal = active.refusal(BIDDER, changeBid(draft.id, { status: "draft" }));
    assert.deepEqual(refusal, {
      kind: "rule",
      rule: "bid-status",
      message: "Can't update bid to (draft) status",
      name: "bid",
    });
  });

  it("and no other bid with it", () => {
    const two = tendering(["400", "500"]);
    const after = two.send(RIVAL, changeBid(bidOf(two, RIVAL).id, { value: money("1") })).tender;
    assert.deepEqual(after.bids[0], two.tender.bids[0]);
    assert.equal(after.bids[1]!.value!.amount, "1");
  });

  it("until the deadline, which a refusal names", () => {
    assert.equal(scene.at(DEADLINE - 1).outcome(BIDDER, changeBid(id, { value: money("1") })), "ok");
    const late = scene.at(DEADLINE).refusal(BIDDER, changeBid(id, { value: money("1") }));
    assert.equal(reasonOf(late), "Can't update bid in current (active.qualification) tender status");
    assert.deepEqual(windowIn(late), { from: TENDERING, until: DEADLINE });
  });
});

describe("the values of a bid for lots", () => {
  const scene = tendering([onBoth("90", "80")], twoLots);
  const { id } = bidOf(scene, BIDDER);
  const values = (fields: Patch<BidInput>, from = scene) =>
    from
      .later(MINUTE)
      .send(BIDDER, changeBid(id, fields))
      .tender.bids[0]!.lotValues!.map(({ relatedLot, value, date }) => [relatedLot, value!.amount, date]);
  const now = TENDERING + SECOND + MINUTE;

  it("are dated by the change of their own amount", () => {
    assert.deepEqual(values({ lotValues: [{}, { value: { amount: money("70").amount } }] }), [
      [LOT_A, "90", TENDERING],
      [LOT_B, "70", now],
    ]);
  });

  it("keep their dates if they only come in another order", () => {
    const { lotValues } = bidOnLots({ [LOT_B]: "80", [LOT_A]: "90" }).sent.fields;
    assert.deepEqual(values({ lotValues }), [
      [LOT_B, "80", TENDERING],
      [LOT_A, "90", TENDERING],
    ]);
  });

  it("are dated now if the lot is new to the bid", () => {
    const scene = tendering([bidOnLots({ [LOT_A]: "90" })], twoLots);
    const { lotValues } = onBoth("90", "90").sent.fields;
    const after = scene.later(MINUTE).send(BIDDER, changeBid(bidOf(scene, BIDDER).id, { lotValues })).tender.bids[0]!;
    assert.deepEqual(
      after.lotValues!.map(({ date }) => date),
      [TENDERING, now],
    );
  });

  it("without a lot, as plain tenders allow them, are compared by their places", () => {
    const open = plain().at(TENDERING);
    const lotValues = [{ value: money("1") }, { value: money("2") }];
    const placed = open.send(BIDDER, placeBid("9", { lotValues })).later(MINUTE);
    const next = [{ value: money("1") }, { value: money("3") }, { value: money("1") }];
    const after = placed.send(BIDDER, changeBid(placed.id, { lotValues: next })).tender.bids[0]!;
    const later = TENDERING + MINUTE;
    assert.deepEqual(
      after.lotValues!.map(({ date }) => date),
      [TENDERING, later, later],
    );
    assert.deepEqual(after.lotValues![2]!.value, money("1", uah));
  });
});

describe("a bid is withdrawn", () => {
  const scene = tendering(["400", "500"]);
  const bid = bidOf(scene, BIDDER);

  it("by its owner, and then it is gone while the others stay", () => {
    const withdrawn = scene.send(BIDDER, withdrawBid(bid.id));
    assert.deepEqual(withdrawn.tender.bids, [bidOf(scene, RIVAL)]);
    assert.deepEqual([withdrawn.id, withdrawn.removed], [bid.id, bid]);
    assert.equal(withdrawn.outcome(BIDDER, withdrawBid(bid.id)), "hidden: bid");
  });

  it("until the deadline", () => {
    assert.equal(scene.at(DEADLINE - 1).outcome(BIDDER, withdrawBid(bid.id)), "ok");
    const late = scene.at(DEADLINE).refusal(BIDDER, withdrawBid(bid.id));
    assert.equal(reasonOf(late), "Can't delete bid in current (active.auction) tender status");
    assert.deepEqual(windowIn(late), { from: TENDERING, until: DEADLINE });
  });

  it("by no Administrator, unless it is his own", () => {
    const open = plain().at(TENDERING).send(BIDDER, placeBid("4"));
    assert.equal(open.outcome(ADMINISTRATOR, withdrawBid(open.id)), "forbidden");
    const owner = { ...BIDDER, account: { name: "bidder", group: "Administrator" } } as const;
    assert.equal(open.outcome(owner, withdrawBid(open.id)), "ok");
    assert.equal(open.send(owner, changeBid(open.id, { value: money("3") })).tender.bids[0]!.value!.amount, "3");
  });
});

describe("an Administrator", () => {
  const open = qualifying(["400", "500"]);
  const { id } = bidOf(open, BIDDER);

  it("corrects who bids once bids are open, and nothing else", () => {
    const fields = { tenderers: [{ name: "ТОВ Смачніше" }], value: money("1"), status: "draft" } as const;
    const [after] = open.send(ADMINISTRATOR, changeBid(id, fields)).tender.bids;
    assert.deepEqual(after, { ...open.tender.bids[0], tenderers: [{ ...cook, name: "ТОВ Смачніше" }] });
    assert.equal(open.send(ADMINISTRATOR, changeBid(id, { value: money("1") })).stored, open.stored);
  });

  it("must leave a valid bid", () => {
    const fields = { tenderers: [{ name: null }] };
    const outcome = open.outcome(ADMINISTRATOR, { kind: "change bid", bid: id, sent: { fields, problems: [unread] } });
    assert.equal(outcome, "colour: Rogue field; tenderers.0.name: This field is required.");
  });
});
