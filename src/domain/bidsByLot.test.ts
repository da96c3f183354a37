import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { scheduleView, tenderView } from "../views/visibility.ts";
import { lotBidsOn } from "./bidsByLot.ts";
import type { Bid, Lot, Tender } from "./model/tender.ts";
import { decimal } from "./values/decimal.ts";
import { openZone } from "./values/time.ts";

const value = { amount: decimal("1"), currency: "UAH", valueAddedTaxIncluded: true };
const idOf = (i: number) => i.toString(16).padStart(32, "0");

function tenderOf(lotCount: number, bidCount: number, status: Tender["status"]): Tender {
  const lots = Array.from({ length: lotCount }, (_, i): Lot => ({ id: idOf(i), status: "active", date: 1, value }));
  const bids = Array.from(
    { length: bidCount },
    (_, i): Bid => ({
      ...{ id: idOf(i), date: 1, status: "active", owner: "broker", tokenHash: "", documents: [] },
      lotValues: lots.map(({ id }) => ({ relatedLot: id, value, date: 1 })),
    }),
  );
  const lists = { questions: [], documents: [], awards: [], contracts: [], complaints: [], cancellations: [] };
  const own = { id: idOf(1), tenderID: "UA-1", owner: "broker", tokenHash: "", date: 1, dateModified: 1 };
  return { ...own, ...lists, procedure: "belowThreshold", status, tenderPeriod: { endDate: 2 }, lots, bids };
}

const context = { now: 1, zone: openZone("Europe/Kyiv"), sandbox: true };

describe("the bids on a lot", () => {
  it("are those that are active and name it, once each and in their order", () => {
    const [lot, other] = [{ id: idOf(1) }, { id: idOf(2) }];
    const bidOf = (id: string, status: Bid["status"], ...lots: readonly string[]) =>
      ({ id, status, lotValues: lots.map((relatedLot) => ({ relatedLot })) }) as unknown as Bid;
    const bids = [
      bidOf("a", "active", lot.id, other.id),
      bidOf("b", "draft", lot.id),
      bidOf("c", "active", lot.id, lot.id),
      { id: "d", status: "active" } as Bid,
    ];
    const namesOn = (one: { readonly id: string }) => lotBidsOn({ bids }, one).map(({ bid }) => bid.id);
    assert.deepEqual([namesOn(lot), namesOn(other), namesOn({ id: idOf(3) })], [["a", "c"], ["a"], []]);
    assert.equal(lotBidsOn({ bids }, other)[0]!.lotValue, bids[0]!.lotValues![1]);
  });

  it("cost a lot of a tender with many no more than a lot of a tender with few", () => {
    /** The fastest of several: what else the machine does only ever adds. */
    const microsecondsPerLot = (lots: number, show: (tender: Tender) => unknown) => {
      const fresh = () => tenderOf(lots, 80, "active.auction");
      const times = Array.from({ length: 5 }, () => {
        const tender = fresh();
        const begun = performance.now();
        show(tender);
        return ((performance.now() - begun) * 1000) / lots;
      });
      return Math.min(...times);
    };
    for (const show of [tenderView, scheduleView]) {
      const [few, many] = [50, 1000].map((lots) => microsecondsPerLot(lots, (tender) => show(tender, context)));
      assert.ok(many! < few! * 6, `${show.name}: ${many} microseconds for each of 1,000 lots, ${few} for each of 50`);
    }
  });
});
