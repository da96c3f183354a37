import { parseOwnJson } from "../../base/ownJson.ts";
import type { Instant } from "../../domain/values/time.ts";
import type { Contribution } from "../../indexing/statistics.ts";

/** The row of the search index of a tender, as the database has it, without its tokens. */
export type StoredSearchRow = {
  /** The sequence number of the change that published the tender. */
  readonly publicRow: number;
  readonly listing: string;
  readonly status: string;
  readonly procedure: string;
  readonly categories: string;
  readonly region: string | null;
  readonly buyer: string | null;
  readonly suppliers: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly deadline: Instant | null;
  readonly enquiryDeadline: Instant | null;
  readonly opening: Instant | null;
  readonly auctionStarts: readonly Instant[];
};

/** The search index and the sums of the statistics, as part of a snapshot. */
export type IndexScan = {
  /** Whether the index has exactly these tokens of a row. */
  hasTokens(publicRow: number, tokens: readonly string[]): Promise<boolean>;
  /** The number of rows of the index. */
  indexedCount(): Promise<number>;
  /** Whether older tenders are still being added to the index, so that it lacks some. */
  isBackfilling(): Promise<boolean>;
  /** All sums of the statistics. */
  sums(): Promise<readonly Contribution[]>;
};

const COLUMNS = [
  ...["publicRow", "listing", "status", "procedure", "categories", "region"],
  ...["buyer", "suppliers", "amount", "currency", "deadline", "enquiryDeadline", "opening"],
] as const;
const columnName = (name: string): string => name.replace(/[A-Z]/, (capital) => `_${capital.toLowerCase()}`);

/** The arguments in SQL that make an object of JSON from a row of the table `search`. `starts` is SQL for the starts of its auctions. */
export const searchRowJson = (starts: string): string =>
  [...COLUMNS.map((name) => `'${name}', search.${columnName(name)}`), `'auctionStarts', ${starts}`].join(", ");

/** The row from its JSON. */
export function storedSearchRow(json: string | null): StoredSearchRow | undefined {
  if (json === null) return undefined;
  const row = parseOwnJson<StoredSearchRow>(json);
  return { ...row, auctionStarts: row.auctionStarts.toSorted((a, b) => a - b) };
}
