import type { Item, Tender } from "../domain/model/tender.ts";
import type { Decimal } from "../domain/values/decimal.ts";
import type { Instant } from "../domain/values/time.ts";
import { type FeedQuery, FILTERED_DATES, type Filter, type FilteredDate } from "./feedQuery.ts";

/** The columns by which tenders are searched, so that searching reads no JSON. */
export type Facets = {
  readonly number: string;
  readonly entity: string | null;
  readonly currency: string | null;
  /** The amount of the value in a form that sorts as text; see `sortableDecimal`. */
  readonly amount: string | null;
  readonly enquiryEnd: Instant | null;
  readonly tenderStart: Instant | null;
  readonly tenderEnd: Instant | null;
  readonly classifications: readonly string[];
};

/** The search columns of a tender. */
export function facetsOf(tender: Tender): Facets {
  const { tenderID, procuringEntity, value, enquiryPeriod, tenderPeriod, items } = tender;
  return {
    number: tenderID,
    entity: indexableOrNull(procuringEntity?.identifier?.id),
    currency: indexableOrNull(value?.currency),
    amount: value?.amount === undefined ? null : sortableDecimal(value.amount),
    enquiryEnd: enquiryPeriod?.endDate ?? null,
    tenderStart: tenderPeriod?.startDate ?? null,
    tenderEnd: tenderPeriod?.endDate ?? null,
    classifications: items ? classificationsOf(items) : [],
  };
}

/** Items are never changed in place, so those of a tender are searched once as long as they stay the same. */
const classificationsByItems = new WeakMap<readonly Item[], readonly string[]>();

function classificationsOf(items: readonly Item[]): readonly string[] {
  const known = classificationsByItems.get(items);
  if (known) return known;
  const codes = items.flatMap(({ classification }) => indexableOrNull(classification?.id) ?? []);
  const sorted = [...new Set(codes)].sort();
  classificationsByItems.set(items, sorted);
  return sorted;
}

const INDEXED_LENGTH_MAX = 200;

/** Truncates a text for an index and removes characters that PostgreSQL cannot store; filters are treated in the same way. */
export const indexable = (text: string): string =>
  text.replaceAll("\0", "").slice(0, INDEXED_LENGTH_MAX).toWellFormed();

const indexableOrNull = (text: string | undefined): string | null => (text === undefined ? null : indexable(text));

/**
 * The number of digits before the point, followed by the decimal: these texts sort exactly as the numbers do. All negative numbers
 * sort first; no tender has a negative value.
 */
export function sortableDecimal(amount: Decimal): string {
  if (amount.startsWith("-")) return "";
  const point = amount.indexOf(".");
  return `${String(point < 0 ? amount.length : point).padStart(3, "0")}${amount}`;
}

/** A condition on rows of the table `facets`. */
export type SqlCondition = {
  /** With a question mark for each value. */
  readonly sql: string;
  readonly values: readonly (string | number)[];
  /** The same condition in a form that tests single rows, for queries that find the rows by another condition. */
  readonly rowSql?: string;
  /** The table and condition for counting the matches, if not `facets` and `sql`; null if no index supports counting. */
  readonly countSource?: string | null;
};

const COLUMNS: { readonly [name in FilteredDate]: string } = {
  dateModified: "date_modified",
  enquiryEnd: "enquiry_end",
  tenderStart: "tender_start",
  tenderEnd: "tender_end",
};

/** Appended to a prefix, sorts after every indexed text with that prefix, since none is as long. */
const PREFIX_END = "\u{10FFFF}".repeat(INDEXED_LENGTH_MAX);

/** The conditions of a filter, all of which must hold. */
export function conditionsOf(filter: Filter): readonly SqlCondition[] {
  const { id, statuses, entity, classifications, amount, currency, tenderID, dates = {} } = filter;
  const conditions: SqlCondition[] = [];
  const add = (sql: string, ...values: readonly (string | number)[]) => conditions.push({ sql, values });
  if (id !== undefined)
    conditions.push({
      sql: "first_row = (select first_row from tenders where id = ?)",
      rowSql: "tender_id = ?",
      values: [indexable(id)],
    });
  if (tenderID !== undefined) add("number = ?", indexable(tenderID));
  if (entity !== undefined) add("entity = ?", indexable(entity));
  if (statuses) add(`status in (${statuses.map(() => "?").join(", ")})`, ...statuses);
  if (classifications) {
    const anyPrefix = classifications.map(() => "(code >= ? and code < ?)").join(" or ");
    const values = classifications.map(indexable).flatMap((prefix) => [prefix, prefix + PREFIX_END]);
    conditions.push({
      sql: `first_row in (select first_row from classifications where ${anyPrefix})`,
      rowSql: `exists (select 1 from classifications where first_row = facets.first_row and (${anyPrefix}))`,
      countSource: `classifications where ${anyPrefix}`,
      values,
    });
  }
  if (amount) addRange("amount", amount.from && sortableDecimal(amount.from), amount.to && sortableDecimal(amount.to));
  // Nearly all tenders have the same currency, so an index on it would not help.
  if (currency !== undefined)
    conditions.push({ sql: "currency = ?", countSource: null, values: [indexable(currency)] });
  for (const name of FILTERED_DATES) {
    const range = dates[name];
    if (range) addRange(COLUMNS[name], range.from, range.to);
  }
  return conditions;

  function addRange(column: string, from: string | number | undefined, to: string | number | undefined): void {
    const parts = [...(from === undefined ? [] : [`${column} >= ?`]), ...(to === undefined ? [] : [`${column} <= ?`])];
    if (parts.length > 0) add(parts.join(" and "), ...[from, to].filter((end) => end !== undefined));
  }
}

/** SQL that selects the tenders which a feed lists. */
export const listingCondition = ({ modes }: FeedQuery): string =>
  modes === "all" ? "listing <> 'draft'" : `listing = '${modes}'`;
/** SQL that selects the tenders after the cursor, which is its one value. */
export const cursorCondition = ({ descending }: FeedQuery): string => `date_modified ${descending ? "<" : ">"} ?`;
/** The order of a feed in SQL. */
export const feedOrder = ({ descending }: FeedQuery): string => `date_modified ${descending ? "desc" : "asc"}`;
/** The value for `cursorCondition`: the query's cursor, or one before all tenders. */
export const cursorOf = ({ beyond, descending }: FeedQuery): number =>
  beyond ?? (descending ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER);
