import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BIDDER, OWNER, RIVAL, type Scene, STRANGER } from "../../test/support/decisions.ts";
import { accepted, contested, decideSupplier, direct, directLots, recorded } from "../../test/support/directScenes.ts";
import {
  bidOnLots,
  cancelLot,
  cancelTender,
  DEADLINE,
  editContract,
  fileClaim,
  LOT_A,
  LOT_B,
  meals,
  money,
  placeBid,
  recordAward,
  signContract,
  TENDERING,
  twoLots,
} from "../../test/support/domainCommands.ts";
import { cook } from "../../test/support/organizations.ts";
import {
  awarded,
  bidOf,
  closed,
  decided,
  lastAward,
  plain,
  published,
  qualifying,
  SCENES,
  signed,
  standStillEndOf,
  tendering,
} from "../../test/support/scenes.ts";
import { DAY, HOUR } from "../domain/values/time.ts";
import { recount } from "./contributionSums.ts";
import { bidContributions, type Contribution, type Dimension } from "./statistics.ts";

const SCHOOL = "UA-EDR-21725150";
const COOK = "UA-EDR-00137256";
const baker = { ...cook, name: "ТОВ Хліб", identifier: { scheme: "UA-EDR", id: "11111111" } };
const BAKER = "UA-EDR-11111111";

/** What a bid that won adds to the sums of its supplier, without the award. */
const wonBid = { bids: 1, decidedBids: 1, wonBids: 1 };

const sumsOf = ({ tender }: Scene): readonly Contribution[] => recount([tender]);

/** All measures of one dimension and key, those in a currency with its name. */
function measures(scene: Scene, dimension: Dimension = "all", key?: string): { readonly [measure: string]: unknown } {
  const rows = sumsOf(scene).filter((row) => row.dimension === dimension && (key === undefined || row.key === key));
  return Object.assign(
    {},
    ...rows.map(({ counts, amounts, currency }) => ({
      ...counts,
      ...Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [`${name} ${currency}`, amount])),
    })),
  );
}

const keysOf = (scene: Scene, dimension: Dimension) => [
  ...new Set(sumsOf(scene).flatMap((row) => (row.dimension === dimension ? [row.key] : []))),
];

describe("a published tender", () => {
  it("is counted with its value by month, procedure, division, region and buyer", () => {
    const scene = published();
    const dimensions: readonly [Dimension, string, string][] = [
      ["all", "", "2026-11"],
      ["procedure", "belowThreshold", "2026-11"],
      ["division", "55", "2026-11"],
      ["region", "vinnytsia", "2026-11"],
      ["buyer", SCHOOL, ""],
    ];
    for (const [dimension, key, month] of dimensions) {
      assert.deepEqual(measures(scene, dimension, key), { tenders: 1, "value UAH": "500000" });
      const rows = sumsOf(scene).filter((row) => row.dimension === dimension);
      assert.deepEqual([...new Set(rows.map((row) => row.month))], [month]);
    }
    assert.equal(sumsOf(scene).length, 10);
  });

  it("has counts without a currency, and amounts only in their own", () => {
    for (const { currency, counts, amounts } of sumsOf(published().with({ value: money("5", { currency: "EUR" }) }))) {
      if (currency === "") assert.deepEqual(amounts, {});
      else assert.deepEqual([currency, counts], ["EUR", {}]);
    }
  });

  it("is in the sums of no division and region if it has none", () => {
    const scene = plain();
    assert.deepEqual([keysOf(scene, "division"), keysOf(scene, "region"), keysOf(scene, "buyer")], [[""], [""], []]);
    assert.deepEqual(measures(scene, "division"), { tenders: 1 });
  });

  it("has the division of its first item with a code of CPV", () => {
    const coded = (id: string) => ({ ...meals, classification: { ...meals.classification, id } });
    assert.deepEqual(keysOf(plain({ items: [coded("A1"), coded("03111000-2"), coded("55523100-3")] }), "division"), [
      "03",
    ]);
  });

  it("is not counted as a draft or a test", () => {
    assert.deepEqual(sumsOf(SCENES.draft()), []);
    assert.deepEqual(sumsOf(signed(awarded()).with({ mode: "test" })), []);
  });

  it("is counted after a cancellation, too", () => {
    assert.deepEqual(measures(SCENES.cancelled()), { tenders: 1, "value UAH": "500000" });
  });

  it("belongs to no month if its number has no date", () => {
    for (const tenderID of ["UA-1", "UA-2026-13-01-000001", "UA-2026-1a-01-000001", "2026-11-16"])
      assert.deepEqual(
        new Set(sumsOf(signed(awarded()).with({ tenderID })).map(({ month }) => month)),
        new Set([""]),
        tenderID,
      );
  });

  it("with a currency of unprintable characters never adds amounts to counts", () => {
    const rows = sumsOf(published().with({ value: money("5", { currency: "\0\0\0" }) }));
    assert.deepEqual(new Set(rows.map(({ currency }) => currency)), new Set(["", "XXX"]));
  });
});

