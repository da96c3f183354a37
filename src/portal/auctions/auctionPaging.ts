import type { AuctionListQuery, ListedAuction } from "../../registry/auctionListings.ts";

/** Pages of the list of auctions, of one mode, from all the lists that the registry keeps. */

/** Which auctions are read. */
export type AuctionPageQuery = {
  /** The lists, as `listedStatus` names them. */
  readonly statuses: readonly string[];
  readonly mode: ListedAuction["mode"];
  readonly limit: number;
  /** Latest start first. */
  readonly descending: boolean;
  /** Where the previous page ended. */
  readonly beyond?: string | undefined;
};

/** A page in the order of the starts. */
export type AuctionListPage = {
  readonly auctions: readonly ListedAuction[];
  /** Where the next page begins; undefined if this is the last one. */
  readonly next: string | undefined;
};

type AuctionLister = (query: AuctionListQuery) => Promise<readonly ListedAuction[]>;

const READ_AT_ONCE = 100;
/** A page that would have to skip more auctions of the other mode ends early, with a next one. */
const SCANNED_MAX = 5000;

/** Reads until the page is full or the lists end. */
export async function readAuctionPage(list: AuctionLister, query: AuctionPageQuery): Promise<AuctionListPage> {
  const { statuses, mode, limit, descending, beyond } = query;
  const auctions: ListedAuction[] = [];
  let scanned = 0;
  const lists = statuses.map((status) => allAuctions(list, { status, descending, beyond }));
  for await (const listed of mergeByStart(lists, descending)) {
    const isOfMode = listed.mode === mode;
    if (isOfMode && auctions.length === limit) return { auctions, next: auctions.at(-1)?.position };
    if (isOfMode) auctions.push(listed);
    scanned += 1;
    if (scanned >= SCANNED_MAX) return { auctions, next: listed.position };
  }
  return { auctions, next: undefined };
}

/** One list to its end, read in parts. */
async function* allAuctions(
  list: AuctionLister,
  query: Omit<AuctionListQuery, "limit">,
): AsyncGenerator<ListedAuction, void> {
  for (let { beyond } = query; ; ) {
    const part = await list({ ...query, beyond, limit: READ_AT_ONCE });
    yield* part;
    if (part.length < READ_AT_ONCE) return;
    beyond = part.at(-1)?.position;
  }
}

type AuctionSource = AsyncGenerator<ListedAuction, void>;
type SourceHead = { readonly listed: ListedAuction; readonly source: AuctionSource };

async function headOf(source: AuctionSource): Promise<readonly SourceHead[]> {
  const next = await source.next();
  return next.done ? [] : [{ listed: next.value, source }];
}

/** All lists as one. Each is sorted. */
async function* mergeByStart(sources: readonly AuctionSource[], descending: boolean): AuctionSource {
  let heads = (await Promise.all(sources.map(headOf))).flat();
  while (heads.length > 0) {
    const first = heads.reduce((a, b) => (a.listed.position < b.listed.position !== descending ? a : b));
    yield first.listed;
    heads = [...heads.filter((head) => head !== first), ...(await headOf(first.source))];
  }
}
