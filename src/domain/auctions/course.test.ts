import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION_START, amountsOf, driveAuction, initialBid, TWO_BIDS } from "../../../test/support/auctions.ts";
import { decimal } from "../values/decimal.ts";
import { MINUTE } from "../values/time.ts";
import { advanceAuction, nextStageChange } from "./advance.ts";
import type { AuctionState } from "./model.ts";
import { placeOffers } from "./order.ts";

const after = (minutes: number) => minutes * MINUTE;
const END = after(100);
const stagesOf = ({ stages }: AuctionState) =>
  stages.map((stage) => {
    const end = "end" in stage ? (stage.end - AUCTION_START) / MINUTE : undefined;
    const bidder = stage.kind === "turn" ? (stage.bidder ?? "?") : "";
    return [stage.kind, bidder, (stage.start - AUCTION_START) / MINUTE, end].filter((part) => part !== "").join(" ");
  });
const orderOf = ({ stages }: AuctionState, round: number) =>
  stages.flatMap((stage) => (stage.kind === "turn" && stage.round === round ? [stage.bidder] : []));

describe("the course of an auction", () => {
  it("is a pause of five minutes, three rounds of two-minute turns with pauses of two, and a pre-announcement", () => {
    const auction = driveAuction();
    assert.deepEqual(stagesOf(auction.goTo(END)), [
      "pause 0 5",
      "turn 1 5 7",
      "turn 2 7 9",
      "pause 9 11",
      "turn 1 11 13",
      "turn 2 13 15",
      "pause 15 17",
      "turn 1 17 19",
      "turn 2 19 21",
      "pre-announcement 21 23",
      "announcement 23 ",
    ]);
  });

  it("begins at the planned start, exactly, and ends with the announcement", () => {
    const auction = driveAuction();
    assert.equal(auction.goTo(-1).status, "planned");
    assert.equal(auction.goTo(0).status, "running");
    assert.equal(auction.goTo(after(23) - 1).status, "running");
    const ended = auction.goTo(after(23));
    assert.equal(ended.status, "ended");
    assert.equal(ended.at, AUCTION_START + after(23));
    assert.deepEqual(ended.events.at(-1), {
      at: AUCTION_START + after(23),
      kind: "ended",
      places: [
        { place: 1, bidder: 2, amount: "480", date: 1 },
        { place: 2, bidder: 1, amount: "500", date: 2 },
      ],
    });
  });

  it("begins at once with a full pause if the bids come after the planned start", () => {
    const auction = driveAuction([]);
    assert.equal(auction.goTo(after(1)).status, "planned");
    const begun = auction.send(after(1), { kind: "begin", bids: TWO_BIDS });
    assert.deepEqual(stagesOf(begun).slice(0, 2), ["pause 1 6", "turn 1 6 8"]);
  });

  it("takes the bids that were given last before the start", () => {
    const auction = driveAuction();
    auction.send(-1, { kind: "begin", bids: [initialBid("x", "1"), initialBid("y", "2")] });
    assert.deepEqual(amountsOf(auction.goTo(0)), { x: "1", y: "2" });
  });

  it("passes in one instant if every stage has no length", () => {
    const none = { firstPauseMicros: 0, pauseMicros: 0, turnMicros: 0, preAnnouncementMicros: 0 };
    const auction = driveAuction(TWO_BIDS, none);
    assert.equal(auction.goTo(0).status, "ended");
    assert.equal(auction.state().at, AUCTION_START);
  });

  it("has a wake-up for every stage and none after the last", () => {
    const auction = driveAuction();
    const wakeUps: (number | undefined)[] = [];
    for (let next = nextStageChange(auction.state()); next !== undefined; next = nextStageChange(auction.state())) {
      wakeUps.push((next - AUCTION_START) / MINUTE);
      auction.goTo(next - AUCTION_START);
    }
    assert.deepEqual(wakeUps, [0, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23]);
    assert.equal(nextStageChange(driveAuction([]).state()), undefined);
  });

  it("is the same however often time is advanced, and an advance without a stage end returns the same object", () => {
    const often = driveAuction();
    for (let minute = 0; minute <= 30; minute += 0.25) often.goTo(after(minute));
    const rarely = driveAuction();
    assert.deepEqual(often.state(), rarely.goTo(after(30)));
    assert.equal(advanceAuction(often.state(), AUCTION_START + END), often.state());
    const inPause = driveAuction();
    inPause.goTo(0);
    assert.equal(inPause.state(), inPause.goTo(after(5) - 1));
  });
});

