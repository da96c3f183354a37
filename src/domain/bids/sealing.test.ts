import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cook, DAY } from "../../../test/support/examples.ts";
import { walk, zone } from "../../../test/support/randomWalks.ts";
import { auctionView, scheduleView, tenderView } from "../../views/visibility.ts";
import { decide } from "../decide.ts";
import type { Account, Actor } from "../model/actors.ts";
import type { CommandContext, TenderCommand } from "../model/commands.ts";
import type { Bid, Tender } from "../model/tender.ts";
import { decimal } from "../values/decimal.ts";

const account = (group: Account["group"]): Actor => ({ account: { name: group, group, levels: "" } });
const PRIVILEGED = [account("auction"), account("admins")];
const LOT = "a".repeat(32);

const bidOf = (id: string, lots: number): Bid => {
  const value = { amount: decimal("100"), currency: "UAH", valueAddedTaxIncluded: true };
  const price = lots > 0 ? { lotValues: [{ relatedLot: LOT, value, date: 1 }] } : { value };
  return {
    id,
    date: 1,
    status: "active",
    owner: "broker",
    tokenHash: "hash",
    tenderers: [cook],
    documents: [],
    ...price,
  };
};

/** In its auction a day before its deadline, where no command can bring it: older data, or its test clock was lost. */
function early(lots: number, bids: number): { readonly tender: Tender; readonly at: number } {
  let found: { tender: Tender; at: number } | undefined;
  walk({ procedure: "belowThreshold", lots, steps: [{ forward: 13 * DAY }] }, (_before, tender, at) => {
    found = { tender, at };
  });
  const { tender, at } = found!;
  assert.ok(tender.tenderPeriod!.endDate! > at);
  const auctionPeriod = { startDate: at - 2 * DAY };
  const stored = Array.from({ length: bids }, (_, i) => bidOf(`bid-${i}`, lots));
  const planned = tender.lots.map((lot) => ({ ...lot, auctionPeriod }));
  return { tender: { ...tender, status: "active.auction", auctionPeriod, lots: planned, bids: stored }, at };
}

const contextOf = (actor: Actor, at: number): CommandContext => ({
  ...{ actor, at, zone, sandbox: true, newId: () => "new", newTokenHash: "new" },
});

describe("a tender that is in its auction before its deadline", () => {
  for (const lots of [0, 1]) {
    const lotsLabel = lots === 0 ? "without lots" : "with lots";

    it(`${lotsLabel} shows no bids, and nothing that depends on their number, to anybody`, () => {
      const views = [0, 1, 3].map((bids) => {
        const { tender, at } = early(lots, bids);
        const looking = { now: at, zone, sandbox: true };
        const auctions = PRIVILEGED.map((actor) => auctionView(tender, actor, looking));
        assert.ok(auctions.every((auction) => auction.bids.length === 0));
        return [tenderView(tender, looking), scheduleView(tender, looking), auctions];
      });
      assert.deepEqual(views[1], views[0]);
      assert.deepEqual(views[2], views[0]);
    });

    it(`${lotsLabel} accepts no URLs, prices or results, whatever they contain`, () => {
      const sent = (many: number) => ({ fields: { bids: Array.from({ length: many }, () => ({})) }, problems: [] });
      const { tender, at } = early(lots, 2);
      for (const kind of ["set auction urls", "finish auction", "report auction"] as const)
        for (const many of [0, 1, 2]) {
          const command: TenderCommand = { kind, lot: lots > 0 ? LOT : undefined, sent: sent(many) };
          const decided = decide(tender, command, contextOf(PRIVILEGED[0]!, at));
          assert.ok(!decided.ok && decided.refused.kind === "rule");
          assert.equal(decided.refused.rule, "before-tender-deadline");
          assert.deepEqual(decided.refused.window, { from: tender.tenderPeriod!.endDate });
        }
    });

    it(`${lotsLabel} continues once the deadline has passed`, () => {
      const { tender } = early(lots, 2);
      const at = tender.tenderPeriod!.endDate!;
      const [auction] = PRIVILEGED;
      assert.equal(auctionView(tender, auction!, { now: at, zone, sandbox: true }).bids.length, 2);
      const command: TenderCommand = { kind: "finish auction", lot: LOT, sent: { fields: {}, problems: [] } };
      const decided = decide(tender, command, contextOf(auction!, at));
      assert.ok(decided.ok, JSON.stringify(decided));
      assert.equal(decided.value.tender.status, "active.qualification");
    });
  }
});
