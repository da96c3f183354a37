import { auctionId } from "../../domain/auctions/tenderAuctions.ts";
import { areBidsSealed, takesOpenBids } from "../../domain/bids/sealing.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { procedureOf } from "../../domain/procedures/index.ts";
import { isBiddingAhead } from "../../domain/schedule.ts";
import { allDocuments } from "../../domain/tender/replacement.ts";
import type { Instant } from "../../domain/values/time.ts";
import type { PastVersion } from "../../history/pastVersion.ts";
import { timeOfState, type ViewSettings } from "../../history/publicVersions.ts";
import { areBidsCounted } from "../../indexing/statistics.ts";
import { type PublicTender, publicTender } from "../../views/publicTender.ts";
import type { ViewContext } from "../../views/visibility.ts";
import type { PageRequest } from "../layout/pageRequest.ts";
import { sameUntilOf } from "../layout/timeLeft.ts";
import { auctionPricesOf } from "./auctionPrices.ts";
import { currentActions } from "./currentActions.ts";
import { WHOLE_PAGE } from "./pageQuery.ts";
import { publicationOf } from "./publication.ts";
import type { TenderScreen } from "./tenderScreen.ts";
import { nextChangeOf, tenderTimeline } from "./tenderTimeline.ts";

/** Everything that the page of a tender shows at the time of the view; `publishedAt` is when the tender was published, if known. */
export function screenOf(
  tender: Tender,
  viewContext: ViewContext,
  { language, site }: Pick<PageRequest, "language" | "site">,
  publishedAt: Instant | undefined = publicationOf(tender),
): TenderScreen {
  const { now, zone } = viewContext;
  const view = publicTender(tender, viewContext);
  return {
    tender: view,
    procedure: tender.procedure,
    timeline: tenderTimeline(tender, view, { now, publishedAt }),
    actions: currentActions(tender, now),
    nextChange: nextChangeOf(tender),
    auctionPrices: auctionPricesOf(tender),
    auctionIds: auctionIdsOf(tender, view),
    areBidsSealed: procedureOf(tender).bids !== undefined && areBidsSealed(tender),
    hasOpenBidding: takesOpenBids(tender) && isBiddingAhead(tender),
    areBidsCounted: areBidsCounted(tender),
    now,
    zone,
    language,
    site,
    query: WHOLE_PAGE,
  };
}

/**
 * The screen of a tender as it was at an instant: everything that the page showed right after the version of that time, without what
 * was still to be done.
 */
export function pastScreenOf(
  { version, at }: PastVersion,
  present: Tender,
  settings: ViewSettings,
  request: Pick<PageRequest, "language" | "site">,
  publishedAt?: Instant,
): TenderScreen {
  const screen = screenOf(version.tender, { ...settings, now: timeOfState(version) }, request, publishedAt);
  const past = { at, version: version.number, presentFiles: fileKeysOf(present) };
  return { ...screen, actions: [], nextChange: undefined, auctionIds: new Map(), past };
}

/** The keys of all documents of a tender. They are secret until the documents are public. */
export const fileKeysOf = (tender: Tender): ReadonlySet<string> =>
  new Set(allDocuments(tender).map(({ document }) => document.key));

/** The auctions that have a page: those that the service holds, once the view has their address. */
function auctionIdsOf({ auctions = [] }: Tender, { id, auctionUrl, lots }: PublicTender): ReadonlyMap<string, string> {
  const held = new Set(auctions.map((auction) => auction.id));
  const subjects = [{ lot: "", auction: auctionId(id), url: auctionUrl }].concat(
    lots.map((lot) => ({ lot: lot.id, auction: auctionId(id, lot.id), url: lot.auctionUrl })),
  );
  return new Map(
    subjects
      .filter(({ auction, url }) => url !== undefined && held.has(auction))
      .map(({ lot, auction }) => [lot, auction]),
  );
}

/** Until when time alone does not change the page: the times that it says are left, and which moments have passed. */
export function screenSameUntil({ tender, timeline, actions, nextChange, now }: TenderScreen): Instant {
  const moments = [
    ...timeline.map(({ at }) => at),
    ...actions.flatMap(({ from = now, until = now }) => [from, until]),
    ...(nextChange ? [nextChange.at] : []),
    ...tender.awards.flatMap(({ complaintPeriod }) => complaintPeriod?.endDate ?? []),
  ];
  return sameUntilOf(moments, now);
}
