import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ADMIN,
  ADMINISTRATOR,
  AUCTION,
  CHRONOGRAPH,
  newId,
  OWNER,
  type Scene,
  sceneOf,
  zone,
} from "../../../test/support/decisions.ts";
import {
  cancelLot,
  cancelTender,
  DEADLINE,
  editTender,
  finishAuction,
  LOT_A,
  LOT_B,
  onA,
  onBoth,
  reportAuction,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import { closed, type Offer, tendering } from "../../../test/support/scenes.ts";
import { printTender, readTender } from "../../dialects/canonicalTender.ts";
import { parseJson } from "../../dialects/json.ts";
import { decideByTime } from "../decide.ts";
import type { Interruption, TenderInput } from "../model/commands.ts";
import type { Tender } from "../model/tender.ts";
import { PROCEDURES } from "../procedures/index.ts";
import { replaceTender } from "../tender/replacement.ts";
import { decimal } from "../values/decimal.ts";
import { HOUR, type Instant, MINUTE, SECOND } from "../values/time.ts";
import { decidePrice, type PriceCommand, RECORDED_REFUSALS_MAX } from "./auctionPrices.ts";
import { auctionsToPlan, liveAuction, nextAuctionChange, planAuction } from "./liveAuctions.ts";
import { recordOf, recordText } from "./record.ts";
import { replayText } from "./replay.ts";
import { auctionId, DEFAULT_AUCTION_SETTINGS } from "./tenderAuctions.ts";

const START = DEADLINE + HOUR;

const planAll = ({ tender, now }: Scene, start: Instant = START): Tender =>
  auctionsToPlan(PROCEDURES.belowThreshold, tender, { sandbox: true }).reduce(
    (current, auction) => planAuction(current, auction, start, DEFAULT_AUCTION_SETTINGS, now),
    tender,
  );

/** A tender whose auctions were planned when tendering began, at the planned start. */
function planned(offers: readonly Offer[], fields: TenderInput = {}): Scene {
  const scene = tendering(offers, fields);
  return sceneOf(planAll(scene), scene.now).at(DEADLINE).tick();
}

const contextAt = (at: Instant, interruption?: Interruption) => ({
  at,
  zone,
  sandbox: true,
  newId,
  actor: {},
  newTokenHash: "",
  interruption,
});

const tickAt = (tender: Tender, at: Instant, interruption?: Interruption): Tender =>
  decideByTime(tender, contextAt(at, interruption));

const place = (tender: Tender, bid: string, amount: string, at: Instant, auction = tender.id) =>
  decidePrice(tender, auction, { kind: "place price", bid, amount: decimal(amount) }, contextAt(at));

function placed(tender: Tender, bid: string, amount: string, at: Instant, auction?: string): Tender {
  const decided = place(tender, bid, amount, at, auction);
  assert.ok(decided.ok && !decided.value.refused, JSON.stringify(decided));
  return decided.value.tender;
}

/** The tender at the moment its auctions end, each stage carried out at its own time. */
function runToEnd(tender: Tender): Tender {
  let current = tender;
  for (let next = nextAuctionChange(current); next !== undefined; next = nextAuctionChange(current))
    current = tickAt(current, next);
  return current;
}

describe("auctions are planned", () => {
  it("when tendering begins, whatever bids exist, and the plan is dropped at closing with fewer than two", () => {
    for (const [offers, status] of [
      [[], "unsuccessful"],
      [["400000"], "active.qualification"],
      [["400000", "410000"], "active.auction"],
    ] as const) {
      const scene = tendering(offers);
      const tender = planAll(scene);
      assert.equal(tender.auctionPeriod?.startDate, START);
      const { tender: after } = sceneOf(tender, scene.now).at(DEADLINE).tick();
      assert.equal(after.status, status);
      assert.equal(after.auctions?.length ?? 0, status === "active.auction" ? 1 : 0);
      assert.equal(after.auctionPeriod?.startDate, status === "active.auction" ? START : undefined);
    }
  });

  it("for tenders that already wait in active.auction, too", () => {
    const tender = planAll(closed(["400000", "410000"]));
    assert.equal(tender.auctionPeriod?.startDate, START);
    assert.equal(liveAuction(tender, tender.id)?.bids.length, 2);
  });

  it("for each lot with two or more bids", () => {
    const scene = planned([onBoth("900", "900"), onA("800")], twoLots);
    assert.deepEqual(
      scene.tender.auctions?.map(({ id }) => id),
      [auctionId(scene.tender.id, LOT_A)],
    );
    assert.equal(scene.tender.lots.find(({ id }) => id === LOT_A)?.auctionPeriod?.startDate, START);
    assert.equal(scene.tender.lots.find(({ id }) => id === LOT_B)?.auctionPeriod?.startDate, undefined);
  });

  it("neither if the tender wants none, nor if another service holds them", () => {
    const quick = tendering([], { submissionMethodDetails: "quick(mode:no-auction)" });
    assert.deepEqual(auctionsToPlan(PROCEDURES.belowThreshold, quick.tender, { sandbox: true }), []);
    const elsewhere = { ...closed(["400000", "410000"]).tender, auctionUrl: "https://auction.example/" };
    assert.deepEqual(auctionsToPlan(PROCEDURES.belowThreshold, elsewhere, { sandbox: true }), []);
  });

  it("at the start that another planner writes into the tender, until they begin", () => {
    const scene = planned(["400000", "410000"]);
    const moved = scene.send(CHRONOGRAPH, editTender({ auctionPeriod: { startDate: START + HOUR } })).tender;
    assert.equal(nextAuctionChange(moved), START + HOUR);
  });

  it("until another service reports the result of a lot, which then stays", () => {
    const scene = planned([onBoth("900", "900"), onBoth("800", "800")], twoLots);
    const bids = scene.tender.bids.map(({ id }) => ({
      id,
      lotValues: [{ relatedLot: LOT_A, value: { amount: decimal("500") } }, { relatedLot: LOT_B }],
    }));
    const { tender } = scene.send(AUCTION, finishAuction({ bids }, LOT_A));
    assert.equal(tender.status, "active.auction");
    assert.deepEqual(
      tender.auctions?.map(({ id }) => id),
      [auctionId(tender.id, LOT_B)],
    );
    assert.deepEqual(
      runToEnd(tender).bids.map(({ lotValues = [] }) => lotValues.map(({ value }) => value?.amount)),
      [
        ["500", "900"],
        ["500", "800"],
      ],
    );
  });

  it("with the prices that another service reports before they begin", () => {
    const scene = planned(["400000", "410000"]);
    const reported = ["390000", "380000"].map((amount) => ({ value: { amount: decimal(amount) } }));
    const { tender } = scene.send(AUCTION, reportAuction({ bids: reported }));
    assert.deepEqual(
      liveAuction(tender, tender.id)?.bids.map(({ amount }) => amount),
      ["390000", "380000"],
    );
    assert.equal(nextAuctionChange(tender), START);
    assert.deepEqual(
      runToEnd(tender).bids.map(({ value }) => value?.amount),
      ["390000", "380000"],
    );
  });

  it("again if the start was missed by more than an interruption may last", () => {
    const { tender } = planned(["400000", "410000"]);
    const missed = tickAt(tender, START + 11 * MINUTE);
    assert.equal(missed.auctions, undefined);
    assert.equal(auctionsToPlan(PROCEDURES.belowThreshold, missed, { sandbox: true }).length, 1);
  });

  it("and begin at once if nobody was there in time, so that no bidder misses a turn", () => {
    const { tender } = planned(["400000", "410000"]);
    const inTime = tickAt(tender, START + 5 * SECOND);
    assert.equal(nextAuctionChange(inTime), START + 5 * MINUTE);
    const late = tickAt(tender, START + 9 * MINUTE);
    assert.equal(late.auctions?.[0]?.status, "running");
    assert.equal(nextAuctionChange(late), START + 14 * MINUTE);
  });
});

describe("a running auction", () => {
  const FIRST_TURN = START + 5 * MINUTE;
  const scene = planned(["400000", "410000"]);
  const [low, high] = scene.tender.bids.map(({ id }) => id);
  const inTurn = () => tickAt(tickAt(scene.tender, START), FIRST_TURN);

  it("takes prices, and its results enter the tender with awards ranked in the same way", () => {
    const lowered = placed(inTurn(), high!, "300000.01", FIRST_TURN + SECOND);
    const tender = runToEnd(lowered);
    assert.equal(tender.status, "active.qualification");
    assert.equal(tender.awards[0]?.bid_id, high);
    assert.equal(tender.bids.find(({ id }) => id === high)?.value?.amount, "300000.01");
    assert.equal(tender.bids.find(({ id }) => id === high)?.date, FIRST_TURN + SECOND);
    assert.equal(tender.bids.find(({ id }) => id === low)?.value?.amount, "400000");
    assert.ok(tender.auctionPeriod?.endDate);
    assert.deepEqual(tender.auctions?.[0]?.names?.length, 2);
    assert.deepEqual(replayText(recordText(recordOf(tender.auctions![0]!))).differences, []);
  });

  it("does not change dateModified with prices and stages, only with its results", () => {
    const tender = inTurn();
    assert.equal(tender.dateModified, scene.tender.dateModified);
    const after = placed(tender, high!, "390000", FIRST_TURN + SECOND);
    assert.equal(after.dateModified, scene.tender.dateModified);
    const second = tickAt(after, FIRST_TURN + 2 * MINUTE);
    assert.equal(second.dateModified, scene.tender.dateModified);
    assert.ok(runToEnd(second).dateModified > scene.tender.dateModified);
  });

  it("refuses a price in the microsecond of the end, and accepts one a microsecond before", () => {
    const end = FIRST_TURN + 2 * MINUTE;
    placed(inTurn(), high!, "390000", end - 1);
    const late = place(inTurn(), high!, "390000", end);
    assert.ok(late.ok && late.value.refused?.kind === "rule");
    assert.equal(late.value.refused.rule, "turn-ended");
  });

  it("records what it refuses, up to a limit, and nothing of strangers", () => {
    let tender = inTurn();
    for (let i = 0; i < RECORDED_REFUSALS_MAX; i++) {
      const decided = place(tender, high!, "500000", FIRST_TURN + 1 + i);
      assert.ok(decided.ok && decided.value.refused);
      ({ tender } = decided.value);
    }
    const over = place(tender, high!, "500000", FIRST_TURN + SECOND);
    assert.equal(over.ok, false);
    placed(tender, high!, "390000", FIRST_TURN + SECOND);
    assert.equal(place(tender, "0".repeat(32), "390000", FIRST_TURN + SECOND).ok, false);
  });

  it("takes an unpublished price back", () => {
    const after = placed(inTurn(), high!, "390000", FIRST_TURN + SECOND);
    const command: PriceCommand = { kind: "take back price", bid: high! };
    const decided = decidePrice(after, after.id, command, contextAt(FIRST_TURN + 2 * SECOND));
    assert.ok(decided.ok);
    assert.equal(liveAuction(decided.value.tender, after.id)?.unpublished, undefined);
  });

  it("is not found under the id of another auction", () => {
    const decided = place(inTurn(), high!, "390000", FIRST_TURN + SECOND, auctionId(scene.tender.id, LOT_A));
    assert.deepEqual(decided, { ok: false, refused: { kind: "not found", objectName: "auction" } });
  });

  it("gives a turn again that an interruption took, before anything else happens", () => {
    const after = placed(inTurn(), high!, "390000", FIRST_TURN + SECOND);
    const from = FIRST_TURN + 10 * SECOND;
    const until = from + MINUTE;
    const repeated = tickAt(after, FIRST_TURN + 2 * MINUTE, { from, until });
    const state = liveAuction(repeated, repeated.id);
    assert.equal(state?.unpublished?.amount, "390000");
    assert.equal(nextAuctionChange(repeated), until + 2 * MINUTE);
    // The same interruption is not applied again.
    assert.equal(tickAt(repeated, until + 2 * MINUTE - 1, { from, until }), repeated);
  });

  it("is planned again after a long interruption, with the prices of the bids", () => {
    const after = placed(inTurn(), high!, "390000", FIRST_TURN + SECOND);
    const from = FIRST_TURN + 10 * SECOND;
    const until = from + HOUR;
    const broken = tickAt(after, until, { from, until });
    assert.equal(liveAuction(broken, broken.id)?.status, "interrupted");
    const again = planAll(sceneOf(broken, until), until + HOUR);
    assert.equal(again.auctionPeriod?.startDate, until + HOUR);
    assert.equal(runToEnd(again).bids.find(({ id }) => id === high)?.value?.amount, "410000");
  });

  it("leaves no room for another auction service once its first pause has begun", () => {
    const before = scene
      .at(START - 1)
      .send(AUCTION, finishAuction({ bids: scene.tender.bids.map(({ id }) => ({ id })) }));
    assert.equal(before.tender.status, "active.qualification");
    assert.equal(before.tender.auctions, undefined);
    const running = sceneOf(inTurn(), FIRST_TURN);
    for (const actor of [AUCTION, ADMIN])
      assert.equal(running.outcome(actor, finishAuction()), "The registry itself holds the auction");
  });

  it("is kept by a repair of its tender, and not shown to the operator", () => {
    const tender = placed(inTurn(), high!, "390000", FIRST_TURN + SECOND);
    const printed = printTender(tender, zone);
    assert.doesNotMatch(printed, /390000|unpublished/);
    const parsed = parseJson(printed.replace("Послуги шкільних їдалень", "Обіди"));
    assert.ok(parsed.ok);
    const { tender: read } = readTender(parsed.value, zone);
    assert.ok(read);
    const replacement = { tender: read, force: false, hasFile: () => true };
    const repaired = replaceTender(tender, replacement, contextAt(FIRST_TURN + 2 * SECOND));
    assert.ok(repaired.ok, JSON.stringify(repaired).slice(0, 300));
    assert.equal(repaired.value.tender.title, "Обіди");
    assert.equal(liveAuction(repaired.value.tender, tender.id)?.unpublished?.amount, "390000");
  });

  it("ends also if a repair has left a bid that the rules would refuse today", () => {
    const value = scene.tender.value && { ...scene.tender.value, amount: decimal("405000") };
    const done = runToEnd({ ...placed(inTurn(), high!, "390000", FIRST_TURN + SECOND), value });
    assert.equal(done.status, "active.qualification");
    const invalid = { ...inTurn(), value: value && { ...value, currency: "EUR" } };
    assert.equal(runToEnd(placed(invalid, high!, "390000", FIRST_TURN + SECOND)).status, "active.qualification");
  });

  it("ends at once when the tender is cancelled, and before its start leaves nothing", () => {
    const cancelled = sceneOf(inTurn(), FIRST_TURN).send(OWNER, cancelTender).tender;
    assert.equal(cancelled.status, "cancelled");
    assert.equal(liveAuction(cancelled, cancelled.id)?.status, "cancelled");
    assert.equal(scene.send(OWNER, cancelTender).tender.auctions, undefined);
  });

  it("keeps its start once it has begun: planners may send it back as it is, but not move it", () => {
    const running = sceneOf(inTurn(), FIRST_TURN);
    for (const actor of [CHRONOGRAPH, ADMINISTRATOR]) {
      const moved = editTender({ auctionPeriod: { startDate: START + HOUR } });
      assert.equal(running.outcome(actor, moved), "The registry itself holds the auction");
      assert.equal(running.outcome(actor, editTender({ auctionPeriod: { startDate: START } })), "ok");
    }
  });

  it("is planned again if an administrator ended the tender by mistake and moves it back", () => {
    const ended = sceneOf(inTurn(), FIRST_TURN).send(ADMINISTRATOR, editTender({ status: "active.qualification" }));
    assert.equal(liveAuction(ended.tender, ended.tender.id)?.status, "cancelled");
    const back = ended.send(ADMINISTRATOR, editTender({ status: "active.auction" })).tender;
    assert.equal(auctionsToPlan(PROCEDURES.belowThreshold, back, { sandbox: true }).length, 1);
  });

  it("ends with its lot, while that of another lot goes on", () => {
    const lots = planned([onBoth("900", "900"), onBoth("800", "800")], twoLots);
    const running = sceneOf(tickAt(tickAt(lots.tender, START), FIRST_TURN), FIRST_TURN).send(
      OWNER,
      cancelLot(LOT_A),
    ).tender;
    assert.equal(liveAuction(running, auctionId(running.id, LOT_A))?.status, "cancelled");
    assert.equal(liveAuction(running, auctionId(running.id, LOT_B))?.status, "running");
    const done = runToEnd(running);
    assert.equal(done.status, "active.qualification");
    assert.deepEqual(
      done.awards.map(({ lotID }) => lotID),
      [LOT_B],
    );
  });
});
