import type { Decimal } from "../domain/values/decimal.ts";
import type { Instant } from "../domain/values/time.ts";

export type Modes = "real" | "test" | "all";

export const FILTERED_DATES = ["dateModified", "enquiryEnd", "tenderStart", "tenderEnd"] as const;
export type FilteredDate = (typeof FILTERED_DATES)[number];
/** Both ends belong to it. */
export type ValueRange<Value> = { readonly from?: Value; readonly to?: Value };

/** Tenders of which all of this is true. */
export type Filter = {
  readonly id?: string;
  readonly statuses?: readonly string[];
  /** The id of the buyer's identifier. */
  readonly entity?: string;
  /** One of its items is classified by a code that begins with one of these. */
  readonly classifications?: readonly string[];
  readonly amount?: ValueRange<Decimal>;
  readonly currency?: string;
  readonly tenderID?: string;
  readonly dates?: { readonly [name in FilteredDate]?: ValueRange<Instant> };
};

export type FeedQuery = {
  readonly modes: Modes;
  readonly filter?: Filter;
  readonly descending: boolean;
  /** Rows strictly beyond this moment, in the direction asked for. */
  readonly beyond: Instant | undefined;
  readonly limit: number;
};
