import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ADMIN,
  ADMINISTRATOR,
  AUCTION,
  BIDDER,
  OWNER,
  RIVAL,
  reasonOf,
  STRANGER,
  windowIn,
  zone,
} from "../../../test/support/decisions.ts";
import {
  changeBid,
  DEADLINE,
  editTender,
  file,
  LOT_A,
  LOT_B,
  money,
  NOBODY,
  onBoth,
  placeBid,
  TENDERING,
  twoLots,
  withdrawBid,
} from "../../../test/support/domainCommands.ts";
import { cook } from "../../../test/support/organizations.ts";
import {
  bidOf,
  closed,
  plain,
  published,
  qualifying,
  SCENES,
  STATUSES,
  tendering,
} from "../../../test/support/scenes.ts";
import type { TenderCommand } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { formatInstant, MINUTE } from "../values/time.ts";
import { tenderPeriodRefusal } from "./bidding.ts";

const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
const uah = { currency: "UAH", valueAddedTaxIncluded: true };

describe("a new bid", () => {
  it("is active by default, dated, and owned by the broker that placed it", () => {
    const scene = tendering().later(MINUTE).send(BIDDER, placeBid("400"), { newTokenHash: "new" });
    assert.deepEqual(scene.tender.bids, [
      {
        ...{ id: scene.id, date: TENDERING + MINUTE, status: "active", owner: "bidder", tokenHash: "new" },
        ...{ tenderers: [cook], value: money("400", uah), lotValues: undefined, documents: [] },
      },
    ]);
    assert.equal(tendering().send(BIDDER, placeBid("1", { status: "draft" })).tender.bids[0]!.status, "draft");
  });

  it("is in the tender's money if it does not say, for its lots too, which are dated", () => {
    const usd = { currency: "USD", valueAddedTaxIncluded: false };
    const inDollars = { value: money("500", usd), minimalStep: money("5", usd) };
    assert.deepEqual(tendering(["4"], inDollars).tender.bids[0]!.value, money("4", usd));
    const { bids } = tendering([onBoth("4", "5")], { ...inDollars, ...twoLots }).tender;
    assert.deepEqual(bids[0]!.lotValues, [
      { relatedLot: LOT_A, value: money("4", usd), date: TENDERING },
      { relatedLot: LOT_B, value: money("5", usd), date: TENDERING },
    ]);
  });

  it("is in UAH with VAT on a plain tender without a value, and may have no value itself", () => {
    const scene = plain().at(TENDERING);
    assert.deepEqual(scene.send(BIDDER, placeBid("4")).tender.bids[0]!.value, money("4", uah));
    assert.equal(scene.send(BIDDER, placeBid("4", { value: undefined })).tender.bids[0]!.value, undefined);
  });

  it("contains documents, each with the metadata of its file", () => {
    const fields = {
      tenderers: [cook],
      value: money("1"),
      documents: [{ title: "Ціна.txt", format: "text/plain", url: "u" }],
    };
    const command: TenderCommand = { kind: "place bid", sent: { fields, problems: [] }, files: [file] };
    const [document] = tendering().send(BIDDER, command).tender.bids[0]!.documents;
    const { title, key, datePublished, documentOf } = document!;
    assert.deepEqual([title, key, datePublished, documentOf], ["Ціна.txt", file.key, TENDERING, "tender"]);
  });

  it("is refused with everything that is wrong with it and its documents", () => {
    const fields = { tenderers: [cook], documents: [{}] };
    const outcome = tendering().outcome(BIDDER, { kind: "place bid", sent: { fields, problems: [unread] } });
    assert.deepEqual(outcome.split("; "), [
      "colour: Rogue field",
      "value: This field is required.",
      "documents.0.title: This field is required.",
      "documents.0.format: This field is required.",
      "documents.0.url: This field is required.",
    ]);
  });

  for (const status of STATUSES.filter((name) => name !== "active.tendering"))
    it(`is not placed in ${status}`, () => {
      const expected = `Can't add bid in current (${status}) tender status`;
      assert.equal(SCENES[status]().outcome(BIDDER, placeBid("1")), expected);
      assert.match(SCENES[status]().outcome(BIDDER, placeBid("-1")), /^value.amount: /, "what is wrong comes first");
    });

  it("could be placed in the tender period, as a refusal says before and after it", () => {
    const period = { from: TENDERING, until: DEADLINE };
    assert.deepEqual(windowIn(published().refusal(BIDDER, placeBid("1"))), period);
    assert.deepEqual(windowIn(closed([]).refusal(BIDDER, placeBid("1"))), period);
  });
});

