import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { zone } from "../../../test/support/decisions.ts";
import { DAY, type Instant } from "../../domain/values/time.ts";
import type { AuctionListQuery, ListedAuction } from "../../registry/auctionListings.ts";
import { auctionsOfToday, listedAuctions } from "./listedAuctions.ts";

const NOW: Instant = Date.UTC(2026, 10, 16, 8) * 1000;

/** A registry with so many planned auctions at a time, in the order of their ids. None of them can be shown. */
function portsWith(count: number, start: Instant) {
  const planned = Array.from({ length: count }, (_, i): ListedAuction => {
    const position = `${start}/${String(i).padStart(32, "0")}`;
    return { auction: position, tender: position, start, status: "planned", position };
  });
  const list = async ({ status, beyond = "", limit }: AuctionListQuery) =>
    status === "planned" ? planned.filter(({ position }) => position > beyond).slice(0, limit) : [];
  const auctions = { list, find: async () => undefined };
  return { registry: { nowFor: async () => NOW, auctions }, config: { zone, sandbox: false } };
}

describe("the auctions of today", () => {
  it("are counted exactly up to a hundred", async () => {
    const { count, isMore } = await auctionsOfToday(portsWith(100, NOW), "en", 5);
    assert.deepEqual([count, isMore], [100, false]);
  });

  it("are more than a hundred if there are more", async () => {
    const { count, isMore } = await auctionsOfToday(portsWith(101, NOW), "en", 5);
    assert.deepEqual([count, isMore], [100, true]);
  });

  it("are not more because many are planned for other days", async () => {
    const { count, isMore } = await auctionsOfToday(portsWith(101, NOW + 2 * DAY), "en", 5);
    assert.deepEqual([count, isMore], [0, false]);
  });
});

describe("the list of auctions", () => {
  it("says which of its parts is cut", async () => {
    const cutsOf = async (count: number, start: Instant) => {
      const { isTodayCut, isComingCut } = await listedAuctions(portsWith(count, start), new URLSearchParams(), "en");
      return [isTodayCut, isComingCut];
    };
    assert.deepEqual(await cutsOf(100, NOW), [false, false]);
    assert.deepEqual(await cutsOf(101, NOW), [true, true]);
    assert.deepEqual(await cutsOf(101, NOW + 2 * DAY), [false, true]);
  });

  it("names parameters that it does not have", async () => {
    const { problems } = await listedAuctions(portsWith(0, NOW), new URLSearchParams("page=2"), "en");
    assert.match(problems?.[0]?.message ?? "", /^page: there is no such parameter\. Allowed: mode, offset\.$/);
  });
});
