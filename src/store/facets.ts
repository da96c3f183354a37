import type { Decimal } from "../domain/money.ts";
import type { Tender } from "../domain/tender.ts";
import type { Instant } from "../domain/time.ts";
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
  const codes = items.flatMap(({ classification }) => findable(classification?.id) ?? []);
  return {
    number: tenderID,
    entity: findable(procuringEntity?.identifier?.id) ?? null,
    currency: findable(value?.currency) ?? null,
    amount: value?.amount === undefined ? null : sortable(value.amount),
    enquiryEnd: enquiryPeriod?.endDate ?? null,
    tenderStart: tenderPeriod?.startDate ?? null,
    tenderEnd: tenderPeriod?.endDate ?? null,
    classifications: [...new Set(codes)].sort(),
  };
}

const FINDABLE_MAX = 200;

/** No index takes a text of any length, and not every database every character: what is found is found by what is left. */
const findable = <Text extends string | undefined>(text: Text): Text =>
  text?.replaceAll("\0", "").slice(0, FINDABLE_MAX).toWellFormed() as Text;

/**
 * How many digits stand before the point, and then the decimal as it is: as text these are in the order of the numbers, exactly.
 * What is below zero comes before all else; no tender has such a value.
 */
export function sortable(amount: Decimal): string {
  if (amount.startsWith("-")) return "";
  const point = amount.indexOf(".");
  return `${String(point < 0 ? amount.length : point).padStart(3, "0")}${amount}`;
}

export type Condition = {
  readonly sql: string;
  readonly values: readonly (string | number)[];
  /** The same, asked of each row rather than finding the rows: where others find them. */
  readonly asked?: string;
  /** Where those that meet it are counted, if not among the facets; nowhere, if no index leads to them. */
  readonly counted?: string | null;
};

const COLUMNS: { readonly [name in FilteredDate]: string } = {
  dateModified: "date_modified",
  enquiryEnd: "enquiry_end",
  tenderStart: "tender_start",
  tenderEnd: "tender_end",
};

/** After every text that begins with what stands before it: none that is found is as long. */
const BEYOND_ALL = "\u{10FFFF}".repeat(FINDABLE_MAX);

/** What a filter asks of the rows of `facets`, with a question mark for each value. */
export function conditionsOf(filter: Filter): readonly Condition[] {
  const { id, statuses, entity, classifications, amount, currency, tenderID, dates = {} } = filter;
  const conditions: Condition[] = [];
  const add = (sql: string, ...values: readonly (string | number)[]) => conditions.push({ sql, values });
  if (id !== undefined)
    conditions.push({
      sql: "first_row = (select first_row from tenders where id = ?)",
      asked: "tender_id = ?",
      values: [findable(id)],
    });
  if (tenderID !== undefined) add("number = ?", findable(tenderID));
  if (entity !== undefined) add("entity = ?", findable(entity));
  if (statuses) add(`status in (${statuses.map(() => "?").join(", ")})`, ...statuses);
  if (classifications) {
    const either = classifications.map(() => "(code >= ? and code < ?)").join(" or ");
    const values = classifications.map(findable).flatMap((prefix) => [prefix, prefix + BEYOND_ALL]);
    conditions.push({
      sql: `first_row in (select first_row from classifications where ${either})`,
      asked: `exists (select 1 from classifications where first_row = facets.first_row and (${either}))`,
      counted: `classifications where ${either}`,
      values,
    });
  }
  if (amount) within("amount", amount.from && sortable(amount.from), amount.to && sortable(amount.to));
  // Nearly all are in one currency: it only narrows what others find.
  if (currency !== undefined) conditions.push({ sql: "currency = ?", counted: null, values: [findable(currency)] });
  for (const [name, column] of Object.entries(COLUMNS)) {
    const range = dates[name as FilteredDate];
    if (range) within(column, range.from, range.to);
  }
  return conditions;

  function within(column: string, from: string | number | undefined, to: string | number | undefined): void {
    const parts = [...(from === undefined ? [] : [`${column} >= ?`]), ...(to === undefined ? [] : [`${column} <= ?`])];
    if (parts.length > 0) add(parts.join(" and "), ...[from, to].filter((end) => end !== undefined));
  }
}

/** Everyone's question of a page: which tenders are listed at all, and those beyond the place asked from. */
export const listedAs = ({ modes }: FeedQuery): string =>
  modes === "all" ? "listing <> 'draft'" : `listing = '${modes}'`;
export const pastPlace = ({ descending }: FeedQuery): string => `date_modified ${descending ? "<" : ">"} ?`;
export const inOrder = ({ descending }: FeedQuery): string => `date_modified ${descending ? "desc" : "asc"}`;
export const placeOf = ({ beyond, descending }: FeedQuery): number =>
  beyond ?? (descending ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER);