describe("sealed bids", () => {
  it("change nothing before they are opened", () => {
    for (const scene of [tendering(["400", "500"]), closed(["400", "500"])]) {
      assert.ok(scene.tender.bids.length === 2);
      assert.deepEqual(bidContributions(scene.tender, scene.tender.bids), []);
      assert.deepEqual(sumsOf(scene), sumsOf(scene.with({ bids: [] })));
    }
  });

  it("are counted with their suppliers when they are opened", () => {
    const scene = qualifying(["400", placeBid("500", { tenderers: [baker] }), "600"]);
    const expected = { tenders: 1, "value UAH": "500000", openedTenders: 1, bids: 3 };
    assert.deepEqual(measures(scene), expected);
    assert.deepEqual(measures(scene, "buyer", SCHOOL), expected);
    assert.deepEqual(measures(scene, "supplier", COOK), { tenders: 1, bids: 2 });
    assert.deepEqual(measures(scene, "supplier", BAKER), { tenders: 1, bids: 1 });
    assert.deepEqual(keysOf(scene, "pair"), []);
  });

  it("are never counted if the tender is cancelled before their deadline", () => {
    const scene = tendering(["400"]).send(OWNER, cancelTender);
    assert.deepEqual(measures(scene), { tenders: 1, "value UAH": "500000" });
  });
});

describe("a single bid", () => {
  it("is told from several and from none", () => {
    assert.equal(measures(qualifying(["400"])).singleBidTenders, 1);
    assert.equal(measures(qualifying(["400", "500"])).singleBidTenders, undefined);
    const none = measures(closed([]));
    assert.deepEqual([none.openedTenders, none.singleBidTenders], [undefined, undefined]);
  });

  it("is an active one", () => {
    const scene = qualifying(["400", "500"]);
    const [first, second] = scene.tender.bids;
    const withDraft = scene.with({ bids: [first!, { ...second!, status: "draft" }] });
    assert.deepEqual([measures(withDraft).bids, measures(withDraft).singleBidTenders], [1, 1]);
  });
});

describe("open bids", () => {
  it("are counted after tendering, so that one bid alone never changes the sums", () => {
    const scene = plain().at(TENDERING).send(BIDDER, placeBid("400")).send(RIVAL, placeBid("500"));
    assert.deepEqual(measures(scene), { tenders: 1 });
    assert.deepEqual(measures(scene.at(DEADLINE)), { tenders: 1, openedTenders: 1, bids: 2 });
  });

  it("count as won only after tendering", () => {
    const bidding = plain().at(TENDERING).send(BIDDER, placeBid("400"));
    const bid_id = bidOf(bidding, BIDDER).id;
    const scene = bidding.send(OWNER, recordAward({ suppliers: [cook], bid_id, status: "active" }));
    assert.deepEqual(measures(scene, "supplier", COOK), { tenders: 1, awards: 1 });
    assert.deepEqual(measures(scene.at(DEADLINE), "supplier", COOK), { tenders: 1, awards: 1, ...wonBid });
  });
});