describe("the order of a round", () => {
  it("is worst offer first, and of equal offers the later one first", () => {
    const bids = [
      initialBid("a", "100", 5),
      initialBid("b", "100", 3),
      initialBid("c", "200", 1),
      initialBid("d", "90", 9),
    ];
    const auction = driveAuction(bids);
    const { offers } = auction.goTo(0);
    assert.deepEqual(Object.fromEntries(offers.map(({ bid, bidder }) => [bid, bidder])), { c: 1, a: 2, b: 3, d: 4 });
    assert.deepEqual(orderOf(auction.state(), 1), [1, 2, 3, 4]);
  });

  it("of equal offers of one instant puts the last of the tender first, as the award ranks it last", () => {
    const auction = driveAuction([initialBid("a", "100"), initialBid("b", "100"), initialBid("c", "100")]);
    const { offers } = auction.goTo(0);
    assert.deepEqual(
      offers.map(({ bidder }) => bidder),
      [3, 2, 1],
    );
  });

  it("is computed when the pause before it begins, from the prices that are published", () => {
    const auction = driveAuction();
    auction.place(after(5), "dear", "400");
    assert.deepEqual(orderOf(auction.goTo(after(9) - 1), 2), [undefined, undefined]);
    assert.deepEqual(orderOf(auction.goTo(after(9)), 2), [2, 1]);
    // Bidder 2 has the first turn now and undercuts; the order of the round stays.
    auction.place(after(11), "cheap", "300");
    assert.deepEqual(orderOf(auction.goTo(after(13)), 2), [2, 1]);
    assert.deepEqual(orderOf(auction.goTo(after(15)), 3), [1, 2]);
  });

  it("moves a bidder who matches a price before the one who had it earlier", () => {
    const auction = driveAuction();
    auction.place(after(6), "dear", "480");
    assert.deepEqual(orderOf(auction.goTo(after(9)), 2), [1, 2]);
    assert.deepEqual(
      placeOffers(auction.goTo(END).offers).map(({ bidder }) => bidder),
      [2, 1],
    );
  });

  it("is by normalised price if there are features, as an exact fraction", () => {
    // 510 / (20/17) = 433.5 is better than 480, and 600 / (20/17) = 510 is worse.
    const bids = [
      initialBid("plain", "480", 1),
      initialBid("good", "510", 2, "20/17"),
      initialBid("bad", "600", 3, "20/17"),
    ];
    const { offers } = driveAuction(bids, { hasFeatures: true }).goTo(0);
    assert.deepEqual(
      placeOffers(offers).map(({ amount }) => amount),
      ["510", "480", "600"],
    );
    // 564.70588235294117647058823529411764… / (20/17) equals 480 only in floats.
    const near = [initialBid("plain", "480", 5), initialBid("near", "564.7058823529411764", 1, "20/17")];
    const [first] = placeOffers(driveAuction(near, { hasFeatures: true }).goTo(0).offers);
    assert.equal(first?.amount, "564.7058823529411764");
  });
});

describe("a turn", () => {
  it("publishes its last price at its end, with the time at which it was placed", () => {
    const auction = driveAuction();
    auction.place(after(5), "dear", "450");
    auction.place(after(6), "dear", "470");
    assert.deepEqual(amountsOf(auction.goTo(after(7) - 1)), { cheap: "480", dear: "500" });
    const published = auction.goTo(after(7));
    assert.deepEqual(amountsOf(published), { cheap: "480", dear: "470" });
    assert.equal(published.offers[1]?.date, AUCTION_START + after(6));
    assert.equal(published.unpublished, undefined);
    assert.deepEqual(published.stages[1], {
      kind: "turn",
      round: 1,
      bidder: 1,
      start: AUCTION_START + after(5),
      end: AUCTION_START + after(7),
      result: { amount: "470", date: AUCTION_START + after(6), isNew: true },
    });
  });

  it("keeps the previous price and its date if nothing is placed, or if it is taken back", () => {
    const auction = driveAuction();
    auction.place(after(5), "dear", "450");
    auction.send(after(6), { kind: "take back price", bid: "dear" });
    const { stages, offers } = auction.goTo(after(9));
    assert.deepEqual(offers[1]?.date, 2);
    assert.deepEqual(stages[1]?.kind === "turn" && stages[1].result, { amount: "500", date: 2, isNew: false });
    assert.deepEqual(stages[2]?.kind === "turn" && stages[2].result, { amount: "480", date: 1, isNew: false });
  });

  it("lets a price be placed again after it was taken back", () => {
    const auction = driveAuction();
    auction.place(after(5), "dear", "450");
    auction.send(after(6), { kind: "take back price", bid: "dear" });
    auction.place(after(6.5), "dear", "460");
    assert.equal(amountsOf(auction.goTo(after(7))).dear, "460");
  });

  it("begins in its first microsecond and is over in that of its end", () => {
    const price = { kind: "place price", bid: "dear", amount: decimal("490") } as const;
    assert.equal(driveAuction().refused(after(5) - 1, price).rule, "not-your-turn");
    assert.equal(driveAuction().send(after(5), price).unpublished?.amount, "490");
    const auction = driveAuction();
    assert.equal(auction.send(after(7) - 1, price).unpublished?.amount, "490");
    assert.equal(amountsOf(auction.goTo(after(7))).dear, "490");
    const late = driveAuction().refused(after(7), price);
    assert.equal(late.rule, "turn-ended");
    assert.equal(late.missedTurn?.end, AUCTION_START + after(7));
  });
});
