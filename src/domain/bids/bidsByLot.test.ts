import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { scheduleView, tenderView } from "../../views/visibility.ts";
import type { Bid, Lot, LotValue, Tender } from "../model/tender.ts";
import { decimal } from "../values/decimal.ts";
import { openZone } from "../values/time.ts";
import { lotBidsOn } from "./bidsByLot.ts";

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
    const namesOn = (lot: { readonly id: string }) => lotBidsOn({ bids }, lot).map(({ bid }) => bid.id);
    assert.deepEqual([namesOn(lot), namesOn(other), namesOn({ id: idOf(3) })], [["a", "c"], ["a"], []]);
    assert.equal(lotBidsOn({ bids }, other)[0]!.lotValue, bids[0]!.lotValues![1]);
  });

  it("are looked up equally often per lot, however many lots the tender has", () => {
    const readsPerLot = (lots: number, show: (tender: Tender) => unknown): number => {
      let reads = 0;
      const count = (lotValue: LotValue): LotValue => {
        const { relatedLot } = lotValue;
        return Object.defineProperty({ ...lotValue }, "relatedLot", {
          enumerable: true,
          get: () => {
            reads += 1;
            return relatedLot;
          },
        });
      };
      const tender = tenderOf(lots, 20, "active.auction");
      show({ ...tender, bids: tender.bids.map((bid) => ({ ...bid, lotValues: bid.lotValues!.map(count) })) });
      return reads / lots;
    };
    for (const show of [tenderView, scheduleView]) {
      const [few, many] = [50, 500].map((lots) => readsPerLot(lots, (tender) => show(tender, context)));
      assert.ok(few! > 0 && many! <= few!, `${show.name}: ${many} reads for each of 500 lots, ${few} for each of 50`);
    }
  });
});