describe("a bid", () => {
  const decidedBids = (scene: Scene, key = COOK) => measures(scene, "supplier", key).decidedBids;
  const rivals = ["400", placeBid("500", { tenderers: [baker] })];

  it("is decided when it wins or is rejected, and not while it may still win", () => {
    const scene = qualifying(rivals).later(HOUR);
    assert.deepEqual([decidedBids(scene), decidedBids(scene, BAKER)], [undefined, undefined]);
    const won = decided(scene, "active");
    assert.deepEqual([decidedBids(won), decidedBids(won, BAKER)], [1, undefined]);
    const rejected = decided(scene, "unsuccessful");
    assert.deepEqual([decidedBids(rejected), decidedBids(rejected, BAKER)], [1, undefined]);
    assert.equal(decidedBids(decided(won, "cancelled")), undefined);
  });

  it("is decided when the tender ends, whatever its result", () => {
    const ended = signed(decided(qualifying(rivals).later(HOUR), "active"));
    assert.deepEqual([decidedBids(ended), decidedBids(ended, BAKER)], [1, 1]);
    const cancelled = qualifying(rivals).send(OWNER, cancelTender);
    assert.deepEqual([decidedBids(cancelled), decidedBids(cancelled, BAKER)], [1, 1]);
  });

  it("for several lots is decided when it wins one of them, or none is open for it any more", () => {
    const scene = qualifying([bidOnLots({ [LOT_A]: "900", [LOT_B]: "700" })], twoLots).later(HOUR);
    const rejected = decided(scene, "unsuccessful", LOT_A);
    assert.equal(decidedBids(rejected), undefined);
    assert.equal(decidedBids(rejected.send(OWNER, cancelLot(LOT_B))), 1);
    assert.equal(decidedBids(decided(scene, "active", LOT_A)), 1);
  });
});

describe("awards and contracts", () => {
  it("count for the supplier once the award is active", () => {
    assert.deepEqual(measures(qualifying(), "supplier", COOK), { tenders: 1, bids: 1 });
    const scene = awarded();
    assert.deepEqual(measures(scene, "supplier", COOK), { tenders: 1, awards: 1, ...wonBid });
    assert.deepEqual(measures(scene, "pair", `${SCHOOL}|${COOK}`), { awards: 1 });
    assert.deepEqual(measures(scene, "pair of supplier", `${COOK}|${SCHOOL}`), { awards: 1 });
    assert.deepEqual(measures(decided(scene, "cancelled"), "supplier", COOK), { tenders: 1, bids: 1 });
  });

  it("add the contracted value and the savings when the contract is signed", () => {
    const scene = signed(awarded(["400000.01"]));
    const contract = { contracts: 1, awards: 1, "contractedValue UAH": "400000.01" };
    assert.deepEqual(measures(scene, "supplier", COOK), { tenders: 1, ...contract, ...wonBid });
    assert.deepEqual(measures(scene, "pair", `${SCHOOL}|${COOK}`), contract);
    const { timedContracts, daysToContract, ...rest } = measures(scene, "buyer", SCHOOL);
    assert.deepEqual(rest, {
      ...contract,
      tenders: 1,
      openedTenders: 1,
      singleBidTenders: 1,
      bids: 1,
      "value UAH": "500000",
      "expectedValue UAH": "500000",
      "comparedValue UAH": "400000.01",
    });
    assert.equal(timedContracts, 1);
    assert.equal(daysToContract, Math.floor((scene.now - Date.parse("2026-11-16") * 1000) / DAY));
  });

  it("compare each lot with its own contracts", () => {
    const bids = [bidOnLots({ [LOT_A]: "900", [LOT_B]: "700" })];
    const both = decided(decided(qualifying(bids, twoLots).later(HOUR), "active", LOT_A), "active", LOT_B);
    assert.equal(measures(both, "supplier", COOK).wonBids, 1);
    assert.equal(measures(both, "supplier", COOK).awards, 2);
    const first = both.tender.contracts.find(({ awardID }) => awardID === lastAward(both, LOT_A).id)!;
    const scene = both.at(standStillEndOf(both)).send(OWNER, signContract(first.id));
    const { "value UAH": value, "expectedValue UAH": expected, "comparedValue UAH": compared } = measures(scene);
    assert.deepEqual([value, expected, compared], ["2000", "1000", "900"]);
    const second = scene.tender.contracts.find(({ id }) => id !== first.id)!;
    const all = measures(scene.send(OWNER, signContract(second.id)));
    assert.deepEqual([all["expectedValue UAH"], all["comparedValue UAH"], all.contracts], ["2000", "1600", 2]);
  });

  it("do not compare what is in another currency or with other VAT, without a value, or not signed yet", () => {
    const scene = signed(awarded(["400000"]));
    const contract = scene.tender.contracts[0]!;
    const pending = { ...contract, id: "f".repeat(32), status: "pending" as const };
    const variants = [
      [{ ...contract, value: { ...contract.value, currency: "EUR" } }],
      [{ ...contract, value: { ...contract.value, valueAddedTaxIncluded: false } }],
      [{ ...contract, value: undefined }],
      [contract, pending],
    ];
    for (const contracts of variants) {
      const result = measures(scene.with({ contracts }));
      assert.deepEqual([result["expectedValue UAH"], result["comparedValue UAH"]], [undefined, undefined]);
      assert.equal(result.contracts, 1);
    }
    const cancelled = { ...pending, status: "cancelled" as const };
    assert.equal(measures(scene.with({ contracts: [contract, cancelled] }))["comparedValue UAH"], "400000");
    assert.equal(measures(scene.with({ contracts: variants[0] }))["contractedValue EUR"], "400000");
  });

  it("count a terminated contract as signed", () => {
    const scene = signed(awarded(["400"]));
    const terminated = scene.with({
      contracts: scene.tender.contracts.map((one) => ({ ...one, status: "terminated" })),
    });
    assert.deepEqual(sumsOf(terminated), sumsOf(scene));
  });

  it("have no days to a contract that was signed before the publication", () => {
    const scene = accepted("reporting");
    const contract = scene.tender.contracts[0]!.id;
    const result = measures(
      scene.send(OWNER, editContract(contract, { status: "active", dateSigned: scene.now - 9 * DAY })),
    );
    assert.deepEqual([result.contracts, result.timedContracts, result.daysToContract], [1, undefined, undefined]);
  });
});

