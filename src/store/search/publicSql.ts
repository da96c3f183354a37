import type { Instant } from "../../domain/values/time.ts";
import type { StatisticsQuery } from "./publicReads.ts";

/** SQL that both engines share, with a question mark for each value. */

/**
 * Values: four times the listing, the beginning and the end, then the limit. The table `facets` has an index on the end of enquiries,
 * and `search` says whether the tender reached it.
 */
export const CALENDAR = `
  select id, kind, at from (
    select tender_id as id, 'deadline' as kind, deadline as at from search
    where listing = ? and deadline >= ? and deadline < ?
    union all
    select search.tender_id, 'enquiries end', search.enquiry_deadline from facets join search on search.public_row = facets.public_row
    where facets.listing = ? and facets.enquiry_end >= ? and facets.enquiry_end < ? and search.enquiry_deadline is not null
    union all
    select tender_id, 'auction', auction_starts.at from auction_starts join search on search.public_row = auction_starts.public_row
    where listing = ? and auction_starts.at >= ? and auction_starts.at < ?
    union all
    select tender_id, 'opening', opening from search
    where listing = ? and opening >= ? and opening < ?
  ) as events
  order by at, kind, id limit ?`;

/** Values: the number. */
export const FIND_BY_NUMBER = "select tender_id as id from facets where number = ? and listing <> 'draft' limit 1";

/** Appended to a prefix, sorts after every key with that prefix. */
const PREFIX_END = "\u{10FFFF}";

/** The condition of a query for sums, and its values. */
export function statisticsCondition({ dimension, key, keyPrefix, from, to }: StatisticsQuery) {
  const conditions = ["dimension = ?"];
  const values: string[] = [dimension];
  const add = (sql: string, value: string | undefined) => {
    if (value === undefined) return;
    conditions.push(sql);
    values.push(value);
  };
  add("key = ?", key);
  add("key >= ?", keyPrefix);
  add("key < ?", keyPrefix === undefined ? undefined : keyPrefix + PREFIX_END);
  add("month >= ?", from);
  add("month <= ?", to);
  return { where: conditions.join(" and "), values };
}

/** Real tenders in the order of publication. Values: the limit and the offset. */
export const PUBLISHED_PAGE = `
  select id, date_modified as "dateModified"
  from (select public_row, tender_id from search where listing = 'real' order by public_row limit ? offset ?) as page
  join tenders on id = tender_id order by public_row`;

/** When tenders became public; `ids` is SQL for a list of ids. */
export const publicationTimesSql = (ids: string): string => `
  select tenders.id, ledger.at from tenders
  join facets on facets.first_row = tenders.first_row
  join ledger on ledger.sequence = facets.public_row
  where tenders.id in (${ids})`;

/** A tender and when it became public. */
export type PublicationRow = { readonly id: string; readonly at: Instant };

export const PUBLISHED_COUNT = "select coalesce(sum(number), 0) as number from statuses";
/** The state of the backfill of the index. */
export const BACKFILL_STATE = 'select left_up_to as "leftUpTo", done, total from index_backfill';
/** The next tenders of the backfill. Values: up to which first row, and the limit. */
export const BACKFILL_NEXT = `
  select tender_id as id, first_row as "firstRow", public_row as "publicRow" from facets
  where first_row <= ? order by first_row desc limit ?`;
export const IS_BACKFILLING = "select count(*) as number from index_backfill";
export const ORGANIZATION_NAMES = "select names from organizations where key = ?";
/** Organisations that real tenders contribute something to. Values: the role, the limit and the offset. */
export const PROFILE_KEYS =
  "select distinct key from statistics where dimension = ? and sum <> '0' order by key limit ? offset ?";
/** Values: the role. */
export const PROFILE_COUNT = "select count(distinct key) as number from statistics where dimension = ? and sum <> '0'";
