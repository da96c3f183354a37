import type { Instant } from "../../domain/values/time.ts";
import type {
  OrganizationList,
  OrganizationName,
  OrganizationQuery,
  OrganizationRole,
} from "../../indexing/organizationQuery.ts";
import type { SearchQuery, SearchResult } from "../../indexing/searchQuery.ts";
import type { Contribution, Dimension } from "../../indexing/statistics.ts";
import type { FeedRow } from "../feedQuery.ts";

/** What happens to a tender at a moment that is known. */
export const CALENDAR_KINDS = ["deadline", "enquiries end", "auction", "opening"] as const;
export type CalendarKind = (typeof CALENDAR_KINDS)[number];
/** An event of the calendar; a tender with lots may have several auctions. */
export type ScheduledEvent = { readonly id: string; readonly kind: CalendarKind; readonly at: Instant };
/** Events from `from` on and before `to`. */
export type CalendarQuery = {
  readonly from: Instant;
  readonly to: Instant;
  readonly mode: "real" | "test";
  readonly limit: number;
};

/** Sums of a dimension: those with this key, or with a key that begins so, and of these months (YYYY-MM), both inclusive. */
export type StatisticsQuery = {
  readonly dimension: Dimension;
  readonly key?: string | undefined;
  readonly keyPrefix?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** A part of a list. */
export type PageQuery = { readonly offset: number; readonly limit: number };

/** A part of the organisations in a role. */
export type ProfileKeysQuery = PageQuery & { readonly role: OrganizationRole };

/** What the pages for people read besides single tenders. Drafts are nowhere in it, and nothing of sealed bids. */
export type PublicReads = {
  search(query: SearchQuery): Promise<SearchResult>;
  /** Events in the order of their time. What was planned for later than the end of a tender or lot is none. */
  calendar(query: CalendarQuery): Promise<readonly ScheduledEvent[]>;
  /** Real tenders in the order of their publication. */
  publishedPage(page: PageQuery): Promise<readonly FeedRow[]>;
  /** The number of real tenders that are published. */
  publishedCount(): Promise<number>;
  /** When those of these tenders that are public became so. */
  publicationTimes(ids: readonly string[]): Promise<ReadonlyMap<string, Instant>>;
  /** The id of the tender with this number, such as UA-2026-11-15-000001. */
  findByNumber(tenderID: string): Promise<string | undefined>;
  /** The sums of what real tenders contribute, by key, month and currency. */
  statistics(query: StatisticsQuery): Promise<readonly Contribution[]>;
  /** Organisations that real tenders name in public. */
  organizations(query: OrganizationQuery): Promise<OrganizationList>;
  /** The keys of the organisations that have a profile in a role, sorted. */
  profileKeys(query: ProfileKeysQuery): Promise<readonly string[]>;
  /** The number of these organisations. */
  profileCount(role: OrganizationRole): Promise<number>;
  /** The name of the organisation with this key, if a real tender names it. */
  organizationName(key: string): Promise<OrganizationName | undefined>;
  /** The Ukrainian names of those of these CPV categories to which a real tender gave one. */
  categoryNames(categories: readonly string[]): Promise<ReadonlyMap<string, string>>;
};

/** How far the search index is with older tenders, in numbers of tenders. */
export type BackfillProgress = { readonly done: number; readonly total: number };
