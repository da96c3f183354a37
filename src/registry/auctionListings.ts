import { auctionedLot } from "../domain/auctions/liveAuctions.ts";
import type { AuctionState } from "../domain/auctions/model.ts";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import type { AuctionListing, EntryKey, EntryWrite, KeyValueStore, Store } from "../store/store.ts";

export { listedStatus } from "../store/store.ts";

/** The list of the auctions that the service holds, which is written in the commit that changes them. */

/** Added to instants, which may be negative on a test clock, so that their texts sort as they do. */
const SORTABLE_OFFSET = 10 ** 16;
const START_DIGITS = 17;

/** Listings sort by the planned start. */
const listingKey = (start: Instant, auction: string): EntryKey<"auction listing"> => ({
  kind: "auction listing",
  id: `${String(start + SORTABLE_OFFSET).padStart(START_DIGITS, "0")}/${auction}`,
});

function listingOf(tender: Tender, { id, plannedStart, status }: AuctionState): AuctionListing {
  const lot = auctionedLot(tender, id)?.id;
  return {
    auction: id,
    tender: tender.id,
    ...(lot !== undefined && { lot }),
    start: plannedStart,
    status,
    ...(tender.mode && { mode: tender.mode }),
    ...(tender.testClock !== undefined && { isOnTestClock: true as const }),
  };
}

/** The entries that change with the auctions of a tender. */
export function listingWrites(before: Tender | undefined, after: Tender): readonly EntryWrite[] {
  if (before?.auctions === after.auctions) return [];
  const writes: EntryWrite[] = [];
  const earlier = new Map(before?.auctions?.map((state) => [state.id, state]));
  for (const state of after.auctions ?? []) {
    const known = earlier.get(state.id);
    earlier.delete(state.id);
    if (known?.plannedStart === state.plannedStart && known.status === state.status) continue;
    if (known && known.plannedStart !== state.plannedStart)
      writes.push({ ...listingKey(known.plannedStart, known.id), value: undefined });
    writes.push({ ...listingKey(state.plannedStart, state.id), value: listingOf(after, state) });
  }
  for (const { plannedStart, id } of earlier.values())
    writes.push({ ...listingKey(plannedStart, id), value: undefined });
  return writes;
}

/** Lists the auctions of a tender that are not listed, as after an import of the ledger alone; returns those that it has added. */
export async function listMissing(
  { keyValues, write }: Pick<Store, "keyValues" | "write">,
  { id, auctions = [] }: Tender,
): Promise<readonly AuctionState[]> {
  const keys = auctions.map(({ plannedStart, id: auction }) => listingKey(plannedStart, auction));
  const found = await Promise.all(keys.map((key) => keyValues.find(key)));
  if (found.every((entry) => entry !== undefined)) return [];
  // Decided in a commit: the tender may have been planned again since it was read, and then its former start must not be listed.
  return write<readonly AuctionState[]>(
    id,
    (current, { entries }) => {
      const keyOf = ({ plannedStart, id: auction }: AuctionState) =>
        keys.find((key) => key.id === listingKey(plannedStart, auction).id);
      const missing = (current?.tender.auctions ?? []).flatMap((state) => {
        const key = keyOf(state);
        return current && key && !entries.find(key)
          ? [{ state, write: { ...key, value: listingOf(current.tender, state) } }]
          : [];
      });
      return { result: missing.map(({ state }) => state), entries: missing.map((listing) => listing.write) };
    },
    keys,
  );
}

/** Which auctions are listed. */
export type AuctionListQuery = {
  /** As `listedStatus` returns it. */
  readonly status?: string;
  /** Where the previous page ended. */
  readonly beyond?: string | undefined;
  /** Latest start first. */
  readonly descending?: boolean;
  readonly limit: number;
};

/** A listed auction with its position in the list. */
export type ListedAuction = AuctionListing & { readonly position: string };

/** A page of the list, by planned start. */
export async function listAuctions(
  keyValues: KeyValueStore,
  query: AuctionListQuery,
): Promise<readonly ListedAuction[]> {
  const { status, ...page } = query;
  const entries = await keyValues.list({ kind: "auction listing", ...page, ...(status && { where: { status } }) });
  return entries.map(({ id, value }) => ({ ...value, position: id }));
}
