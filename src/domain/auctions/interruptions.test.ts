import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION_START, type AuctionDriver, amountsOf, driveAuction } from "../../../test/support/auctions.ts";
import { MINUTE, SECOND } from "../values/time.ts";

const at = (minutes: number, seconds = 0) => minutes * MINUTE + seconds * SECOND;

/** Reports an interruption at its end. */
const interrupt = (auction: AuctionDriver, from: number, until: number) =>
  auction.send(until, { kind: "report interruption", from: AUCTION_START + from, until: AUCTION_START + until });

const turnsOf = (auction: AuctionDriver) =>
  auction
    .state()
    .stages.flatMap((stage) =>
      stage.kind === "turn"
        ? [
            [
              stage.round,
              stage.bidder ?? "?",
              (stage.start - AUCTION_START) / SECOND,
              (stage.end - AUCTION_START) / SECOND,
              ...(stage.isInterrupted ? ["interrupted"] : []),
            ].join(" "),
          ]
        : [],
    );
const endOf = (auction: AuctionDriver) => {
  const last = auction.state().stages.at(-1);
  return last && (last.start - AUCTION_START) / SECOND;
};

describe("an interruption", () => {
  it("of more than five seconds of a turn gives the turn again in full, and moves the later stages", () => {
    const auction = driveAuction();
    interrupt(auction, at(5, 30), at(5, 36));
    assert.deepEqual(turnsOf(auction).slice(0, 3), ["1 1 300 336 interrupted", "1 1 336 456", "1 2 456 576"]);
    assert.equal(endOf(auction), 23 * 60 + 36);
  });

  it("of five seconds changes nothing, but is recorded", () => {
    const auction = driveAuction();
    const before = driveAuction().goTo(at(5, 35));
    const after = interrupt(auction, at(5, 30), at(5, 35));
    assert.deepEqual(after.stages, before.stages);
    assert.deepEqual(after.events, before.events);
    assert.equal(after.inputs.length, before.inputs.length + 1);
    interrupt(auction, at(6), at(6, 5) + 1);
    assert.equal(turnsOf(auction)[0], "1 1 300 365.000001 interrupted");
  });

  it("leaves the price that was placed, which can still be changed or taken back", () => {
    const keep = driveAuction();
    keep.place(at(5, 10), "dear", "450");
    interrupt(keep, at(5, 30), at(6));
    assert.equal(keep.state().unpublished?.amount, "450");
    assert.equal(keep.goTo(at(8) - 1).offers[1]?.amount, "500");
    assert.deepEqual(keep.goTo(at(8)).offers[1]?.date, AUCTION_START + at(5, 10));
    assert.equal(amountsOf(keep.state()).dear, "450");
    const takeBack = driveAuction();
    takeBack.place(at(5, 10), "dear", "450");
    interrupt(takeBack, at(5, 30), at(6));
    takeBack.send(at(7), { kind: "take back price", bid: "dear" });
    assert.equal(amountsOf(takeBack.goTo(at(8))).dear, "500");
  });

  it("takes only the turn of which it took more than five seconds", () => {
    const auction = driveAuction();
    auction.place(at(5, 10), "dear", "450");
    // Three seconds of the first turn, ten of the second.
    interrupt(auction, at(6, 57), at(7, 10));
    assert.deepEqual(turnsOf(auction).slice(0, 3), ["1 1 300 420", "1 2 420 430 interrupted", "1 2 430 550"]);
    assert.equal(amountsOf(auction.state()).dear, "450");
  });

  it("in a pause changes nothing, but takes the turn that follows if it lasts that long", () => {
    const short = driveAuction();
    interrupt(short, at(1), at(5, 5));
    assert.equal(turnsOf(short)[0], "1 1 300 420");
    const long = driveAuction();
    interrupt(long, at(1), at(5, 6));
    assert.deepEqual(turnsOf(long).slice(0, 2), ["1 1 300 306 interrupted", "1 1 306 426"]);
  });

  it("over the start lets the first pause begin as planned", () => {
    const auction = driveAuction();
    interrupt(auction, at(-1), at(4));
    assert.equal(auction.state().stages[0]?.start, AUCTION_START);
    assert.equal(auction.state().status, "running");
  });

  it("before the auction changes nothing, however long it is", () => {
    const auction = driveAuction();
    interrupt(auction, at(-59), at(-1));
    assert.deepEqual([auction.state().status, auction.state().plannedStart], ["planned", AUCTION_START]);
  });

  it("can take the same turn again", () => {
    const auction = driveAuction();
    interrupt(auction, at(5, 10), at(5, 20));
    interrupt(auction, at(7), at(8));
    assert.deepEqual(turnsOf(auction).slice(0, 4), [
      "1 1 300 320 interrupted",
      "1 1 320 480 interrupted",
      "1 1 480 600",
      "1 2 600 720",
    ]);
  });

  it("of more than ten minutes breaks the auction off, and of exactly ten does not", () => {
    const exactly = driveAuction();
    interrupt(exactly, at(5), at(15));
    assert.deepEqual([exactly.state().status, turnsOf(exactly)[1]], ["running", "1 1 900 1020"]);
    const auction = driveAuction();
    auction.place(at(5), "dear", "450");
    const broken = interrupt(auction, at(5), at(15) + 1);
    assert.equal(broken.status, "interrupted");
    assert.equal(broken.unpublished, undefined);
    assert.equal(broken.current, undefined);
    assert.deepEqual(broken.events.at(-1), {
      at: AUCTION_START + at(15) + 1,
      kind: "interrupted",
      from: AUCTION_START + at(5),
      until: AUCTION_START + at(15) + 1,
    });
    assert.deepEqual(auction.goTo(at(60)), broken);
  });

  it("after the last turn does not break the auction off: its prices count", () => {
    const auction = driveAuction();
    auction.place(at(5), "dear", "450");
    auction.goTo(at(20, 55));
    interrupt(auction, at(20, 56), at(120));
    assert.equal(auction.state().status, "ended");
    assert.equal(auction.state().stages.at(-1)?.start, AUCTION_START + at(23));
    assert.equal(amountsOf(auction.state()).dear, "450");
  });

  it("begins at the earliest when the service last stored something, and is recorded so", () => {
    const auction = driveAuction();
    auction.place(at(5, 33), "dear", "450");
    const after = interrupt(auction, at(5, 30), at(5, 37));
    assert.equal(turnsOf(auction)[0], "1 1 300 420");
    assert.deepEqual(after.inputs.at(-1)?.command, {
      kind: "report interruption",
      from: AUCTION_START + at(5, 33),
      until: AUCTION_START + at(5, 37),
    });
    const passed = driveAuction();
    passed.goTo(at(7));
    interrupt(passed, at(6), at(7, 4));
    assert.equal(turnsOf(passed)[0], "1 1 300 420");
  });

  it("that is reported late moves the stages before they are carried out", () => {
    const auction = driveAuction();
    auction.send(at(30), {
      kind: "report interruption",
      from: AUCTION_START + at(5, 30),
      until: AUCTION_START + at(6),
    });
    assert.deepEqual([auction.state().status, endOf(auction)], ["ended", 24 * 60]);
  });

  it("of an auction that has ended is refused", () => {
    const auction = driveAuction();
    auction.goTo(at(23));
    const command = {
      kind: "report interruption",
      from: AUCTION_START + at(24),
      until: AUCTION_START + at(25),
    } as const;
    assert.equal(auction.refused(at(25), command).rule, "auction-stage");
  });
});
