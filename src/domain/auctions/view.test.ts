import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION_START, driveAuction } from "../../../test/support/auctions.ts";
import { MINUTE } from "../values/time.ts";
import { EVENTS_START, eventsAfter, eventsBetween, lastPosition, parsePosition } from "./events.ts";
import { viewAuction } from "./view.ts";

const DEAR = { bid: "dear" };
const NAMES = [
  { bid: "cheap", name: "Cheap Ltd" },
  { bid: "dear", name: "Dear Ltd" },
];

/** An auction in the first turn, in which a price is placed that nobody but its bidder may see. */
function withUnpublishedPrice() {
  const auction = driveAuction();
  auction.place(5 * MINUTE, "dear", "432.1");
  return auction;
}

describe("the view of an auction", () => {
  it("before the first pause shows the planned start and nothing about bids", () => {
    const view = viewAuction(driveAuction().state(), "everyone");
    assert.deepEqual([view.status, view.plannedStart, view.stages, view.offers], ["planned", AUCTION_START, [], []]);
    const { lastEvent, ...withoutBids } = viewAuction(driveAuction([]).state(), "everyone");
    assert.deepEqual(view, { ...withoutBids, lastEvent });
  });

  it("shows the unpublished price to its bidder only, until the turn ends", () => {
    const auction = withUnpublishedPrice();
    for (const audience of ["everyone", { bid: "cheap" }, { bid: "stranger" }] as const)
      assert.doesNotMatch(JSON.stringify(viewAuction(auction.state(), audience)), /432/);
    assert.deepEqual(viewAuction(auction.state(), DEAR).own, {
      bidder: 1,
      isOwnTurn: true,
      previous: { amount: "500", date: 2 },
      unpublished: { amount: "432.1", date: AUCTION_START + 5 * MINUTE },
      highestAllowed: "490",
      confirmBelow: "350",
    });
    assert.match(JSON.stringify(viewAuction(auction.goTo(7 * MINUTE), "everyone")), /432/);
  });

  it("has no bid ids and no names until the names are disclosed", () => {
    const auction = driveAuction();
    assert.doesNotMatch(JSON.stringify(viewAuction(auction.goTo(23 * MINUTE), "everyone")), /cheap|dear/i);
    auction.send(24 * MINUTE, { kind: "disclose names", names: NAMES });
    const { offers } = viewAuction(auction.state(), "everyone");
    assert.deepEqual(
      offers.map(({ place, label, bid, name }) => [place, label, bid, name]),
      [
        [1, "Bidder 2", "cheap", "Cheap Ltd"],
        [2, "Bidder 1", "dear", "Dear Ltd"],
      ],
    );
  });

  it("lists offers best first, with initial prices and coefficients, and says when the stage ends", () => {
    const auction = driveAuction();
    auction.place(5 * MINUTE, "dear", "400");
    const { offers, current, nextChange, phase } = viewAuction(auction.goTo(8 * MINUTE), "everyone");
    assert.deepEqual([phase, current, nextChange], ["turn", 2, AUCTION_START + 9 * MINUTE]);
    assert.deepEqual(offers[0], {
      bidder: 1,
      label: "Bidder 1",
      place: 1,
      amount: "400",
      date: AUCTION_START + 5 * MINUTE,
      coefficient: "1",
      initial: { amount: "500", date: 2 },
    });
  });

  it("has no form for a bidder once the auction is over", () => {
    assert.equal(viewAuction(driveAuction().goTo(23 * MINUTE), DEAR).own, undefined);
  });
});

describe("the events of an auction", () => {
  it("are numbered without gaps for everyone, and do not show that a price was placed", () => {
    const auction = driveAuction();
    const before = auction.goTo(5 * MINUTE);
    auction.place(5 * MINUTE, "dear", "432.1");
    auction.place(6 * MINUTE, "dear", "432");
    assert.deepEqual(eventsBetween(before, auction.state(), "everyone"), []);
    assert.deepEqual(eventsBetween(before, auction.state(), { bid: "cheap" }), []);
    assert.deepEqual(
      eventsBetween(before, auction.state(), DEAR).map(({ id, event }) => [id, event.kind]),
      [
        ["4.1", "price placed"],
        ["4.2", "price placed"],
      ],
    );
    const after = eventsBetween(before, auction.goTo(7 * MINUTE), "everyone");
    assert.deepEqual(
      after.map(({ id, event }) => [id, event.kind]),
      [
        ["5", "turn result"],
        ["6", "stage"],
      ],
    );
    assert.equal(viewAuction(auction.state(), "everyone").lastEvent, "6");
    assert.equal(viewAuction(auction.state(), DEAR).lastEvent, "6.2");
  });

  it("are the same from one state to a later one, in one step or in many", () => {
    const auction = withUnpublishedPrice();
    const collected = [];
    let before = driveAuction([]).state();
    for (let minute = 5; minute < 25; minute++) {
      const next = auction.goTo(minute * MINUTE);
      collected.push(...eventsBetween(before, next, DEAR));
      before = next;
    }
    assert.deepEqual(collected.slice(0), eventsAfter(before, { shared: 1, own: 0 }, DEAR));
    assert.equal(collected.length + 1, eventsAfter(before, EVENTS_START, DEAR)?.length);
  });

  it("continue after the id that a client saw last, also if it was no bidder then", () => {
    const state = withUnpublishedPrice().goTo(7 * MINUTE);
    const idsAfter = (id: string) => {
      const position = parsePosition(id);
      return position && eventsAfter(state, position, DEAR)?.map((event) => event.id);
    };
    assert.deepEqual(idsAfter("4.0"), ["4.1", "5.1", "6.1"]);
    assert.deepEqual(idsAfter("5.1"), ["6.1"]);
    assert.deepEqual(idsAfter("5"), ["4.1", "6.1"]);
    assert.deepEqual(idsAfter("6.1"), []);
    assert.deepEqual(
      eventsAfter(state, { shared: 5, own: 1 }, "everyone")?.map(({ id }) => id),
      ["6"],
    );
  });

  it("are unknown after an id that the auction has not reached, and for a text that is no id", () => {
    const state = withUnpublishedPrice().state();
    assert.equal(eventsAfter(state, { shared: 5, own: 0 }, "everyone"), undefined);
    assert.equal(eventsAfter(state, { shared: 4, own: 2 }, DEAR), undefined);
    assert.deepEqual(lastPosition(state, DEAR), { shared: 4, own: 1 });
    for (const text of ["", "x", "-1", "1.", "1.2.3", "1e3", "9999999999"])
      assert.equal(parsePosition(text), undefined);
  });

  it("say who has the next turns and, after an interruption, how the stages have moved", () => {
    const auction = driveAuction();
    const before = auction.goTo(6 * MINUTE);
    assert.deepEqual(before.events[2], { at: AUCTION_START, kind: "stage", index: 0, order: [1, 2] });
    const [from, until] = [AUCTION_START + 6 * MINUTE, AUCTION_START + 7 * MINUTE];
    const after = auction.send(7 * MINUTE, { kind: "report interruption", from, until });
    const [repeated] = eventsBetween(before, after, "everyone");
    assert.deepEqual(repeated, {
      id: "5",
      event: { at: until, kind: "turn repeated", from, until, index: 1, stages: after.stages.slice(1) },
    });
  });
});
