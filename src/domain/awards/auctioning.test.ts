import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, AUCTION, BIDDER, OTHERS, OWNER, type Scene, windowIn } from "../../../test/support/decisions.ts";
import {
  DEADLINE,
  finishAuction,
  money,
  NOBODY,
  placeBid,
  reportAuction,
  setAuctionUrls,
  TENDERING,
} from "../../../test/support/domainCommands.ts";
import { closed, plain, qualifying, SCENES, STATUSES, tendering } from "../../../test/support/scenes.ts";
import type { AuctionInput, Patch, TenderCommand } from "../model/commands.ts";
import { problem } from "../model/refusals.ts";
import { HOUR, MINUTE } from "../values/time.ts";

const unread = problem(["colour"], "Rogue field", "unknown-field", "shape");
const NUMBER = "bids: Number of auction results did not match the number of tender bids";
const IDENTICAL = "bids: Auction bids should be identical to the tender bids";
const uah = { currency: "UAH", valueAddedTaxIncluded: true };
const url = "http://auction.example";

const scene = closed(["100", "200"]).later(HOUR);
const [first, second] = scene.tender.bids.map(({ id }) => ({ id }));
/** The ids, amounts and dates of all bids. */
const bidsOf = ({ tender }: Scene) => tender.bids.map(({ id, value, date }) => [id, value!.amount, date]);

type Sending = (fields: Patch<AuctionInput>) => TenderCommand;
const ACTS: readonly (readonly [string, Sending])[] = [
  ["reports", (fields) => reportAuction(fields)],
  ["addresses", (fields) => setAuctionUrls(fields)],
  ["results", (fields) => finishAuction(fields)],
];

for (const [name, command] of ACTS)
  describe(`the ${name} of an auction`, () => {
    it("are refused with another number of bids", () => {
      for (const bids of [[], [first!], [first!, second!, first!]])
        assert.equal(scene.outcome(AUCTION, command({ bids })), NUMBER);
    });

    it("are refused with other bids than the tender's, or with one of them twice", () => {
      for (const bids of [
        [first!, { id: NOBODY }],
        [first!, first!],
        [second!, {}],
        [{}, first!],
      ])
        assert.equal(scene.outcome(AUCTION, command({ bids })), IDENTICAL);
    });

    it("name the bids in any order, or by their places", () => {
      for (const bids of [[first!, second!], [second!, first!], [{}, {}], [first!, {}], [{}, second!], undefined, null])
        assert.equal(scene.outcome(AUCTION, command({ bids })), "ok");
    });

    it("are refused for reading problems before the bids are checked", () => {
      const sent = { fields: { bids: [] }, problems: [unread] };
      for (const stage of [scene, tendering(["1"]), qualifying()]) {
        const reason = stage.outcome(AUCTION, { ...command({}), sent } as TenderCommand);
        assert.match(reason, /^colour: Rogue field/);
      }
    });
  });

describe("who may report for an auction", () => {
  it("are the auction and admins for its addresses and results", () => {
    for (const command of [setAuctionUrls({}), finishAuction()]) {
      for (const actor of [AUCTION, ADMIN]) assert.equal(scene.outcome(actor, command), "ok");
      for (const actor of [...OTHERS.filter((other) => other !== AUCTION), OWNER])
        assert.equal(scene.outcome(actor, command), "forbidden");
    }
  });

  it("is only the auction for its results, and also the owner in a plain tender", () => {
    const open = plain().at(TENDERING).send(BIDDER, placeBid("5"));
    for (const stage of [scene, open]) {
      assert.equal(stage.outcome(AUCTION, reportAuction({})), "ok");
      for (const actor of [...OTHERS.filter((other) => other !== AUCTION), ADMIN])
        assert.equal(stage.outcome(actor, reportAuction({})), "forbidden");
    }
    assert.equal(scene.outcome(OWNER, reportAuction({})), "forbidden");
    assert.equal(open.outcome(OWNER, reportAuction({})), "ok");
  });
});

