import { isRecordPublic } from "../../domain/auctions/record.ts";
import { ANONYMOUS } from "../../domain/model/actors.ts";
import { organizationKey } from "../../indexing/organizationKeys.ts";
import type { FoundAuction } from "../../registry/auctions.ts";
import type { Registry } from "../../registry/registry.ts";
import { visibleBids } from "../../views/visibility.ts";
import type { Language } from "../layout/languages.ts";
import { organizationNameIn } from "../layout/organizationName.ts";
import { type PortalSite, pagePathOf } from "../layout/portalPage.ts";
import { shortText } from "../layout/shortText.ts";
import { profilePath } from "../organizations/profilePage.ts";
import type { DisclosedBidder } from "./auctionScreen.ts";

const NAME_LENGTH_MAX = 200;

/**
 * The bidders of an auction whose names are public, as everybody sees them on the page of the tender. Undefined before: nothing is read
 * of bids then.
 */
export async function disclosedBidders(
  registry: Pick<Registry, "tender">,
  { tender: { id }, state }: FoundAuction,
  language: Language,
  site: PortalSite,
): Promise<readonly DisclosedBidder[] | undefined> {
  if (!isRecordPublic(state)) return undefined;
  const tender = await registry.tender(id);
  if (!tender) return undefined;
  const competing = new Set(state.bids.map((bid) => bid.id));
  return visibleBids(tender, ANONYMOUS)
    .filter((bid) => competing.has(bid.id))
    .map(({ id: bid, tenderers: [bidder] = [] }) => {
      // Test tenders are in no profile.
      const key = tender.mode === "test" ? undefined : organizationKey(bidder);
      const name = organizationNameIn(language, bidder);
      return {
        bid,
        ...(name !== undefined && { name: shortText(name, NAME_LENGTH_MAX) }),
        ...(key !== undefined && { profilePath: pagePathOf(site, profilePath("supplier", key), language) }),
      };
    });
}
