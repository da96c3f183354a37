import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION, CHRONOGRAPH, OWNER, type Scene, STRANGER } from "../../../test/support/decisions.ts";
import {
  cancelLot,
  DEADLINE,
  editTender,
  fileClaim,
  finishAuction,
  LOT_A,
  LOT_B,
  onA,
  onB,
  onBoth,
  placeBid,
  TENDERING,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import { closed, type Offer, placed, published, statusesOf, tendering } from "../../../test/support/scenes.ts";
import type { TenderInput } from "../model/commands.ts";
import { DAY, MINUTE } from "../values/time.ts";
import { isAuctionOver } from "./closing.ts";

const draft = placeBid("1", { status: "draft" });
const start = DEADLINE + DAY;
/** The status of the tender, then those of its lots. */
const statuses = ({ tender }: Scene): readonly string[] => [tender.status, ...statusesOf(tender.lots)];

describe("at the deadline a tender without lots", () => {
  for (const [bids, offers, status] of [
    ["no bids", [], "unsuccessful"],
    ["one bid", ["400"], "active.qualification"],
    ["two bids", ["400", "500"], "active.auction"],
    ["three bids", ["400", "500", "300"], "active.auction"],
    ["drafts alone", [draft, draft], "unsuccessful"],
    ["one bid and a draft", [draft, "400"], "active.qualification"],
  ] as readonly (readonly [string, readonly Offer[], string])[])
    it(`with ${bids} is ${status}, and dated`, () => {
      const { tender } = closed(offers);
      assert.deepEqual([tender.status, tender.date], [status, DEADLINE]);
      assert.ok(
        tender.bids.every((bid) => bid.status === "active"),
        "drafts are forgotten",
      );
      assert.equal(tender.bids.length, offers.filter((offer) => offer !== draft).length);
    });

  it("that nobody read until later is dated by the first read", () => {
    assert.equal(tendering(["1"]).at(DEADLINE + DAY).tender.date, DEADLINE + DAY);
  });

  it("keeps the plan of its auction only if there is one", () => {
    const plan = (offers: readonly Offer[]) =>
      tendering(offers)
        .send(CHRONOGRAPH, editTender({ auctionPeriod: { startDate: start } }))
        .at(DEADLINE).tender.auctionPeriod;
    assert.deepEqual(plan(["1", "2"]), { startDate: start });
    assert.deepEqual(plan(["1"]), {});
    assert.deepEqual(closed(["1"]).tender.auctionPeriod, undefined);
  });

  it("ignores unanswered claims if it ends, and keeps them otherwise", () => {
    const claimed = (offers: readonly Offer[]) =>
      placed(published().send(STRANGER, fileClaim()).at(TENDERING), offers).at(DEADLINE).tender.complaints[0]!;
    assert.deepEqual([claimed([]).status, claimed([]).date], ["ignored", DEADLINE]);
    assert.equal(claimed(["1"]).status, "claim");
  });
});

describe("at the deadline a tender with lots", () => {
  for (const [sentence, offers, expected] of [
    ["that nobody bids for is unsuccessful with all of them", [], ["unsuccessful", "unsuccessful", "unsuccessful"]],
    [
      "goes to qualification with one bid for one lot, and the other is unsuccessful",
      [onA("9")],
      ["active.qualification", "active", "unsuccessful"],
    ],
    ["goes to qualification with one bid for each", [onA("9"), onB("8")], ["active.qualification", "active", "active"]],
    [
      "goes to the auction with two bids for one lot",
      [onA("9"), onA("8")],
      ["active.auction", "active", "unsuccessful"],
    ],
    [
      "lets a lot with one bid wait for the auction of the other",
      [onBoth("9", "8"), onA("7")],
      ["active.auction", "active", "active"],
    ],
  ] as readonly (readonly [string, readonly Offer[], readonly string[]])[])
    it(sentence, () => {
      const scene = closed(offers, twoLots);
      assert.deepEqual(statuses(scene), expected);
      for (const { status, date } of scene.tender.lots)
        assert.equal(date === DEADLINE, status === "unsuccessful", "a lot that ends is dated");
    });

  it("counts for a lot only bids that are active", () => {
    const drafts = [
      onA("9"),
      { ...onA("8"), sent: { fields: { ...onA("8").sent.fields, status: "draft" }, problems: [] } },
    ];
    assert.deepEqual(statuses(closed(drafts as Offer[], twoLots)), ["active.qualification", "active", "unsuccessful"]);
  });

  it("leaves a lot that was cancelled as it is, however many bid for it", () => {
    const scene = published(twoLots).at(TENDERING).send(OWNER, cancelLot(LOT_A));
    const { date } = scene.tender.lots[0]!;
    const bids = placed(scene, [onA("9"), onA("8"), onB("7")]).at(DEADLINE);
    assert.deepEqual(statuses(bids), ["active.qualification", "cancelled", "active"]);
    assert.deepEqual([bids.tender.bids.length, bids.tender.awards.length], [3, 1]);
    const none = scene.at(DEADLINE);
    assert.deepEqual(statuses(none), ["unsuccessful", "cancelled", "unsuccessful"]);
    assert.equal(none.tender.lots[0]!.date, date);
  });

  it("keeps the plans of lots with something to auction, and drops the others", () => {
    const plan = { auctionPeriod: { startDate: start } };
    const scene = tendering([onA("1"), onA("2"), onB("3")], twoLots).send(
      CHRONOGRAPH,
      editTender({ lots: [plan, plan] }),
    );
    assert.deepEqual(
      scene.at(DEADLINE).tender.lots.map(({ auctionPeriod }) => auctionPeriod),
      [{ startDate: start }, {}],
    );
  });
});

describe("the auctions of lots are over", () => {
  const scene = closed([onBoth("9", "8"), onBoth("7", "6")], twoLots).later(MINUTE);
  const first = scene.send(AUCTION, finishAuction({}, LOT_A));

  it("when each that has several bids has been held", () => {
    assert.equal(isAuctionOver(scene.tender), false);
    assert.equal(isAuctionOver(first.tender), false);
    assert.equal(isAuctionOver(first.send(AUCTION, finishAuction({}, LOT_B)).tender), true);
  });

  it("without those that have at most one bid or are not active", () => {
    const scene = closed([onBoth("9", "8"), onA("7")], twoLots);
    assert.equal(isAuctionOver(scene.tender), false);
    assert.equal(isAuctionOver(scene.send(AUCTION, finishAuction({}, LOT_A)).tender), true);
    assert.equal(isAuctionOver(first.send(OWNER, cancelLot(LOT_B)).tender), true);
  });
});

describe("in the sandbox a tender", () => {
  const quick = (mode: string): TenderInput => ({ submissionMethodDetails: `quick(mode:${mode})` });
  const sandbox = { sandbox: true };

  for (const mode of ["no-auction", "fast-forward"]) {
    it(`by ${mode} has its award at the deadline, by the prices of the bids`, () => {
      const { tender } = closed(["300", "200", "400"], quick(mode), sandbox);
      assert.deepEqual([tender.status, tender.awards.length], ["active.qualification", 1]);
      assert.equal(tender.awards[0]!.value!.amount, "200");
      assert.equal(tender.auctionEndsAt, undefined);
    });

    it(`by ${mode} has an award for every lot`, () => {
      const { tender } = closed([onBoth("3", "4"), onBoth("2", "5")], { ...twoLots, ...quick(mode) }, sandbox);
      assert.deepEqual(
        tender.awards.map(({ lotID, value }) => [lotID, value!.amount]),
        [
          [LOT_A, "2"],
          [LOT_B, "4"],
        ],
      );
    });

    it(`is not run by ${mode} anywhere else`, () => {
      assert.equal(closed(["300", "200"], quick(mode)).tender.status, "active.auction");
    });
  }

  it("with fast-forward says when the auction was, for each lot that had one", () => {
    const withoutLots = closed(["1", "2"], quick("fast-forward"), sandbox).tender;
    assert.deepEqual(withoutLots.auctionPeriod, { startDate: DEADLINE, endDate: DEADLINE });
    const { tender } = closed([onBoth("3", "4"), onA("2")], { ...twoLots, ...quick("fast-forward") }, sandbox);
    assert.deepEqual(
      tender.lots.map(({ auctionPeriod }) => auctionPeriod),
      [{ startDate: DEADLINE, endDate: DEADLINE }, undefined],
    );
    assert.equal(tender.auctionPeriod, undefined);
  });

  it("by fast-forward keeps the begin that was planned, and leaves cancelled lots alone", () => {
    const scene = tendering([onBoth("3", "4"), onBoth("2", "5")], { ...twoLots, ...quick("fast-forward") }, sandbox);
    const planned = scene.send(CHRONOGRAPH, editTender({ lots: [{ auctionPeriod: { startDate: TENDERING } }, {}] }));
    const { lots } = planned.send(OWNER, cancelLot(LOT_B)).at(DEADLINE).tender;
    assert.deepEqual(
      lots.map(({ auctionPeriod }) => auctionPeriod),
      [{ startDate: TENDERING, endDate: DEADLINE }, undefined],
    );
  });

  it("by no-auction has no auction period at all", () => {
    assert.equal(closed(["1", "2"], quick("no-auction"), sandbox).tender.auctionPeriod, undefined);
  });

  it("that is quick and nothing else waits for its auction", () => {
    const { tender } = closed(["1", "2"], { submissionMethodDetails: "quick" }, sandbox);
    assert.equal(tender.status, "active.auction");
  });
});
