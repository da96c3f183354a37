import { isOcdsObject, type OcdsObject, objectAt, objectsIn } from "./ocdsValues.ts";
import { isSameValue } from "./sameValue.ts";

/** What a release is about, in the codes of OCDS. */

export const RELEASE_TAGS = [
  "tender",
  "tenderAmendment",
  "tenderUpdate",
  "tenderCancellation",
  "award",
  "awardUpdate",
  "awardCancellation",
  "contract",
  "contractUpdate",
  "contractTermination",
] as const;
export type ReleaseTag = (typeof RELEASE_TAGS)[number];

/** The tags of the release that leads from one content to the next; several if several things happened. */
export function releaseTags(before: OcdsObject | undefined, after: OcdsObject): readonly ReleaseTag[] {
  const tags = new Set<ReleaseTag>([
    ...(before ? tenderTags(before, after) : firstTags(after)),
    ...elementTags(before, after, "awards", { added: "award", changed: "awardUpdate", ended: AWARD_ENDS }),
    ...elementTags(before, after, "contracts", { added: "contract", changed: "contractUpdate", ended: CONTRACT_ENDS }),
  ]);
  // Only descriptions of organisations or the buyer have changed.
  if (tags.size === 0) tags.add("tenderUpdate");
  return RELEASE_TAGS.filter((tag) => tags.has(tag));
}

/** A draft may be cancelled, which makes it public: then one release has both. */
const firstTags = (content: OcdsObject): readonly ReleaseTag[] =>
  objectAt(content, "tender").status === "cancelled" ? ["tender", "tenderCancellation"] : ["tender"];

function tenderTags(before: OcdsObject, after: OcdsObject): readonly ReleaseTag[] {
  const [earlier, tender] = [objectAt(before, "tender"), objectAt(after, "tender")];
  const isAmended = objectsIn(tender.amendments).length > objectsIn(earlier.amendments).length;
  const isCancelled = tender.status === "cancelled" && earlier.status !== "cancelled";
  const isUpdated = !isSameValue(before.tender, after.tender) || !isSameValue(before.bids, after.bids);
  if (!isAmended && !isCancelled) return isUpdated ? ["tenderUpdate"] : [];
  return [...(isAmended ? ["tenderAmendment" as const] : []), ...(isCancelled ? ["tenderCancellation" as const] : [])];
}

type ElementTags = {
  readonly added: ReleaseTag;
  readonly changed: ReleaseTag;
  /** The tags of changes to these statuses. */
  readonly ended: { readonly [status: string]: ReleaseTag };
};

const AWARD_ENDS = { cancelled: "awardCancellation" } as const;
const CONTRACT_ENDS = { terminated: "contractTermination" } as const;

function elementTags(
  before: OcdsObject | undefined,
  after: OcdsObject,
  name: "awards" | "contracts",
  { added, changed, ended }: ElementTags,
): readonly ReleaseTag[] {
  const earlier = new Map(objectsIn(before?.[name]).map((element) => [element.id, element]));
  return objectsIn(after[name]).flatMap((element) => {
    const known = earlier.get(element.id);
    if (!isOcdsObject(known)) return [added];
    if (isSameValue(known, element)) return [];
    const end = known.status === element.status ? undefined : ended[String(element.status)];
    return [end ?? changed];
  });
}
