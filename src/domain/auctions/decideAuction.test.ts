import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION_START, amountsOf, driveAuction, initialBid, TWO_BIDS } from "../../../test/support/auctions.ts";
import { decimal } from "../values/decimal.ts";
import { MINUTE } from "../values/time.ts";
import { decideAuction } from "./decideAuction.ts";
import { AUCTION_STATUSES, type AuctionCommand } from "./model.ts";
import { AUCTION_PHASES, PHASES, phaseOf } from "./phases.ts";
import { recordOf, recordText } from "./record.ts";
import { replayText } from "./replay.ts";

const NAMES = [
  { bid: "cheap", name: "ТОВ «Дешево»" },
  { bid: "dear", name: "Dear Ltd" },
];
const NEXT_DAY = 24 * 60 * MINUTE;

describe("planning an auction again", () => {
  it("before it begins moves its start", () => {
    const auction = driveAuction();
    auction.send(-1, { kind: "plan", start: AUCTION_START + NEXT_DAY });
    assert.equal(auction.goTo(NEXT_DAY - 1).status, "planned");
    assert.equal(auction.goTo(NEXT_DAY).status, "running");
    assert.deepEqual(auction.state().earlierAttempts, []);
  });

  it("after an interruption discards its prices, and keeps them in the log", () => {
    const auction = driveAuction();
    auction.place(5 * MINUTE, "dear", "300");
    auction.goTo(7 * MINUTE);
    const until = AUCTION_START + 20 * MINUTE;
    auction.send(20 * MINUTE, { kind: "report interruption", from: AUCTION_START + 8 * MINUTE, until });
    assert.equal(auction.state().status, "interrupted");
    const planned = auction.send(21 * MINUTE, { kind: "plan", start: AUCTION_START + NEXT_DAY });
    assert.deepEqual([planned.status, planned.stages, planned.offers], ["planned", [], []]);
    assert.equal(planned.earlierAttempts[0]?.offers[1]?.amount, "300");
    assert.deepEqual(amountsOf(auction.goTo(NEXT_DAY)), { cheap: "480", dear: "500" });
    assert.deepEqual(
      auction.state().offers.map(({ bidder }) => bidder),
      [2, 1],
    );
  });

  it("while it runs discards its prices too", () => {
    const auction = driveAuction();
    auction.place(5 * MINUTE, "dear", "300");
    const planned = auction.send(6 * MINUTE, { kind: "plan", start: AUCTION_START + NEXT_DAY });
    assert.deepEqual([planned.status, planned.unpublished, planned.current], ["planned", undefined, undefined]);
    assert.deepEqual(amountsOf(auction.goTo(NEXT_DAY + 10 * MINUTE)), { cheap: "480", dear: "500" });
  });

  it("for a time that has passed begins it at once", () => {
    const auction = driveAuction();
    const begun = auction.send(8 * MINUTE, { kind: "plan", start: AUCTION_START });
    assert.deepEqual([begun.status, begun.stages[0]?.start], ["running", AUCTION_START + 8 * MINUTE]);
  });
});

describe("a start that nobody carried out", () => {
  const start = AUCTION_START + 9 * MINUTE;

  it("can be replaced by a later one, as if the auction had not begun", () => {
    const auction = driveAuction();
    const begun = auction.send(9 * MINUTE, { kind: "plan", start, startMissed: true });
    assert.deepEqual([begun.stages[0]?.start, begun.earlierAttempts], [start, []]);
    assert.deepEqual(replayText(recordText(recordOf(begun))).differences, []);
  });

  it("was not missed if a stage was carried out: the auction is planned again", () => {
    const auction = driveAuction();
    auction.goTo(0);
    const again = auction.send(9 * MINUTE, { kind: "plan", start });
    assert.deepEqual([again.stages[0]?.start, again.earlierAttempts.length], [start, 1]);
    assert.deepEqual(replayText(recordText(recordOf(again))).differences, []);
  });
});

describe("planning an auction that has no bids yet", () => {
  it("keeps the start as it is given, even if it has passed", () => {
    const auction = driveAuction([]);
    const planned = auction.send(MINUTE, { kind: "plan", start: AUCTION_START - 1 });
    assert.deepEqual([planned.status, planned.plannedStart], ["planned", AUCTION_START - 1]);
    assert.deepEqual(planned.events.at(-1), {
      at: AUCTION_START + MINUTE,
      kind: "planned",
      start: AUCTION_START - 1,
    });
  });
});