describe("purchases without competition", () => {
  for (const procedure of ["reporting", "negotiation", "negotiation.quick"] as const)
    it(`have awards and contracts but no bids: ${procedure}`, () => {
      assert.deepEqual(measures(direct(procedure)), { tenders: 1, "value UAH": "500000" });
      assert.deepEqual(measures(recorded(procedure), "supplier", COOK), { tenders: 1 });
      const scene = accepted(procedure);
      assert.deepEqual(measures(scene, "supplier", COOK), { tenders: 1, awards: 1 });
      const end = lastAward(scene).complaintPeriod?.endDate ?? scene.now;
      const done = scene.at(end + 1).send(OWNER, signContract(scene.tender.contracts[0]!.id));
      assert.deepEqual(measures(done, "supplier", COOK), {
        tenders: 1,
        awards: 1,
        contracts: 1,
        "contractedValue UAH": "400000",
      });
      const result = measures(done, "procedure", procedure);
      assert.deepEqual([result["expectedValue UAH"], result["comparedValue UAH"]], ["500000", "400000"]);
      assert.deepEqual([result.bids, result.openedTenders], [undefined, undefined]);
    });

  it("count awards of lots", () => {
    const award = (lotID: string) => recordAward({ suppliers: [cook], value: money("900"), qualified: true, lotID });
    const scene = direct("negotiation", directLots).later(HOUR).send(OWNER, award(LOT_A)).send(OWNER, award(LOT_B));
    assert.equal(measures(decideSupplier(scene, { status: "active" }, LOT_B), "supplier", COOK).awards, 1);
  });
});

describe("complaints", () => {
  it("count once they are submitted, about the tender and about awards", () => {
    const scene = published();
    assert.equal(measures(scene.send(STRANGER, fileClaim({ status: "draft" }))).complaints, undefined);
    const claimed = scene.send(STRANGER, fileClaim()).send(STRANGER, fileClaim());
    assert.equal(measures(claimed).complaints, 2);
    assert.equal(measures(contested()).complaints, 1);
    const complaint = claimed.tender.complaints[0]!;
    const withdrawn = { ...complaint, status: "cancelled" as const };
    assert.equal(measures(scene.with({ complaints: [withdrawn] })).complaints, 1);
    const { dateSubmitted: _never, ...neverSubmitted } = withdrawn;
    assert.equal(measures(scene.with({ complaints: [neverSubmitted] })).complaints, undefined);
  });
});
