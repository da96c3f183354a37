import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION, OWNER } from "../../../test/support/decisions.ts";
import {
  bidOnLots,
  cancelLot,
  DEADLINE,
  LOT_A,
  LOT_B,
  lotOf,
  meals,
  onA,
  onBoth,
  placeBid,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import { closed, lastAward, tendering } from "../../../test/support/scenes.ts";
import type { Feature, Lot, Tender } from "../model/tender.ts";
import { decimal } from "../values/decimal.ts";
import { HOUR, MINUTE, SECOND } from "../values/time.ts";
import { advanceAuction } from "./advance.ts";
import { decideAuction, openAuction } from "./decideAuction.ts";
import { placeOffers } from "./order.ts";
import {
  auctionRulesOf,
  auctionsOf,
  bidderNamesOf,
  DEFAULT_AUCTION_SETTINGS,
  initialBidsOf,
  resultsCommand,
} from "./tenderAuctions.ts";

const START = DEADLINE + HOUR;
const END = START + HOUR;
const FEATURES: readonly Feature[] = [
  {
    code: "firm",
    title: "Досвід",
    featureOf: "tenderer",
    enum: [
      { title: "ні", value: decimal("0") },
      { title: "так", value: decimal("0.15") },
    ],
  },
];
const offering = (value: string) => ({ parameters: [{ code: "firm", value: decimal(value) }] });

/** Runs the auction of a tender or lot in which bidders lower their prices in the first round, by their numbers. */
function run(tender: Tender, lot: Lot | undefined, amounts: { readonly [bidder: number]: string }) {
  const rules = auctionRulesOf(tender, lot, DEFAULT_AUCTION_SETTINGS);
  let state = openAuction(lot ? `${tender.id}_${lot.id}` : tender.id, rules, START, DEADLINE);
  state = decideAuction(state, { kind: "begin", bids: initialBidsOf(tender, lot) }, DEADLINE).state;
  for (const [bidder, amount] of Object.entries(amounts)) {
    const at = START + 5 * MINUTE + (Number(bidder) - 1) * 2 * MINUTE;
    const bid = advanceAuction(state, at).offers.find((offer) => offer.bidder === Number(bidder))?.bid ?? "";
    const decision = decideAuction(state, { kind: "place price", bid, amount: decimal(amount), confirmed: true }, at);
    assert.equal(decision.refusal, undefined);
    state = decision.state;
  }
  return advanceAuction(state, END);
}

describe("the auctions of a tender", () => {
  it("are one with the tender's id, or one for each active lot", () => {
    const whole = tendering();
    assert.deepEqual(auctionsOf(whole.tender), [{ id: whole.tender.id }]);
    const inLots = tendering([], twoLots);
    assert.deepEqual(
      auctionsOf(inLots.tender).map(({ id }) => id),
      [`${inLots.tender.id}_${LOT_A}`, `${inLots.tender.id}_${LOT_B}`],
    );
    assert.equal(auctionsOf(inLots.send(OWNER, cancelLot(LOT_A)).tender).length, 1);
  });

  it("have the step and currency of the tender or lot", () => {
    const rules = auctionRulesOf(tendering().tender, undefined, DEFAULT_AUCTION_SETTINGS);
    assert.deepEqual([rules.minimalStep, rules.currency, rules.hasFeatures, rules.rounds], ["5000", "UAH", false, 3]);
    const { tender } = tendering([], twoLots);
    assert.equal(auctionRulesOf(tender, tender.lots[0], DEFAULT_AUCTION_SETTINGS).minimalStep, "1");
  });

  it("get the bids with amounts, dates and exact coefficients", () => {
    const { tender } = closed([placeBid("400", offering("0")), placeBid("450", offering("0.15"))], {
      features: FEATURES,
    });
    assert.deepEqual(initialBidsOf(tender), [
      { id: tender.bids[0]?.id, amount: "400", coefficient: "1", date: tender.bids[0]?.date },
      { id: tender.bids[1]?.id, amount: "450", coefficient: "20/17", date: tender.bids[1]?.date },
    ]);
    assert.equal(auctionRulesOf(tender, undefined, DEFAULT_AUCTION_SETTINGS).hasFeatures, true);
  });

  it("of a lot get the bids on that lot, and the features of that lot", () => {
    const features: readonly Feature[] = [
      { code: "firm", title: "Лот", featureOf: "lot", relatedItem: LOT_B, enum: FEATURES[0]?.enum ?? [] },
    ];
    const fields = { lots: [lotOf(LOT_A), lotOf(LOT_B)], items: [meals], features };
    const both = bidOnLots({ [LOT_A]: "900", [LOT_B]: "800" }, offering("0.15"));
    const { tender } = closed([both, onA("850")], fields);
    const [lotA, lotB] = tender.lots;
    const summary = (lot: Lot | undefined) =>
      initialBidsOf(tender, lot).map(({ amount, coefficient }) => [amount, coefficient]);
    assert.deepEqual(summary(lotA), [
      ["900", "1"],
      ["850", "1"],
    ]);
    assert.deepEqual(summary(lotB), [["800", "20/17"]]);
  });

  it("publish the names of the tenderers", () => {
    const { tender } = closed(["100000", "200000"]);
    const state = run(tender, undefined, {});
    assert.deepEqual(
      bidderNamesOf(tender, state),
      tender.bids.map(({ id, tenderers }) => ({ bid: id, name: tenderers?.[0]?.name })),
    );
  });
});

describe("the results of an auction", () => {
  it("enter the tender as those of an external auction, and the best bid gets the award", () => {
    const scene = closed(["100000", "200000"]);
    const state = run(scene.tender, undefined, { 1: "95000" });
    const finished = scene.at(END).send(AUCTION, resultsCommand(state, scene.tender));
    assert.equal(finished.tender.status, "active.qualification");
    assert.deepEqual(
      finished.tender.bids.map(({ value, date }) => [value?.amount, date]),
      [
        ["100000", scene.tender.bids[0]?.date],
        ["95000", START + 5 * MINUTE],
      ],
    );
    assert.deepEqual(finished.tender.bids[1]?.value, { ...scene.tender.bids[1]?.value, amount: "95000" });
    assert.equal(lastAward(finished).bid_id, scene.tender.bids[1]?.id);
  });

  it("without a new price leave the bids as they were", () => {
    const scene = closed(["100000", "200000"]);
    const finished = scene.at(END).send(AUCTION, resultsCommand(run(scene.tender, undefined, {}), scene.tender));
    assert.deepEqual(finished.tender.bids, scene.tender.bids);
  });

  it("rank as the award does, with features too", () => {
    const offers = [
      placeBid("400000", offering("0")),
      placeBid("480000", offering("0.15")),
      placeBid("410000", offering("0")),
    ];
    const scene = closed(offers, { features: FEATURES });
    // 470000 / (20/17) = 399500 is better than 400000.
    const state = run(scene.tender, undefined, { 2: "470000" });
    const [best] = placeOffers(state.offers);
    const finished = scene.at(END).send(AUCTION, resultsCommand(state, scene.tender));
    assert.equal(best?.amount, "470000");
    assert.equal(lastAward(finished).bid_id, state.offers.find(({ bidder }) => bidder === best?.bidder)?.bid);
    assert.equal(lastAward(finished).bid_id, scene.tender.bids[1]?.id);
  });

  it("of a lot change that lot only, and the last one leads to the awards", () => {
    const scene = closed([onBoth("900", "800"), onA("850"), onBoth("950", "790")], twoLots);
    const [lotA, lotB] = scene.tender.lots;
    const stateA = run(scene.tender, lotA, { 1: "700" });
    const first = scene.at(END).send(AUCTION, resultsCommand(stateA, scene.tender, lotA));
    assert.equal(first.tender.status, "active.auction");
    const amounts = first.tender.bids.map(({ lotValues }) => lotValues?.map(({ value }) => value?.amount));
    assert.deepEqual(amounts, [["900", "800"], ["850"], ["700", "790"]]);
    const stateB = run(first.tender, lotB, {});
    const second = first.at(END + SECOND).send(AUCTION, resultsCommand(stateB, first.tender, lotB));
    assert.equal(second.tender.status, "active.qualification");
    assert.deepEqual(
      second.tender.awards.map(({ lotID, value }) => [lotID, value?.amount]),
      [
        [LOT_A, "700"],
        [LOT_B, "790"],
      ],
    );
  });
});