describe("cancelling an auction", () => {
  it("ends it at once, and its unpublished price is gone", () => {
    const auction = driveAuction();
    auction.place(5 * MINUTE, "dear", "300");
    const cancelled = auction.send(6 * MINUTE, { kind: "cancel" });
    assert.deepEqual([cancelled.status, cancelled.unpublished, cancelled.current], ["cancelled", undefined, undefined]);
    assert.deepEqual(cancelled.events.at(-1), { at: AUCTION_START + 6 * MINUTE, kind: "cancelled" });
    assert.deepEqual(auction.goTo(60 * MINUTE), cancelled);
    assert.equal(auction.refused(60 * MINUTE, { kind: "plan", start: AUCTION_START }).rule, "auction-stage");
  });

  it("is possible before it begins, and not after it has ended", () => {
    assert.equal(driveAuction([]).send(-1, { kind: "cancel" }).status, "cancelled");
    const auction = driveAuction();
    assert.equal(auction.refused(23 * MINUTE, { kind: "cancel" }).rule, "auction-stage");
    assert.equal(auction.state().status, "ended");
  });
});

describe("disclosing names", () => {
  it("is possible only once the auction has ended", () => {
    const auction = driveAuction();
    assert.equal(auction.refused(22 * MINUTE, { kind: "disclose names", names: NAMES }).rule, "auction-stage");
    const disclosed = auction.send(23 * MINUTE, { kind: "disclose names", names: NAMES });
    assert.deepEqual(disclosed.names, NAMES);
    assert.deepEqual(disclosed.events.at(-1), {
      at: AUCTION_START + 23 * MINUTE,
      kind: "names",
      names: [
        { bidder: 1, name: "Dear Ltd" },
        { bidder: 2, name: "ТОВ «Дешево»" },
      ],
    });
  });
});

describe("decideAuction", () => {
  it("records every command with its instant, and the rule of a refused one", () => {
    const auction = driveAuction();
    const price = { kind: "place price", bid: "dear", amount: decimal("499") } as const;
    auction.refused(5 * MINUTE, price);
    assert.deepEqual(auction.state().inputs.at(-1), {
      at: AUCTION_START + 5 * MINUTE,
      command: price,
      refused: "price-step",
    });
    assert.deepEqual(
      auction.state().inputs.map(({ command }) => command.kind),
      ["plan", "begin", "place price"],
    );
  });

  it("throws for what no correct caller sends", () => {
    const auction = driveAuction();
    auction.goTo(5 * MINUTE);
    const state = auction.state();
    const mistakes: readonly (readonly [AuctionCommand, number, RegExp])[] = [
      [{ kind: "cancel" }, state.at - 1, /before that of the last input/],
      [{ kind: "cancel" }, state.at + 0.5, /whole number/],
      [{ kind: "begin", bids: TWO_BIDS.slice(1) }, state.at, /needs two bids/],
      [{ kind: "begin", bids: [...TWO_BIDS, ...TWO_BIDS] }, state.at, /twice/],
      [{ kind: "begin", bids: [...TWO_BIDS, initialBid("c", "1", 0, "0")] }, state.at, /coefficient 0 is not/],
      [{ kind: "begin", bids: [...TWO_BIDS, initialBid("c", "1", 0, "x")] }, state.at, /coefficient x is not/],
      [{ kind: "report interruption", from: 2, until: 1 }, state.at, /ends before it begins/],
      [{ kind: "report interruption", from: state.at, until: state.at + 1 }, state.at, /in the future/],
      [{ kind: "disclose names", names: NAMES.slice(1) }, state.at, /not those of the bids/],
      [{ kind: "disclose names", names: [...NAMES, ...NAMES] }, state.at, /not those of the bids/],
    ];
    for (const [command, at, message] of mistakes) assert.throws(() => decideAuction(state, command, at), message);
  });

  it("does not change the state that it gets", () => {
    const auction = driveAuction();
    const before = auction.goTo(5 * MINUTE);
    const text = JSON.stringify(before);
    auction.place(6 * MINUTE, "dear", "450");
    auction.goTo(60 * MINUTE);
    assert.equal(JSON.stringify(before), text);
  });
});

describe("the table of phases", () => {
  it("has every status, and leads from each phase that is not final to its end", () => {
    assert.deepEqual(new Set(AUCTION_PHASES.map((phase) => PHASES[phase].status)), new Set(AUCTION_STATUSES));
    for (const phase of AUCTION_PHASES) {
      const isFinal = ["announcement", "cancelled"].includes(phase);
      assert.equal(PHASES[phase].moves.length === 0, isFinal, phase);
      assert.equal(
        PHASES[phase].moves.some(({ to }) => to === "cancelled"),
        !isFinal,
        phase,
      );
    }
  });

  it("names the status of every phase that an auction goes through", () => {
    const auction = driveAuction();
    for (let minute = -1; minute < 25; minute++) {
      const state = auction.goTo(minute * MINUTE);
      assert.equal(PHASES[phaseOf(state)].status, state.status);
    }
  });
});
