import type { PublicTender } from "../../views/publicTender.ts";
import type { OcdsObject } from "../ocdsValues.ts";
import { awardList, contractList } from "./awardList.ts";
import { bidList } from "./bidList.ts";
import type { ContentSettings } from "./contentContext.ts";
import { compact } from "./fieldValues.ts";
import { openPartyList } from "./partyList.ts";
import { withRoles } from "./partyRoles.ts";
import { tenderSection, withDecidedStatus } from "./tenderSection.ts";

/** The language of texts without a suffix such as `_en`. */
const LANGUAGE = "uk";

/**
 * Everything that OCDS can say about a tender: a release without its head (`ocid`, `id`, `date` and `tag`). The tender is the public
 * view, so nothing of a sealed bid gets here.
 */
export function contentOf(tender: PublicTender, settings: ContentSettings): OcdsObject {
  const parties = openPartyList();
  const context = { ...settings, tender, parties };
  const buyer = tender.procuringEntity && parties.refer(tender.procuringEntity, "procuringEntity");
  const bids = bidList(context);
  const content = compact({
    initiationType: "tender",
    language: LANGUAGE,
    buyer,
    tender: tenderSection(context, bids),
    bids: compact({ details: bids }),
    awards: awardList(context),
    contracts: contractList(context),
  });
  return withRoles(withDecidedStatus({ ...content, ...compact({ parties: parties.parties() }) }));
}