describe("the tender period", () => {
  const outcomeAt = (at: number, startDate?: number, endDate?: number): string => {
    const { stored } = tendering();
    const refused = tenderPeriodRefusal({ ...stored, tenderPeriod: { startDate, endDate } }, { at, zone }, "added");
    return refused ? reasonOf(refused.refused) : "ok";
  };

  it("includes both its begin and its end", () => {
    assert.equal(outcomeAt(5, 5, 7), "ok");
    assert.equal(outcomeAt(7, 5, 7), "ok");
    const [begin, end] = [5, 7].map((at) => formatInstant(at, zone));
    const expected = `Bid can be added only during the tendering period: from (${begin}) to (${end}).`;
    assert.deepEqual([outcomeAt(4, 5, 7), outcomeAt(8, 5, 7)], [expected, expected]);
  });

  it("is open where an end is not known", () => {
    assert.equal(outcomeAt(5), "ok");
    assert.equal(outcomeAt(5, 5), "ok");
    assert.equal(outcomeAt(5, undefined, 5), "ok");
    assert.match(outcomeAt(4, 5), /from \(.+\) to \(None\)\.$/);
    assert.match(outcomeAt(8, undefined, 7), /from \(None\) to \(.+\)\.$/);
  });

  it("counts also if an Administrator has begun bidding early: nothing is added, changed or withdrawn before it", () => {
    const early = published().send(ADMINISTRATOR, editTender({ status: "active.tendering" }));
    const [begin, end] = [TENDERING, DEADLINE].map((at) => formatInstant(at, zone));
    const expected = (done: string) =>
      `Bid can be ${done} only during the tendering period: from (${begin}) to (${end}).`;
    const refusal = early.refusal(BIDDER, placeBid("1"));
    assert.equal(reasonOf(refusal), expected("added"));
    assert.deepEqual(windowIn(refusal), { from: TENDERING, until: DEADLINE });
    const placed = early.at(TENDERING).send(BIDDER, placeBid("1"));
    const before = placed.at(TENDERING - 1);
    assert.equal(before.outcome(BIDDER, changeBid(placed.id, { value: money("2") })), expected("updated"));
    assert.equal(before.outcome(BIDDER, withdrawBid(placed.id)), expected("deleted"));
  });
});

describe("the owner of a bid", () => {
  const sealed = tendering(["400", "500"]);
  const open = qualifying(["400", "500"]);
  const bid = bidOf(sealed, BIDDER).id;
  const STRANGERS = [
    {},
    STRANGER,
    RIVAL,
    OWNER,
    ADMIN,
    ADMINISTRATOR,
    AUCTION,
    { ...RIVAL, tokenHash: BIDDER.tokenHash },
  ];

  it("is the only one who can see it while it is sealed: for all others it does not exist", () => {
    for (const actor of STRANGERS)
      for (const id of [bid, NOBODY])
        for (const command of [changeBid(id, {}), withdrawBid(id)])
          assert.deepEqual(sealed.refusal(actor, command), { kind: "hidden", objectName: "bid" });
    for (const command of [changeBid(bid, {}), withdrawBid(bid)]) assert.equal(sealed.outcome(BIDDER, command), "ok");
    assert.equal(sealed.outcome(BIDDER, changeBid(NOBODY, {})), "hidden: bid");
  });

  it("everybody knows once it is open, and only its owner, admins and an Administrator may write it", () => {
    const [{ id }] = [bidOf(open, BIDDER)];
    const late = "Can't update bid in current (active.qualification) tender status";
    assert.equal(open.outcome(BIDDER, changeBid(id, {})), late);
    assert.equal(open.outcome(ADMIN, changeBid(id, {})), late);
    assert.equal(open.outcome(ADMINISTRATOR, changeBid(id, {})), "ok");
    for (const actor of [{}, STRANGER, RIVAL, OWNER, AUCTION])
      assert.equal(open.outcome(actor, changeBid(id, {})), "forbidden");
    assert.equal(open.outcome(BIDDER, changeBid(NOBODY, {})), "not found: bid");
  });

  it("is the same in a plain tender, where bids are open from the first", () => {
    const scene = plain().at(TENDERING).send(BIDDER, placeBid("4"));
    assert.equal(scene.outcome(RIVAL, withdrawBid(scene.id)), "forbidden");
    assert.equal(scene.outcome(ADMIN, withdrawBid(scene.id)), "ok");
    assert.equal(scene.outcome(RIVAL, withdrawBid(NOBODY)), "not found: bid");
  });
});
