import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { qualifying, tendering } from "../../../test/support/scenes.ts";
import type { Bid, Tender } from "../../domain/model/tender.ts";
import { addedContributions } from "./indexChanges.ts";
import { searchChangeOf } from "./searchRows.ts";

/** The bid, and a count of how often anything of it was read. */
function watched(bid: Bid) {
  let reads = 0;
  const read = (target: Bid, name: string | symbol) => {
    reads += 1;
    return Reflect.get(target, name);
  };
  return { bid: new Proxy(bid, { get: read }), reads: () => reads };
}

/** What the index does with a change of the tender's first bid. */
function indexBidChange(tender: Tender) {
  const [first, ...rest] = tender.bids;
  assert.ok(first);
  const { bid, reads } = watched({ ...first, status: "draft" });
  const after = { ...tender, bids: [bid, ...rest] };
  return { search: searchChangeOf(tender, after), contributions: addedContributions(tender, after), reads: reads() };
}

describe("a change of a bid", () => {
  it("is neither indexed nor counted while bids are sealed, and nothing of the bid is read", () => {
    const { tender } = tendering(["400", "450"]);
    assert.deepEqual(indexBidChange(tender), { search: "none", contributions: [], reads: 0 });
  });

  it("is indexed and counted once bids are opened", () => {
    const { tender } = qualifying(["400", "450"]);
    const { search, contributions } = indexBidChange(tender);
    assert.equal(search, "update");
    assert.ok(contributions.some(({ counts }) => counts.bids === -1));
  });
});
