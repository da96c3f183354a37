import type { Query, RequestOptions } from "./requests.ts";
import type { FeedPage, Tender, Timestamp } from "./types.ts";

type DateField = "dateModified" | "enquiryPeriod.endDate" | "tenderPeriod.startDate" | "tenderPeriod.endDate";

/** Which tenders are wanted; several conditions all have to hold. */
export type TenderFilters = {
  /** Any of these statuses. */
  readonly status?: Tender["status"] | readonly Tender["status"][] | undefined;
  /** The buyer's `identifier.id`. */
  readonly procuringEntity?: string | undefined;
  /** What the `classification.id` of an item begins with; any of several. */
  readonly classification?: string | readonly string[] | undefined;
  readonly value_min?: number | string | undefined;
  readonly value_max?: number | string | undefined;
  readonly currency?: string | undefined;
  /** The number that people know a tender by, `UA-2026-11-16-000001`. */
  readonly tenderID?: string | undefined;
} & {
  /** From that moment or day on, or until then, both inclusive. */
  readonly [name in `${DateField}_${"from" | "to"}`]?: Timestamp | Date | undefined;
};

/** What the feed and the stream take alike. */
export type FeedParams = TenderFilters & {
  /** Where to go on: the `offset` of an item or page, a time, or unix seconds. Without it from the beginning. */
  readonly offset?: string | undefined;
  /** `test`: test tenders only; `_all_`: both; without it real ones only. */
  readonly mode?: "test" | "_all_" | undefined;
  /** More fields of the tender for each item. */
  readonly opt_fields?: string | readonly string[] | undefined;
};

/** A page of the feed. */
export type ListParams = FeedParams &
  RequestOptions & {
    /** Entries on a page, 1 to 1000, with `opt_fields` to 100. */
    readonly limit?: number | undefined;
    /** Newest first. */
    readonly descending?: boolean | undefined;
    /** The `etag` of an earlier answer: if nothing has changed since, the answer is `notModified`. */
    readonly ifNoneMatch?: string | undefined;
  };

/** An entry of the feed: which tender changed and when, and the fields that `opt_fields` asked for. */
export type FeedEntry = FeedPage["data"][number];

const CLIENT_ONLY_OPTIONS = [
  "signal",
  "token",
  "retries",
  "headers",
  "ifNoneMatch",
  "push",
  "pollMs",
  "silentMs",
  "onRetry",
];

/** What of the wishes the registry is told. */
export const toQuery = (params: object): Query =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !CLIENT_ONLY_OPTIONS.includes(name)));
