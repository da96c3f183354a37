import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AuctionListQuery, ListedAuction } from "../../registry/auctionListings.ts";
import { readAuctionPage } from "./auctionPaging.ts";

type Listing = { readonly start: number; readonly mode?: "test" };

/** Lists by their status, as the registry pages through them. */
function listerOf(lists: { readonly [status: string]: readonly Listing[] }) {
  const reads: AuctionListQuery[] = [];
  const list = async (query: AuctionListQuery): Promise<readonly ListedAuction[]> => {
    reads.push(query);
    const { status = "", beyond, descending, limit } = query;
    const sorted = (lists[status] ?? [])
      .map(({ start, mode }): ListedAuction => {
        const position = String(start).padStart(6, "0");
        return { auction: position, tender: position, start, status: "ended", position, ...(mode && { mode }) };
      })
      .toSorted((a, b) => (descending ? b.start - a.start : a.start - b.start));
    const isBeyond = ({ position }: ListedAuction) =>
      beyond === undefined || (descending ? position < beyond : position > beyond);
    return sorted.filter(isBeyond).slice(0, limit);
  };
  return { list, reads };
}

const listings = (first: number, count: number, mode?: "test"): readonly Listing[] =>
  Array.from({ length: count }, (_, i) => ({ start: first + i, ...(mode && { mode }) }));

/** The starts on every page, until there is no next one. */
async function startsOnPages(
  list: ReturnType<typeof listerOf>["list"],
  query: Omit<Parameters<typeof readAuctionPage>[1], "limit" | "descending">,
): Promise<readonly (readonly number[])[]> {
  const pages: number[][] = [];
  for (let beyond: string | undefined; ; ) {
    const page = await readAuctionPage(list, { ...query, beyond, limit: 50, descending: true });
    pages.push(page.auctions.map(({ start }) => start));
    if (page.next === undefined) return pages;
    beyond = page.next;
  }
}

const descendingFrom = (first: number, last: number): readonly number[] =>
  Array.from({ length: first - last + 1 }, (_, i) => first - i);

describe("pages of auctions", () => {
  it("are full and lead on, however many auctions of the other mode are between", async () => {
    const { list } = listerOf({ ended: [...listings(1, 120), ...listings(1000, 300, "test")] });
    assert.deepEqual(await startsOnPages(list, { statuses: ["ended"], mode: undefined }), [
      descendingFrom(120, 71),
      descendingFrom(70, 21),
      descendingFrom(20, 1),
    ]);
  });

  it("skip nothing of two lists of which one is denser", async () => {
    const { list } = listerOf({ ended: listings(500, 120), onTestClock: [{ start: 1 }, { start: 2 }, { start: 900 }] });
    const pages = await startsOnPages(list, { statuses: ["ended", "onTestClock"], mode: undefined });
    assert.deepEqual(pages.flat(), [900, ...descendingFrom(619, 500), 2, 1]);
    assert.deepEqual(
      pages.map((page) => page.length),
      [50, 50, 23],
    );
  });

  it("have no next one if only auctions of the other mode follow", async () => {
    const { list } = listerOf({ ended: [...listings(1, 10, "test"), ...listings(100, 50)] });
    assert.deepEqual(await startsOnPages(list, { statuses: ["ended"], mode: undefined }), [descendingFrom(149, 100)]);
  });

  it("end early rather than read a whole registry for few auctions, and lead on", async () => {
    const { list, reads } = listerOf({ ended: [{ start: 1, mode: "test" }, ...listings(10, 12_000)] });
    const first = await readAuctionPage(list, { statuses: ["ended"], mode: "test", limit: 50, descending: true });
    assert.deepEqual([first.auctions, first.next], [[], "007010"]);
    assert.ok(reads.length <= 51, String(reads.length));
    assert.deepEqual(await startsOnPages(list, { statuses: ["ended"], mode: "test" }), [[], [], [1]]);
  });

  it("begin with the earliest start where they are not descending", async () => {
    const { list } = listerOf({ planned: listings(6, 3), onTestClock: listings(1, 5) });
    const { auctions, next } = await readAuctionPage(list, {
      ...{ statuses: ["planned", "onTestClock"], mode: undefined, limit: 6, descending: false },
    });
    assert.deepEqual(
      auctions.map(({ start }) => start),
      [1, 2, 3, 4, 5, 6],
    );
    assert.equal(next, "000006");
  });
});
