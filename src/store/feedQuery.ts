import type { Decimal } from "../domain/values/decimal.ts";
import type { Instant } from "../domain/values/time.ts";

/** Which tenders a feed lists; never drafts. */
export type Modes = "real" | "test" | "all";

/** The dates of a tender that can be filtered by. */
export const FILTERED_DATES = ["dateModified", "enquiryEnd", "tenderStart", "tenderEnd"] as const;
export type FilteredDate = (typeof FILTERED_DATES)[number];
/** A range; both ends are inclusive, and an absent end is open. */
export type ValueRange<Value> = { readonly from?: Value; readonly to?: Value };

/** Conditions for tenders, all of which must hold. */
export type Filter = {
  readonly id?: string;
  readonly statuses?: readonly string[];
  /** The id of the buyer's identifier. */
  readonly entity?: string;
  /** An item has a classification code that begins with one of these. */
  readonly classifications?: readonly string[];
  readonly amount?: ValueRange<Decimal>;
  readonly currency?: string;
  readonly tenderID?: string;
  readonly dates?: { readonly [name in FilteredDate]?: ValueRange<Instant> };
};

/** A page of the feed, which is ordered by `dateModified`. */
export type FeedQuery = {
  readonly modes: Modes;
  readonly filter?: Filter;
  readonly descending: boolean;
  /** The cursor: only tenders with a later `dateModified` (an earlier one if `descending`). */
  readonly beyond: Instant | undefined;
  readonly limit: number;
};

/** A tender in a list of tenders. */
export type FeedRow = { readonly id: string; readonly dateModified: Instant };
