import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatTime } from "../../support/examples.ts";
import {
  type AnyJson,
  assertRefusedByRule,
  cancelLot,
  errorsWithStatus,
  finishAuction,
  LOT_A,
  LOT_B,
  onA,
  onBoth,
  reachTenderingEnd,
  type TenderStory,
  UNKNOWN_ID,
  withLots,
} from "../../support/procedure.ts";
import { expectStatus, sharedWorld } from "../../support/world.ts";

describe("the auction of a lot", async () => {
  const world = await sharedWorld();
  const start = () => reachTenderingEnd(world, [onBoth(900, 800), onBoth(850, 850)], withLots(world.clock.now));
  const patch = (story: TenderStory, data: object, lot: string = LOT_A) =>
    story.as("auction", "PATCH", `/auction/${lot}`, data);
  const lotIds = [{ id: LOT_A }, { id: LOT_B }];
  const each = ({ bidders }: TenderStory, ...lotValues: object[]) => bidders.map(({ id }) => ({ id, lotValues }));
  const both = (a: object, b: object) => [
    { relatedLot: LOT_A, ...a },
    { relatedLot: LOT_B, ...b },
  ];

  it("cannot be read separately, only with the whole auction", async () => {
    const story = await start();
    assert.equal((await story.as("auction", "GET", `/auction/${LOT_A}`)).status, 405);
    const { data } = expectStatus(200, await story.as("auction", "GET", "/auction")).body;
    assert.deepEqual(
      data.lots.map(({ id, status, numberOfBids }: AnyJson) => [id, status, numberOfBids]),
      [
        [LOT_A, "active", undefined],
        [LOT_B, "active", undefined],
      ],
    );
    assert.deepEqual(
      data.bids,
      story.bidders.map(({ data: { id, date, lotValues } }) => ({ id, date, lotValues })),
    );
  });

  it("has its own URL, and a participation URL for each bidder", async () => {
    const story = await start();
    const url = "http://auction.example/lot";
    const lots = lotIds.map((lot) => ({ ...lot, auctionUrl: url }));
    const sent = each(story, ...both({ participationUrl: `${url}/a` }, { participationUrl: `${url}/b` }));
    const { data } = expectStatus(200, await patch(story, { lots, bids: sent })).body;
    assert.deepEqual(
      data.lots.map(({ auctionUrl }: AnyJson) => auctionUrl),
      [url, undefined],
    );
    for (const { lotValues } of data.bids)
      assert.deepEqual(
        lotValues.map(({ participationUrl }: AnyJson) => participationUrl),
        [`${url}/a`, undefined],
      );
  });

  it("sets the prices of that lot only, and may be reported again while other auctions run", async () => {
    const story = await start();
    const results = (amount: number) => ({
      bids: each(story, ...both({ value: { amount } }, { value: { amount: 1 } })),
    });
    expectStatus(200, await finishAuction(story, LOT_A, results(700)));
    const { data } = expectStatus(200, await finishAuction(story, LOT_A, results(600))).body;
    assert.equal(data.status, "active.auction");
    assert.equal(data.lots[0].auctionPeriod.endDate, formatTime(world.clock.now));
    const { bids } = expectStatus(200, await finishAuction(story, LOT_B)).body.data;
    assert.deepEqual(
      bids.map(({ lotValues }: AnyJson) => lotValues.map(({ value }: AnyJson) => value.amount)),
      [
        [600, 800],
        [600, 850],
      ],
    );
  });

  it("changes nothing when the whole tender or an unknown lot is addressed", async () => {
    const story = await start();
    const before = await story.fetchTender();
    const info = expectStatus(200, await story.as("auction", "GET", "/auction")).body;
    for (const path of ["/auction", `/auction/${UNKNOWN_ID}`]) {
      const sent = { bids: each(story, ...both({ value: { amount: 1 } }, { value: { amount: 1 } })) };
      assert.deepEqual(expectStatus(200, await story.as("auction", "POST", path, sent)).body.data, before);
      const urls = { lots: lotIds.map((lot) => ({ ...lot, auctionUrl: "http://x.example" })) };
      assert.deepEqual(expectStatus(200, await story.as("auction", "PATCH", path, urls)).body, info);
    }
    assert.deepEqual(await story.fetchTender(), before);
  });

  it("is refused once the lot is not active", async () => {
    const story = await start();
    await cancelLot(story, LOT_A);
    assertRefusedByRule(await finishAuction(story, LOT_A), "Can report auction results only in active lot status");
    assertRefusedByRule(await patch(story, {}), "Can update auction urls only in active lot status");
    assert.equal(expectStatus(200, await finishAuction(story, LOT_B)).body.data.status, "active.qualification");
  });

  it("is refused with URLs for the whole tender", async () => {
    const story = await start();
    const url = "http://auction.example";
    assert.deepEqual(errorsWithStatus(422, await patch(story, { auctionUrl: url })), [
      ["body/auctionUrl", ["url should be posted for each lot"]],
    ]);
    const bids = story.bidders.map(({ id }) => ({ id, participationUrl: url }));
    const apart = { participationUrl: ["url should be posted for each lot of bid"] };
    assert.deepEqual(errorsWithStatus(422, await patch(story, { bids })), [["body/bids", [apart, apart]]]);
    assert.deepEqual(errorsWithStatus(422, await patch(story, { auctionUrl: url, bids })), [
      ["body/bids", [apart, apart]],
    ]);
  });

  it("is refused with invalid URLs", async () => {
    const story = await start();
    const wrong = ["Not a well formed URL."];
    const bids = each(story, ...both({ participationUrl: "x" }, {}));
    const inBid = { lotValues: [{ participationUrl: wrong }] };
    assert.deepEqual(errorsWithStatus(422, await patch(story, { bids })), [["body/bids", [inBid, inBid]]]);
    const lots = [{ id: LOT_A, auctionUrl: "x" }, { id: LOT_B }];
    assert.deepEqual(errorsWithStatus(422, await patch(story, { lots })), [["body/lots", [{ auctionUrl: wrong }]]]);
  });

  it("is refused with the wrong number of lots", async () => {
    const story = await start();
    const number = ["body/lots", "Number of lots did not match the number of tender lots"];
    assert.deepEqual(errorsWithStatus(422, await patch(story, { lots: [{ id: LOT_A }] })), [number]);
    assert.deepEqual(errorsWithStatus(422, await patch(story, { lots: [...lotIds, { id: LOT_A }] })), [number]);
  });

  it("is refused with lots that the tender does not have", async () => {
    const story = await start();
    const identical = ["body/lots", "Auction lots should be identical to the tender lots"];
    assert.deepEqual(errorsWithStatus(422, await patch(story, { lots: [{ id: LOT_A }, { id: UNKNOWN_ID }] })), [
      identical,
    ]);
    assert.deepEqual(errorsWithStatus(422, await patch(story, { lots: [{ id: LOT_A }, { id: LOT_A }] })), [identical]);
  });

  for (const method of ["PATCH", "POST"]) {
    const send = (story: TenderStory, data: object) => story.as("auction", method, `/auction/${LOT_A}`, data);

    it(`is refused by ${method} with the wrong number of lot values`, async () => {
      const story = await start();
      const wrong = { lotValues: ["Number of lots of auction results did not match the number of tender lots"] };
      const [first, second] = each(story, { relatedLot: LOT_A });
      const complete = { ...second, lotValues: both({}, {}) };
      assert.deepEqual(errorsWithStatus(422, await send(story, { bids: [first, complete] })), [["body/bids", [wrong]]]);
    });

    it(`is refused by ${method} with lot values that the bid does not have`, async () => {
      const story = await start();
      const wrong = { lotValues: [{ relatedLot: ["relatedLot should be one of lots of bid"] }] };
      const [first, second] = each(story, ...both({}, {}));
      const strange = [{ relatedLot: LOT_A }, { relatedLot: UNKNOWN_ID }];
      const sent = { bids: [{ ...first, lotValues: strange }, second] };
      assert.deepEqual(errorsWithStatus(422, await send(story, sent)), [["body/bids", [wrong]]]);
    });

    it(`is refused by ${method} with two values for one lot, by name or by position`, async () => {
      const story = await start();
      const twice = { lotValues: ["bids don't allow duplicated proposals"] };
      const [first, second] = each(story, ...both({}, {}));
      const value = { amount: 10 };
      for (const lotValues of [
        [{ relatedLot: LOT_A }, { relatedLot: LOT_A }],
        [{ relatedLot: LOT_B, value }, { value }],
        [{ value }, { relatedLot: LOT_A, value }],
      ])
        assert.deepEqual(errorsWithStatus(422, await send(story, { bids: [{ ...first, lotValues }, second] })), [
          ["body/bids", [twice]],
        ]);
    });

    it(`gets one error after ${method}, in the order bids, bid ids, lots, lot ids, lot values`, async () => {
      const story = await start();
      const [first, second] = each(story, { relatedLot: UNKNOWN_ID });
      const stranger = { ...second, id: UNKNOWN_ID };
      const lots = method === "PATCH" ? [{ lots: [{ id: LOT_A }] }, { lots: [{ id: LOT_A }, { id: UNKNOWN_ID }] }] : [];
      const number = { lotValues: ["Number of lots of auction results did not match the number of tender lots"] };
      const tries: readonly (readonly [object, unknown])[] = [
        [
          { bids: [first], ...lots[0] },
          ["body/bids", "Number of auction results did not match the number of tender bids"],
        ],
        [{ bids: [first, stranger], ...lots[0] }, ["body/bids", "Auction bids should be identical to the tender bids"]],
        ...lots.map((wrong, i): readonly [object, unknown] => [
          { bids: [first, second], ...wrong },
          [
            "body/lots",
            i === 0
              ? "Number of lots did not match the number of tender lots"
              : "Auction lots should be identical to the tender lots",
          ],
        ]),
        [{ bids: [first, second] }, ["body/bids", [number]]],
      ];
      for (const [sent, expected] of tries)
        assert.deepEqual(errorsWithStatus(422, await send(story, sent)), [expected]);
    });
  }

  it("is refused with a price above the lot's value", async () => {
    const story = await start();
    const [first, second] = each(story, ...both({}, {}));
    const dear = { ...first, lotValues: both({ value: { amount: 1001 } }, {}) };
    assert.deepEqual(errorsWithStatus(422, await finishAuction(story, LOT_A, { bids: [dear, second] })), [
      ["body/bids", [{ lotValues: [{ value: ["value of bid should be less than value of lot"] }] }]],
    ]);
  });

  it("involves only the bids for that lot", async () => {
    const story = await reachTenderingEnd(world, [onBoth(900, 800), onA(850)], withLots(world.clock.now));
    const sent = {
      bids: [{ id: story.bidders[1]!.id, lotValues: [{ value: { amount: 10 } }] }, { id: story.bidders[0]!.id }],
    };
    const { awards } = expectStatus(200, await finishAuction(story, LOT_A, sent)).body.data;
    assert.deepEqual(
      awards.map(({ lotID, value, bid_id }: AnyJson) => [lotID, value.amount, bid_id]),
      [
        [LOT_A, 10, story.bidders[1]!.id],
        [LOT_B, 800, story.bidders[0]!.id],
      ],
    );
  });
});
