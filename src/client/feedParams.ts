import type { Query, RequestOptions } from "./requests.ts";
import type { FeedPage, Tender, Timestamp } from "./types.ts";

type DateField = "dateModified" | "enquiryPeriod.endDate" | "tenderPeriod.startDate" | "tenderPeriod.endDate";

/**
 * Filters of the feed. A tender must match all of them.
 *
 * @example
 * client.tenders.all({ status: ["active.tendering", "active.auction"], value_min: 100_000, currency: "UAH" });
 */
export type TenderFilters = {
  /** The status of the tender; of several, any. */
  readonly status?: Tender["status"] | readonly Tender["status"][] | undefined;
  /** The `identifier.id` of the buyer. */
  readonly procuringEntity?: string | undefined;
  /** A prefix of the `classification.id` of an item; of several, any. */
  readonly classification?: string | readonly string[] | undefined;
  /** The lowest `value.amount`, inclusive. Pass a string for more digits than a number holds. */
  readonly value_min?: number | string | undefined;
  /** The highest `value.amount`, inclusive. */
  readonly value_max?: number | string | undefined;
  /** The `value.currency`, for example `UAH`. */
  readonly currency?: string | undefined;
  /** The public number of the tender, for example `UA-2026-11-16-000001`. */
  readonly tenderID?: string | undefined;
} & {
  /** The first (`_from`) or last (`_to`) time or day of the date field, inclusive. */
  readonly [name in `${DateField}_${"from" | "to"}`]?: Timestamp | Date | undefined;
};

/** The parameters that the feed and the stream have in common. */
export type FeedParams = TenderFilters & {
  /** Where to start: the `offset` of an entry or page, a time, or Unix seconds. Default: the oldest change. */
  readonly offset?: string | undefined;
  /** `"test"` for test tenders only, `"_all_"` for real and test tenders. Default: real tenders only. */
  readonly mode?: "test" | "_all_" | undefined;
  /** Fields of the tender to include in each entry, for example `["title", "status"]`. */
  readonly opt_fields?: string | readonly string[] | undefined;
};

/** The parameters of `tenders.list`. */
export type ListParams = FeedParams &
  RequestOptions & {
    /** The number of entries on a page: 1 to 1000, or 1 to 100 with `opt_fields`. */
    readonly limit?: number | undefined;
    /** Newest changes first. Default: oldest first. */
    readonly descending?: boolean | undefined;
    /** The `etag` of an earlier response. If nothing has changed since, the response is a `NotModifiedResponse`. */
    readonly ifNoneMatch?: string | undefined;
  };

/** An entry of the feed: the id of a tender, the time of its last change, and the fields named in `opt_fields`. */
export type FeedEntry = FeedPage["data"][number];

/** Options of the client's methods that are not query parameters. */
const CLIENT_ONLY_OPTIONS = [
  "signal",
  "token",
  "retries",
  "headers",
  "ifNoneMatch",
  "push",
  "pollMs",
  "idleTimeoutMs",
  "onRetry",
];

/** The query parameters among the options of a method. */
export const toQuery = (params: object): Query =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !CLIENT_ONLY_OPTIONS.includes(name)));
