import type { Tender } from "../domain/model/tender.ts";
import { contributionDifference, sumContributions } from "../indexing/contributionSums.ts";
import { searchDocumentOf } from "../indexing/searchDocument.ts";
import { type Contribution, contributionsOf } from "../indexing/statistics.ts";
import { facetsOf, type LedgerRow, listingOf, publicationIn, type Scan, type TenderRow } from "../store/store.ts";

/** Checks the search index and the sums of the statistics in a snapshot against its tenders. */
export type IndexVerification = {
  /** Checks what is indexed of a tender. */
  readonly verifyTender: (
    tender: Tender,
    stored: TenderRow,
    rows: readonly LedgerRow[],
    report: (problem: string) => void,
  ) => Promise<void>;
  /** Checks what is counted over all tenders, after the last one. */
  readonly verifyCounts: (report: (problem: string) => void) => Promise<void>;
};

/** Contributions are added up as soon as there are so many, to keep memory small. */
const CONTRIBUTIONS_MAX = 20_000;

/** Opens the verification. While older tenders are still being added to the index, those that it lacks are not reported. */
export async function openIndexVerification(scan: Scan): Promise<IndexVerification> {
  const isBackfilling = await scan.isBackfilling();
  let contributions: Contribution[] = [];
  let indexedCount = 0;

  async function verifyTender(
    tender: Tender,
    { search }: TenderRow,
    rows: readonly LedgerRow[],
    report: (problem: string) => void,
  ): Promise<void> {
    const isPublic = tender.status !== "draft";
    if (!search) {
      if (isPublic && !isBackfilling) report("is not in the search index");
      return;
    }
    indexedCount += 1;
    if (!isPublic) return report("is a draft, but in the search index");
    const { tokens, ...document } = searchDocumentOf(tender);
    const { amount, currency } = facetsOf(tender);
    const publicRow = publicationIn(rows.filter(({ kind }) => kind === "tender"));
    const expected = { ...document, publicRow, listing: listingOf(tender), amount, currency };
    const stored: { readonly [name: string]: unknown } = search;
    for (const [name, value] of Object.entries(expected))
      if (String(stored[name]) !== String(value))
        report(`${name} in the search index is ${stored[name] ?? "nothing"}, not ${value ?? "nothing"}`);
    if (!(await scan.hasTokens(search.publicRow, tokens.split(" "))))
      report("the search index does not have exactly its words");
    contributions.push(...contributionsOf(tender));
    if (contributions.length > CONTRIBUTIONS_MAX) contributions = [...sumContributions(contributions)];
  }

  async function verifyCounts(report: (problem: string) => void): Promise<void> {
    const stored = await scan.indexedCount();
    if (stored !== indexedCount) report(`the search index has ${stored} rows, not ${indexedCount}`);
    for (const { dimension, key, month, currency, counts, amounts } of contributionDifference(
      contributions,
      await scan.sums(),
    )) {
      const measures = Object.entries({ ...counts, ...amounts }).map(([name, by]) => `${name} by ${by}`);
      const sum = [dimension, key, month, currency].filter((part) => part !== "").join(" ");
      report(`the statistics of ${sum} are wrong: ${measures.join(", ")}`);
    }
  }

  return { verifyTender, verifyCounts };
}
