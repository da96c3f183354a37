import type { Tender } from "../domain/model/tender.ts";
import type { Decimal } from "../domain/values/decimal.ts";
import type { Instant } from "../domain/values/time.ts";
import type { FeedQuery, Filter, FilteredDate } from "./feedQuery.ts";

/** What tenders are found by, kept beside their texts so that finding reads no text. */
export type Facets = {
  readonly number: string;
  readonly entity: string | null;
  readonly currency: string | null;
  /** In the order of numbers when compared as text. */
  readonly amount: string | null;
  readonly enquiryEnd: Instant | null;
  readonly tenderStart: Instant | null;
  readonly tenderEnd: Instant | null;
  readonly classifications: readonly string[];
};

export function facetsOf(tender: Tender): Facets {
  const { tenderID, procuringEntity, value, enquiryPeriod, tenderPeriod, items = [] } = tender;
  const codes = items.flatMap(({ classification }) => indexable(classification?.id) ?? []);
  return {
    number: tenderID,
    entity: indexable(procuringEntity?.identifier?.id) ?? null,
    currency: indexable(value?.currency) ?? null,
    amount: value?.amount === undefined ? null : sortableDecimal(value.amount),
    enquiryEnd: enquiryPeriod?.endDate ?? null,
    tenderStart: tenderPeriod?.startDate ?? null,
    tenderEnd: tenderPeriod?.endDate ?? null,
    classifications: [...new Set(codes)].sort(),
  };
}

const INDEXED_LENGTH_MAX = 200;

/** No index takes a text of any length, and not every database every character: what is found is found by what is left. */
const indexable = <Text extends string | undefined>(text: Text): Text =>
  text?.replaceAll("\0", "").slice(0, INDEXED_LENGTH_MAX).toWellFormed() as Text;

/**
 * How many digits stand before the point, and then the decimal as it is: as text these are in the order of the numbers, exactly.
 * What is below zero comes before all else; no tender has such a value.
 */
export function sortableDecimal(amount: Decimal): string {
  if (amount.startsWith("-")) return "";
  const point = amount.indexOf(".");
  return `${String(point < 0 ? amount.length : point).padStart(3, "0")}${amount}`;
}

export type SqlCondition = {
  readonly sql: string;
  readonly values: readonly (string | number)[];
  /** The same, asked of each row rather than finding the rows: where others find them. */
  readonly rowSql?: string;
  /** Where those that meet it are counted, if not among the facets; nowhere, if no index leads to them. */
  readonly countSource?: string | null;
};

const COLUMNS: { readonly [name in FilteredDate]: string } = {
  dateModified: "date_modified",
  enquiryEnd: "enquiry_end",
  tenderStart: "tender_start",
  tenderEnd: "tender_end",
};

/** After every text that begins with what stands before it: none that is found is as long. */
const PREFIX_END = "\u{10FFFF}".repeat(INDEXED_LENGTH_MAX);

/** What a filter asks of the rows of `facets`, with a question mark for each value. */
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
    const either = classifications.map(() => "(code >= ? and code < ?)").join(" or ");
    const values = classifications.map(indexable).flatMap((prefix) => [prefix, prefix + PREFIX_END]);
    conditions.push({
      sql: `first_row in (select first_row from classifications where ${either})`,
      rowSql: `exists (select 1 from classifications where first_row = facets.first_row and (${either}))`,
      countSource: `classifications where ${either}`,
      values,
    });
  }
  if (amount) addRange("amount", amount.from && sortableDecimal(amount.from), amount.to && sortableDecimal(amount.to));
  // Nearly all are in one currency: it only narrows what others find.
  if (currency !== undefined)
    conditions.push({ sql: "currency = ?", countSource: null, values: [indexable(currency)] });
  for (const [name, column] of Object.entries(COLUMNS)) {
    const range = dates[name as FilteredDate];
    if (range) addRange(column, range.from, range.to);
  }
  return conditions;

  function addRange(column: string, from: string | number | undefined, to: string | number | undefined): void {
    const parts = [...(from === undefined ? [] : [`${column} >= ?`]), ...(to === undefined ? [] : [`${column} <= ?`])];
    if (parts.length > 0) add(parts.join(" and "), ...[from, to].filter((end) => end !== undefined));
  }
}

/** Everyone's question of a page: which tenders are listed at all, and those beyond the place asked from. */
export const listingCondition = ({ modes }: FeedQuery): string =>
  modes === "all" ? "listing <> 'draft'" : `listing = '${modes}'`;
export const cursorCondition = ({ descending }: FeedQuery): string => `date_modified ${descending ? "<" : ">"} ?`;
export const feedOrder = ({ descending }: FeedQuery): string => `date_modified ${descending ? "desc" : "asc"}`;
export const cursorOf = ({ beyond, descending }: FeedQuery): number =>
  beyond ?? (descending ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER);
