import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION_RULES, AUCTION_START, driveAuction, initialBid, TWO_BIDS } from "../../../test/support/auctions.ts";
import { decimal } from "../values/decimal.ts";
import { MINUTE } from "../values/time.ts";
import { checkPrice, confirmationThreshold, highestAllowedPrice } from "./prices.ts";

const rulesWith = (step: string) => ({ ...AUCTION_RULES, minimalStep: decimal(step) });
const check = (amount: string, { confirmed = false, previous = "500", step = "10" } = {}) =>
  checkPrice(decimal(amount), confirmed, decimal(previous), rulesWith(step));
const place = (bid: string, amount: string) => ({ kind: "place price", bid, amount: decimal(amount) }) as const;

describe("a price", () => {
  it("is at most the previous one minus the step", () => {
    assert.equal(check("490"), undefined);
    assert.equal(check("489.99"), undefined);
    assert.deepEqual(check("490.01"), {
      kind: "price",
      rule: "price-step",
      field: "amount",
      message: "The price must be at most 490.",
      highestAllowed: "490",
    });
    assert.equal(check("500", { step: "0" }), undefined);
  });

  it("is greater than zero", () => {
    for (const amount of ["0", "-1", "-0.001"])
      assert.equal(check(amount, { confirmed: true })?.rule, "price-not-positive");
    assert.equal(check("0.01", { confirmed: true }), undefined);
  });

  it("has at most two decimal places, even if the initial price has more", () => {
    assert.equal(check("400.001")?.rule, "price-decimals");
    assert.equal(check("490", { previous: "500.005" }), undefined);
    assert.equal(check("490.01", { previous: "500.005" })?.highestAllowed, "490");
    assert.equal(check("490.01", { previous: "500.015" }), undefined);
  });

  it("more than 30 % below the previous one must be confirmed", () => {
    assert.equal(check("350"), undefined);
    const refusal = check("349.99");
    assert.deepEqual([refusal?.rule, refusal?.kind === "price" && refusal.field], ["price-unconfirmed", "confirmed"]);
    assert.match(refusal?.message ?? "", /more than 30 % below/);
    assert.equal(check("349.99", { confirmed: true }), undefined);
    assert.equal(check("0.07", { previous: "0.1", step: "0.01" }), undefined);
    assert.equal(confirmationThreshold(decimal("0.1"), AUCTION_RULES), "0.07");
  });

  it("cannot fall when the step would make it zero or less", () => {
    assert.equal(highestAllowedPrice(decimal("10"), rulesWith("10")), undefined);
    assert.equal(highestAllowedPrice(decimal("10.009"), rulesWith("10")), undefined);
    assert.equal(highestAllowedPrice(decimal("10.01"), rulesWith("10")), "0.01");
    const refusal = check("0.01", { previous: "10", confirmed: true });
    assert.equal(refusal?.rule, "price-step");
    assert.equal(refusal !== undefined && "highestAllowed" in refusal, false);
  });

  it("is compared with the bidder's own published price, not with one that it replaces in the same turn", () => {
    const auction = driveAuction();
    auction.place(5 * MINUTE, "dear", "300");
    assert.equal(auction.place(6 * MINUTE, "dear", "490").unpublished?.amount, "490");
    assert.equal(auction.refused(6 * MINUTE, place("dear", "491")).highestAllowed, "490");
  });

  it("that is refused leaves the one that was placed before", () => {
    const auction = driveAuction();
    auction.place(5 * MINUTE, "dear", "450");
    auction.refused(6 * MINUTE, place("dear", "495"));
    auction.refused(6 * MINUTE, place("dear", "1"));
    assert.equal(auction.goTo(7 * MINUTE).offers[1]?.amount, "450");
  });
});

describe("a bidder", () => {
  it("cannot place a price in another's turn, and learns when its own is", () => {
    const refusal = driveAuction().refused(5 * MINUTE, place("cheap", "400"));
    assert.equal(refusal.rule, "not-your-turn");
    assert.deepEqual(refusal.window, { from: AUCTION_START + 7 * MINUTE, until: AUCTION_START + 9 * MINUTE });
    assert.equal(refusal.missedTurn, undefined);
  });

  it("who is late learns which turn it missed, and when the next one is if that is known", () => {
    const inRound = driveAuction().refused(8 * MINUTE, place("dear", "400"));
    assert.deepEqual(
      [inRound.rule, inRound.missedTurn?.start, inRound.window],
      ["turn-ended", AUCTION_START + 5 * MINUTE, undefined],
    );
    const inPause = driveAuction().refused(9 * MINUTE, place("cheap", "400"));
    assert.deepEqual([inPause.rule, inPause.missedTurn?.round], ["turn-ended", 1]);
    assert.deepEqual(inPause.window, { from: AUCTION_START + 13 * MINUTE, until: AUCTION_START + 15 * MINUTE });
    const early = driveAuction().refused(9 * MINUTE, place("dear", "400"));
    assert.deepEqual([early.rule, early.missedTurn?.round], ["not-your-turn", 1]);
    const over = driveAuction().refused(21 * MINUTE, place("dear", "400"));
    assert.deepEqual([over.rule, over.missedTurn?.round, over.window], ["turn-ended", 3, undefined]);
  });

  it("who comes two turns late in the same round is late, too", () => {
    const auction = driveAuction([...TWO_BIDS, initialBid("cheapest", "400")]);
    const refusal = auction.refused(9 * MINUTE, place("dear", "450"));
    assert.deepEqual([refusal.rule, refusal.missedTurn?.start], ["turn-ended", AUCTION_START + 5 * MINUTE]);
  });

  it("cannot place a price before the auction or after it", () => {
    const before = driveAuction().refused(-1, place("dear", "400"));
    assert.deepEqual([before.rule, before.window], ["auction-stage", { from: AUCTION_START }]);
    assert.equal(driveAuction([]).refused(-1, place("dear", "400")).rule, "auction-stage");
    assert.equal(driveAuction().refused(23 * MINUTE, place("dear", "400")).rule, "auction-stage");
  });

  it("of another auction is not known", () => {
    assert.equal(driveAuction().refused(5 * MINUTE, place("stranger", "400")).rule, "auction-participant");
    assert.equal(driveAuction().refused(-1, place("stranger", "400")).rule, "auction-participant");
  });

  it("cannot take back a price that it has not placed, or after its turn", () => {
    const takeBack = { kind: "take back price", bid: "dear" } as const;
    assert.equal(driveAuction().refused(5 * MINUTE, takeBack).rule, "no-price-to-take-back");
    const auction = driveAuction();
    auction.place(5 * MINUTE, "dear", "450");
    assert.equal(auction.refused(6 * MINUTE, { ...takeBack, bid: "cheap" }).rule, "not-your-turn");
    assert.equal(auction.refused(7 * MINUTE, takeBack).rule, "turn-ended");
    assert.equal(auction.state().offers[1]?.amount, "450");
  });

  it("with a coefficient keeps the step in money", () => {
    const auction = driveAuction([initialBid("weighted", "600", 1, "20/17"), ...TWO_BIDS], { hasFeatures: true });
    // 600 / (20/17) = 510 is the worst offer.
    assert.equal(auction.refused(5 * MINUTE, place("weighted", "590.01")).highestAllowed, "590");
    assert.equal(auction.send(5 * MINUTE, place("weighted", "590")).unpublished?.amount, "590");
  });
});
