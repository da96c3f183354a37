import { compact, namesOf } from "./content/fieldValues.ts";
import { type OcdsObject, objectAt, objectsIn } from "./ocdsValues.ts";
import { isSameValue } from "./sameValue.ts";

/** Changes of the terms of a tender, which OCDS calls amendments. Everything else that happens to a tender is an update. */

/** The fields of the section `tender` that are terms, by which suppliers decide whether to bid. */
const TERMS = [
  "title",
  "description",
  "procuringEntity",
  "items",
  "value",
  "minimalStep",
  "guarantee",
  "procurementMethodRationale",
  "cause",
  "awardCriteria",
  "awardCriteriaDetails",
  "submissionMethodDetails",
  "eligibilityCriteria",
  "features",
  "enquiryPeriod",
  "tenderPeriod",
] as const;

/** The fields of a lot that are terms. */
const LOT_TERMS = ["title", "description", "value", "minimalStep", "guarantee"] as const;

/** The terms that differ. A translation is the same term as its text. */
export function changedTerms(before: OcdsObject, after: OcdsObject): readonly string[] {
  const [tenderBefore, tenderAfter] = [objectAt(before, "tender"), objectAt(after, "tender")];
  const changed = TERMS.filter((term) => isChanged(tenderBefore, tenderAfter, term));
  return areLotsChanged(objectsIn(tenderBefore.lots), objectsIn(tenderAfter.lots)) ? [...changed, "lots"] : changed;
}

const isChanged = (before: OcdsObject, after: OcdsObject, name: string): boolean =>
  namesOf(name).some((translation) => !isSameValue(before[translation], after[translation]));

function areLotsChanged(before: readonly OcdsObject[], after: readonly OcdsObject[]): boolean {
  const earlier = new Map(before.map((lot) => [lot.id, lot]));
  return after.some((lot) => LOT_TERMS.some((term) => isChanged(earlier.get(lot.id) ?? {}, lot, term)));
}

/** The content with the amendments that were published before. The tender itself does not list them. */
export function withAmendmentsOf(before: OcdsObject, content: OcdsObject): OcdsObject {
  const { amendments } = objectAt(before, "tender");
  return amendments === undefined ? content : { ...content, tender: { ...objectAt(content, "tender"), amendments } };
}

/** What an amendment is made from. */
type AmendmentFacts = {
  readonly number: number;
  readonly date: string;
  readonly releaseID: string;
  readonly amendsReleaseID: string;
};

/** The content with one more amendment in its section `tender`. The registry is not told why the buyer changes terms. */
export function withAmendment(
  content: OcdsObject,
  terms: readonly string[],
  { number, date, releaseID, amendsReleaseID }: AmendmentFacts,
): OcdsObject {
  const tender = objectAt(content, "tender");
  const amendment = compact({
    id: `amendment-${number}`,
    date,
    rationale: "Замовник змінив умови закупівлі.",
    rationale_en: "The buyer changed the terms of the tender.",
    description: `tender: ${terms.join(", ")}`,
    releaseID,
    amendsReleaseID,
  });
  return { ...content, tender: { ...tender, amendments: [...objectsIn(tender.amendments), amendment] } };
}