describe("an auction is held between the deadline and the awards:", () => {
  for (const status of STATUSES.filter((name) => name !== "active.auction"))
    it(`not in ${status}`, () => {
      const expected = (doing: string) => `Can't ${doing} in current (${status}) tender status`;
      const stage = SCENES[status]();
      assert.equal(stage.outcome(AUCTION, setAuctionUrls({})), expected("update auction urls"));
      assert.equal(stage.outcome(AUCTION, finishAuction()), expected("report auction results"));
      assert.equal(stage.outcome(AUCTION, reportAuction({})), expected("report auction results"));
    });

  it("a refusal says from when, and until when once there are awards", () => {
    for (const [, command] of ACTS) {
      const early = tendering(["1", "2"]).refusal(AUCTION, command({}));
      assert.deepEqual(windowIn(early), { from: DEADLINE, until: undefined });
      const late = qualifying(["1", "2"]).refusal(AUCTION, command({}));
      assert.deepEqual(windowIn(late), { from: DEADLINE, until: DEADLINE + HOUR });
    }
  });

  it("in a plain tender prices are reported until it ends", () => {
    const outcomes = [plain(), plain().at(TENDERING), plain().at(DEADLINE)].map((stage) =>
      stage.outcome(OWNER, reportAuction({})),
    );
    assert.deepEqual(outcomes, ["ok", "ok", "ok"]);
    const draft = plain({ status: "draft" });
    assert.match(draft.outcome(OWNER, reportAuction({})), /^Can't report auction results in current \(draft\)/);
  });
});

describe("an auction report", () => {
  const reported = (bids: Patch<AuctionInput>["bids"]) => scene.send(AUCTION, reportAuction({ bids }));

  it("sets prices by the ids or the places of the bids, each dated if its amount changed", () => {
    const byId = reported([
      { ...second!, value: money("50") },
      { ...first!, value: money("100") },
    ]);
    const expected = [
      [first!.id, "100", TENDERING],
      [second!.id, "50", scene.now],
    ];
    assert.deepEqual(bidsOf(byId), expected);
    assert.deepEqual(bidsOf(reported([{}, { value: money("50") }])), expected);
    assert.deepEqual(byId.tender.bids[1]!.value, money("50", uah));
  });

  it("creates no award yet, and may be empty", () => {
    assert.equal(reported([{ value: money("50") }, {}]).tender.status, "active.auction");
    assert.equal(reported(undefined).stored, scene.stored);
  });

  it("is refused with prices that no bid may have", () => {
    assert.equal(
      scene.outcome(AUCTION, reportAuction({ bids: [{}, { value: money("500001") }] })),
      "bids.1.value: value of bid should be less than value of tender",
    );
  });
});

describe("the addresses of an auction", () => {
  it("are one for all and one for each bidder", () => {
    const bids = [
      { ...second!, participationUrl: `${url}/2` },
      { ...first!, participationUrl: `${url}/1` },
    ];
    const { tender } = scene.send(AUCTION, setAuctionUrls({ auctionUrl: url, bids }));
    assert.equal(tender.auctionUrl, url);
    assert.deepEqual(
      tender.bids.map(({ participationUrl }) => participationUrl),
      [`${url}/1`, `${url}/2`],
    );
    const { tender: after } = scene.send(AUCTION, setAuctionUrls({ bids: [{ participationUrl: url }, {}] }));
    assert.deepEqual([after.auctionUrl, after.bids[0]!.participationUrl], [undefined, url]);
    assert.ok(!("participationUrl" in after.bids[1]!));
  });

  it("stay if none are sent", () => {
    const addressed = scene.send(AUCTION, setAuctionUrls({ auctionUrl: url, bids: [{ participationUrl: url }, {}] }));
    assert.equal(addressed.later(MINUTE).send(AUCTION, setAuctionUrls({})).stored, addressed.stored);
  });

  it("are addresses of the web, every one of them", () => {
    const wrong = "Not a well formed URL.";
    const outcome = scene.outcome(AUCTION, setAuctionUrls({ auctionUrl: "x", bids: [{}, { participationUrl: "x" }] }));
    assert.equal(outcome, `auctionUrl: ${wrong}; bids.1.participationUrl: ${wrong}`);
  });

  it("apply to the whole tender, whatever lot is named, if it has no lots", () => {
    const { tender } = scene.send(AUCTION, setAuctionUrls({ auctionUrl: url }, NOBODY));
    assert.equal(tender.auctionUrl, url);
  });
});

describe("the results of an auction", () => {
  const finished = (bids?: Patch<AuctionInput>["bids"], lot?: string) =>
    scene.send(AUCTION, finishAuction({ bids }, lot));

  it("end it, set prices and dates by bid id, and create the award", () => {
    const date = scene.now - MINUTE;
    const after = finished([
      { ...second!, value: money("50"), date },
      { ...first!, value: money("90") },
    ]);
    assert.deepEqual(bidsOf(after), [
      [first!.id, "90", TENDERING],
      [second!.id, "50", date],
    ]);
    const { status, auctionPeriod, awards } = after.tender;
    assert.deepEqual([status, auctionPeriod], ["active.qualification", { endDate: scene.now }]);
    assert.deepEqual([awards.length, awards[0]!.bid_id, awards[0]!.value], [1, second!.id, money("50", uah)]);
  });

  it("may say no prices, which then stay", () => {
    for (const bids of [undefined, [{}, {}], [first!, second!]]) {
      const after = finished(bids);
      assert.deepEqual([after.tender.status, after.tender.bids], ["active.qualification", scene.tender.bids]);
    }
  });

  it("may say dates alone", () => {
    const after = finished([{ date: 5 }, {}]);
    assert.deepEqual(bidsOf(after)[0], [first!.id, "100", 5]);
  });

  it("are refused with prices that no bid may have", () => {
    const outcome = (value: object) => scene.outcome(AUCTION, finishAuction({ bids: [{}, { value }] }));
    assert.equal(outcome(money("500001")), "bids.1.value: value of bid should be less than value of tender");
    assert.equal(
      outcome({ currency: "USD" }),
      "bids.1.value: currency of bid should be identical to currency of value of tender",
    );
  });

  it("that change no price are not refused for existing problems of the bids", () => {
    const lowered = scene.with({ value: money("1", uah) });
    assert.equal(lowered.outcome(AUCTION, finishAuction()), "ok");
    assert.match(lowered.outcome(AUCTION, finishAuction({ bids: [{ value: money("1") }, {}] })), /^bids\.1\.value: /);
  });

  it("apply to the whole tender, whatever lot is named, if it has no lots", () => {
    assert.equal(finished(undefined, NOBODY).tender.status, "active.qualification");
  });

  it("are accepted once", () => {
    const again = finished().outcome(AUCTION, finishAuction());
    assert.equal(again, "Can't report auction results in current (active.qualification) tender status");
  });

  it("keep the planned start, and clear the sandbox mode", () => {
    const planned = scene.with({ auctionPeriod: { startDate: DEADLINE + 1 }, auctionEndsAt: scene.now + HOUR });
    const { tender } = planned.send(AUCTION, finishAuction());
    assert.deepEqual(tender.auctionPeriod, { startDate: DEADLINE + 1, endDate: scene.now });
    assert.equal(tender.auctionEndsAt, undefined);
  });
});
