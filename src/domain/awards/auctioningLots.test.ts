import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION, OWNER, type Scene, windowIn } from "../../../test/support/decisions.ts";
import {
  cancelLot,
  DEADLINE,
  finishAuction,
  LOT_A,
  LOT_B,
  money,
  NOBODY,
  onA,
  onB,
  onBoth,
  setAuctionUrls,
  TENDERING,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import { closed, statusesOf } from "../../../test/support/scenes.ts";
import type { AuctionInput, Patch, TenderCommand } from "../model/commands.ts";
import type { LotValue } from "../model/tender.ts";
import { HOUR, MINUTE } from "../values/time.ts";

const url = "http://auction.example";
const scene = closed([onBoth("900", "800"), onBoth("850", "850")], twoLots).later(HOUR);
const [first, second] = scene.tender.bids.map(({ id }) => ({ id }));
const both = (a: Patch<LotValue>, b: Patch<LotValue>) => [
  { relatedLot: LOT_A, ...a },
  { relatedLot: LOT_B, ...b },
];
/** The same values for lots in both bids. */
const each = (...lotValues: Patch<LotValue>[]) => [
  { ...first!, lotValues },
  { ...second!, lotValues },
];
const amountsOf = ({ tender }: Scene) =>
  tender.bids.map(({ lotValues }) => lotValues!.map(({ value }) => value!.amount));

describe("the addresses of a lot's auction", () => {
  const addressed = (fields: Patch<AuctionInput>, lot = LOT_A) =>
    scene.send(AUCTION, setAuctionUrls(fields, lot)).tender;
  const urlsOf = (tender: Scene["tender"]) => [
    tender.lots.map(({ auctionUrl }) => auctionUrl),
    tender.bids.map(({ lotValues }) => lotValues!.map(({ participationUrl }) => participationUrl)),
  ];

  it("are set for that lot only, whatever is sent for others", () => {
    const lots = [
      { id: LOT_B, auctionUrl: `${url}/b` },
      { id: LOT_A, auctionUrl: `${url}/a` },
    ];
    const bids = each(...both({ participationUrl: `${url}/1` }, { participationUrl: `${url}/2` }));
    assert.deepEqual(urlsOf(addressed({ lots, bids })), [
      [`${url}/a`, undefined],
      [
        [`${url}/1`, undefined],
        [`${url}/1`, undefined],
      ],
    ]);
    assert.deepEqual(urlsOf(addressed({ lots, bids }, LOT_B))[0], [undefined, `${url}/b`]);
  });

  it("are found by their places where no lot is named", () => {
    const lots = [{ auctionUrl: `${url}/a` }, { auctionUrl: `${url}/b` }];
    const bids = each({ participationUrl: `${url}/1` }, { participationUrl: `${url}/2` });
    assert.deepEqual(urlsOf(addressed({ lots, bids }, LOT_B)), [
      [undefined, `${url}/b`],
      [
        [undefined, `${url}/2`],
        [undefined, `${url}/2`],
      ],
    ]);
  });

  it("stay if none are sent", () => {
    const set = scene.send(
      AUCTION,
      setAuctionUrls({ lots: [{ auctionUrl: url }, {}], bids: each(...both({ participationUrl: url }, {})) }, LOT_A),
    );
    for (const fields of [{}, { lots: [{ id: LOT_A }, {}] }, { bids: [{}, {}] }, { bids: each(...both({}, {})) }])
      assert.equal(set.later(MINUTE).send(AUCTION, setAuctionUrls(fields, LOT_A)).stored, set.stored);
  });

  it("are not those of the whole", () => {
    const outcome = (fields: Patch<AuctionInput>) => scene.outcome(AUCTION, setAuctionUrls(fields, LOT_A));
    const ofBid = "participationUrl: url should be posted for each lot of bid";
    assert.equal(outcome({ auctionUrl: url }), "auctionUrl: url should be posted for each lot");
    assert.equal(outcome({ bids: [{ participationUrl: url }, {}] }), `bids.0.${ofBid}`);
  });

  it("are addresses of the web, every one of them", () => {
    const wrong = "Not a well formed URL.";
    const fields = { lots: [{}, { auctionUrl: "x" }], bids: [{ lotValues: [{}, { participationUrl: "x" }] }, {}] };
    assert.equal(
      scene.outcome(AUCTION, setAuctionUrls(fields, LOT_A)),
      `bids.0.lotValues.1.participationUrl: ${wrong}; lots.1.auctionUrl: ${wrong}`,
    );
  });

  it("are refused with other lots than the tender's", () => {
    const outcome = (...ids: string[]) =>
      scene.outcome(AUCTION, setAuctionUrls({ lots: ids.map((id) => ({ id })) }, LOT_A));
    const number = "lots: Number of lots did not match the number of tender lots";
    const identical = "lots: Auction lots should be identical to the tender lots";
    assert.deepEqual([outcome(), outcome(LOT_A), outcome(LOT_A, LOT_B, LOT_A)], [number, number, number]);
    assert.deepEqual([outcome(LOT_A, NOBODY), outcome(LOT_A, LOT_A)], [identical, identical]);
    assert.equal(outcome(LOT_B, LOT_A), "ok");
  });
});

const ACTS: readonly (readonly [string, (fields: Patch<AuctionInput>) => TenderCommand])[] = [
  ["the addresses", (fields) => setAuctionUrls(fields, LOT_A)],
  ["the results", (fields) => finishAuction(fields, LOT_A)],
];

for (const [name, command] of ACTS)
  describe(`${name} of a lot's auction are refused`, () => {
    const outcome = (lotValues: readonly Patch<LotValue>[]) =>
      scene.outcome(
        AUCTION,
        command({
          bids: [
            { ...second!, lotValues: both({}, {}) },
            { ...first!, lotValues },
          ],
        }),
      );

    it("with another number of values for lots than the bid has", () => {
      const number = "Number of lots of auction results did not match the number of tender lots";
      const expected = `bids.0.lotValues: ${number}`;
      assert.deepEqual([outcome([]), outcome([{}]), outcome([{}, {}, {}])], [expected, expected, expected]);
      assert.equal(outcome([{}, {}]), "ok");
    });

    it("with two values for one lot, named or by its place", () => {
      const twice = "bids.0.lotValues: bids don't allow duplicated proposals";
      for (const lotValues of [
        [{ relatedLot: LOT_A }, { relatedLot: LOT_A }],
        [{ relatedLot: LOT_B }, {}],
        [{}, { relatedLot: LOT_A }],
      ])
        assert.equal(outcome(lotValues), twice);
    });

    it("with a value for a lot that the bid is not for", () => {
      const expected = (place: number) =>
        `bids.0.lotValues.${place}.relatedLot: relatedLot should be one of lots of bid`;
      assert.equal(outcome([{ relatedLot: LOT_A }, { relatedLot: NOBODY }]), expected(1));
      assert.equal(outcome([{ relatedLot: NOBODY }, { relatedLot: LOT_B }]), expected(0));
    });

    it("for the first thing that is wrong: bids, lots, values for lots", () => {
      const wrongValues = { lotValues: [{}] };
      const fewer = command({ bids: [{ ...first!, ...wrongValues }], lots: [{}] });
      assert.match(scene.outcome(AUCTION, fewer), /^bids: Number of auction results[^;]*$/);
      const values = command({
        bids: [
          { ...first!, ...wrongValues },
          { ...second!, ...wrongValues },
        ],
      });
      assert.match(scene.outcome(AUCTION, values), /^bids\.0\.lotValues: Number of lots[^;]*$/);
    });
  });

it("of the addresses of a lot's auction, other lots are reported before values for lots", () => {
  const bids = [{ lotValues: [{}] }, {}];
  assert.match(
    scene.outcome(AUCTION, setAuctionUrls({ bids, lots: [{}] }, LOT_A)),
    /^lots: Number of lots did not[^;]*$/,
  );
});

describe("the results of a lot's auction", () => {
  const finished = (fields: Patch<AuctionInput>, lot = LOT_A, from = scene) =>
    from.send(AUCTION, finishAuction(fields, lot));

  it("set the prices and dates of that lot only, and may be sent again while other auctions run", () => {
    const fields = { bids: each(...both({ value: money("700"), date: 5 }, { value: money("1"), date: 5 })) };
    const once = finished(fields);
    assert.deepEqual(
      [once.tender.status, amountsOf(once)],
      [
        "active.auction",
        [
          ["700", "800"],
          ["700", "850"],
        ],
      ],
    );
    assert.deepEqual(
      once.tender.bids[1]!.lotValues!.map(({ date }) => date),
      [5, TENDERING + 1_000_000],
    );
    assert.deepEqual(once.tender.lots[0]!.auctionPeriod, { endDate: scene.now });
    assert.equal(once.tender.lots[1]!.auctionPeriod, undefined);
    const again = finished({ bids: each(...both({ value: money("600") }, {})) }, LOT_A, once.later(MINUTE));
    assert.deepEqual(amountsOf(again), [
      ["600", "800"],
      ["600", "850"],
    ]);
    assert.equal(again.tender.bids[0]!.lotValues![0]!.date, 5, "the date stays if none is said");
  });

  it("are found by the places of the values where no lot is named", () => {
    const fields = { bids: [{ lotValues: [{}, { value: money("1") }] }, {}] };
    assert.deepEqual(amountsOf(finished(fields, LOT_B)), [
      ["900", "1"],
      ["850", "850"],
    ]);
    assert.deepEqual(amountsOf(finished(fields, LOT_A)), [
      ["900", "800"],
      ["850", "850"],
    ]);
    const named = { bids: [{ lotValues: [{ relatedLot: LOT_B, value: money("2") }, { relatedLot: LOT_A }] }, {}] };
    assert.deepEqual(amountsOf(finished(named, LOT_B)), [
      ["900", "2"],
      ["850", "850"],
    ]);
  });

  it("change nothing for a bid that is not for the lot", () => {
    const mixed = closed([onA("9"), onA("8"), onB("7")], twoLots);
    const bids = [{}, { lotValues: [{ value: money("5") }] }, { lotValues: [{ value: money("1") }] }];
    const after = mixed.send(AUCTION, finishAuction({ bids }, LOT_A));
    assert.deepEqual(amountsOf(after), [["9"], ["5"], ["7"]]);
  });

  it("create the awards of all lots when the last auction is over", () => {
    const done = finished({}, LOT_B, finished({}));
    assert.deepEqual(
      [done.tender.status, statusesOf(done.tender.awards)],
      ["active.qualification", ["pending", "pending"]],
    );
    const scene = closed([onBoth("900", "800"), onA("850")], twoLots);
    const { awards } = scene.send(AUCTION, finishAuction({}, LOT_A)).tender;
    assert.deepEqual(
      awards.map(({ lotID, value }) => [lotID, value!.amount]),
      [
        [LOT_A, "850"],
        [LOT_B, "800"],
      ],
    );
  });

  it("are nothing for the whole tender or for a lot that is not there", () => {
    const bids = each(...both({ value: money("1") }, { value: money("1") }));
    for (const lot of [undefined, NOBODY]) {
      assert.equal(scene.send(AUCTION, finishAuction({ bids }, lot)).stored, scene.stored);
      const lots = [{ auctionUrl: url }, {}];
      assert.equal(scene.send(AUCTION, setAuctionUrls({ lots }, lot)).stored, scene.stored);
    }
  });

  it("are refused with a price above the lot's", () => {
    const bids = [{ lotValues: both({ value: money("1000.01") }, {}) }, {}];
    assert.equal(
      scene.outcome(AUCTION, finishAuction({ bids }, LOT_A)),
      "bids.0.lotValues.0.value: value of bid should be less than value of lot",
    );
  });

  it("are refused once the lot is not active, with the time since when", () => {
    const cancelled = scene.send(OWNER, cancelLot(LOT_A)).later(MINUTE);
    const results = cancelled.refusal(AUCTION, finishAuction({}, LOT_A));
    assert.deepEqual(results, {
      ...{ kind: "rule", rule: "lot-not-active", message: "Can report auction results only in active lot status" },
      window: { from: DEADLINE, until: scene.now },
    });
    const urls = cancelled.refusal(AUCTION, setAuctionUrls({}, LOT_A));
    assert.equal("message" in urls && urls.message, "Can update auction urls only in active lot status");
    assert.deepEqual(windowIn(urls), { from: DEADLINE, until: scene.now });
    assert.equal(cancelled.outcome(AUCTION, setAuctionUrls({}, LOT_B)), "ok");
    assert.equal(cancelled.send(AUCTION, finishAuction({}, LOT_B)).tender.status, "active.qualification");
  });
});
