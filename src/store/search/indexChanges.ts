import { parseOwnJson } from "../../base/ownJson.ts";
import type { Organization, Tender } from "../../domain/model/tender.ts";
import { type CategoryName, categoryNamesOf } from "../../indexing/categoryNames.ts";
import { contributionDifference } from "../../indexing/contributionSums.ts";
import { organizationKey } from "../../indexing/organizationKeys.ts";
import type { OrganizationName } from "../../indexing/organizationQuery.ts";
import { suppliersOf, wordsOfTexts } from "../../indexing/searchDocument.ts";
import {
  areBidsCounted,
  type Contribution,
  contributionsOf,
  haveSameContributions,
} from "../../indexing/statistics.ts";
import { listingOf } from "../store.ts";
import type { SearchChange } from "./searchRows.ts";
import { type StoredSum, storedSumsOf } from "./statisticsRows.ts";

/** What a change does to the statistics and to the names of organisations. */

/** The name of an organisation, in JSON. */
export type OrganizationRow = { readonly key: string; readonly names: string };

/** The tokens of an organisation's name and key, by which it is found, with a space between them. */
export function organizationTokens({ key, names }: OrganizationRow): string {
  const { name, name_en, name_ru } = parseOwnJson<OrganizationName>(names);
  return wordsOfTexts([name, name_en, name_ru, key]);
}

/** What a change adds to the sums of the statistics. If it moves bids to other sums, both states must have all of them. */
export function addedContributions(before: Tender | undefined, after: Tender): readonly Contribution[] {
  if (!before) return contributionsOf(after);
  const areBidsIgnored = before.bids === after.bids || !(areBidsCounted(before) || areBidsCounted(after));
  if (areBidsIgnored && haveSameContributions(before, after)) return [];
  return contributionDifference(contributionsOf(before), contributionsOf(after));
}

/** The organisations of a real tender that a change has published, with their names. */
export function publishedOrganizations(
  before: Tender | undefined,
  after: Tender,
  change: SearchChange,
): readonly OrganizationRow[] {
  if (change === "none" || change === "removal" || listingOf(after) !== "real") return [];
  const known = new Set(before && listingOf(before) === "real" ? organizationsOf(before) : []);
  return organizationsOf(after).flatMap((organization) =>
    known.has(organization) ? [] : (namedOrganization(organization) ?? []),
  );
}

/** The organisations that everybody may see in a tender. */
export const organizationsOf = (tender: Tender): readonly Organization[] =>
  tender.procuringEntity ? [tender.procuringEntity, ...suppliersOf(tender)] : suppliersOf(tender);

/** The key and the name of an organisation, if it has a key. */
export function namedOrganization(organization: Organization): OrganizationRow | undefined {
  const key = organizationKey(organization);
  const { name, name_en, name_ru } = organization;
  return key === undefined ? undefined : { key, names: JSON.stringify({ name, name_en, name_ru }) };
}

/** The names of categories in a real tender that a change has published. */
export function publishedCategoryNames(
  before: Tender | undefined,
  after: Tender,
  change: SearchChange,
): readonly CategoryName[] {
  if (change === "none" || change === "removal" || listingOf(after) !== "real") return [];
  const isKnown = before !== undefined && listingOf(before) === "real" && before.items === after.items;
  return isKnown ? [] : categoryNamesOf(after.items ?? []);
}

/** What a change or a tender adds to the names. */
type NamingRow = {
  readonly organizations: readonly OrganizationRow[];
  readonly categoryNames: readonly CategoryName[];
};

/** The rows of a commit, as far as they change the statistics. */
type CountedRow = {
  readonly id: string;
  readonly searchChange: SearchChange;
  readonly contributions: readonly Contribution[];
};

/**
 * What a commit adds to the sums. Tenders that were published before there was an index count from when they are added to it, so
 * `isIndexed` says whether a tender was before the commit.
 */
function contributionsToAdd(
  rows: readonly CountedRow[],
  isIndexed: (tender: string) => boolean,
): readonly Contribution[] {
  const indexed = new Map<string, boolean>();
  return rows.flatMap(({ id, searchChange, contributions }) => {
    if (contributions.length === 0 && searchChange === "none") return [];
    const isCounted = searchChange === "publication" || (indexed.get(id) ?? isIndexed(id));
    indexed.set(id, isCounted && searchChange !== "removal");
    return isCounted ? contributions : [];
  });
}

/** What a commit adds to sums, and the names that it writes. */
export type IndexTotals = NamingRow & { readonly sums: readonly StoredSum[] };

/** The totals of the rows of a commit; `isIndexed` as above. */
export const indexTotals = (
  rows: readonly (CountedRow & NamingRow)[],
  isIndexed: (tender: string) => boolean,
): IndexTotals => ({
  sums: storedSumsOf(contributionsToAdd(rows, isIndexed)),
  organizations: lastNames(rows),
  categoryNames: firstCategoryNames(rows),
});

/** The last name of each organisation in a commit. */
export const lastNames = (rows: readonly Pick<NamingRow, "organizations">[]): readonly OrganizationRow[] => [
  ...new Map(rows.flatMap(({ organizations }) => organizations).map((named) => [named.key, named])).values(),
];

/** The first name of each category in a commit: a category keeps the first name that it gets. */
export const firstCategoryNames = (rows: readonly Pick<NamingRow, "categoryNames">[]): readonly CategoryName[] => [
  ...new Map(
    rows.flatMap(({ categoryNames }) => categoryNames.map((named) => [named.category, named] as const)).reverse(),
  ).values(),
];
