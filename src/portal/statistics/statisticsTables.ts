import type { Contribution, Dimension } from "../../indexing/statistics.ts";
import { formatDecimal, formatNumber, formatPercent } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import {
  type AmountFigures,
  amountsIn,
  averageDays,
  bidsPerTender,
  currenciesOf,
  type Figures,
  figuresBy,
  NO_FIGURES,
  savings,
  savingsShare,
  singleBidShare,
} from "./figures.ts";
import { monthsOf, type StatisticsPeriod } from "./period.ts";

/** The tables of the statistics, for the page and for CSV. */

/** The names of the tables, which are part of the addresses of their CSV files. */
export const STATISTICS_TABLES = ["months", "procedures", "divisions", "regions"] as const;
export type StatisticsTableName = (typeof STATISTICS_TABLES)[number];

/** The dimension that each table is about. */
export const TABLE_DIMENSIONS: { readonly [table in StatisticsTableName]: Dimension } = {
  months: "all",
  procedures: "procedure",
  divisions: "division",
  regions: "region",
};

/** A row: a month, or the key of a procedure, division or region, which is "" if tenders have none. */
export type StatisticsRow = { readonly key: string; readonly figures: Figures };

/** The rows of a table: all months of the period, or the groups with the most tenders first. */
export function rowsOf(
  table: StatisticsTableName,
  contributions: readonly Contribution[],
  period: StatisticsPeriod,
): readonly StatisticsRow[] {
  const byGroup = figuresBy(contributions, ({ month, key }) => (table === "months" ? month : key));
  if (table === "months") return monthsOf(period).map((key) => ({ key, figures: byGroup.get(key) ?? NO_FIGURES }));
  return [...byGroup]
    .map(([key, figures]) => ({ key, figures }))
    .sort((a, b) => b.figures.counts.tenders - a.figures.counts.tenders || (a.key < b.key ? -1 : 1));
}

/** The number of decimal places of ratios in CSV. */
const RATIO_PLACES = 4;
const NONE = "–";

/** A column of figures. `T` is what it is computed from. */
export type StatisticsColumn<T, Id extends string> = {
  readonly id: Id;
  /** The column in CSV. */
  readonly csvName: string;
  readonly show: (figures: T, language: Language) => string;
  readonly csv: (figures: T) => string;
  /** The value to draw; undefined if there is nothing to compute it from. */
  readonly drawnValue: (figures: T) => number | undefined;
};

const showRatio = (value: number | undefined, language: Language): string =>
  value === undefined ? NONE : formatAverage(value, language);
const showShare = (value: number | undefined, language: Language): string =>
  value === undefined ? NONE : formatPercent(value, language);
const csvRatio = (value: number | undefined): string => (value === undefined ? "" : value.toFixed(RATIO_PLACES));

const averageFormats = new Map<Language, Intl.NumberFormat>();

/** An average with one decimal place, such as `2.4`. */
export function formatAverage(value: number, language: Language): string {
  const format =
    averageFormats.get(language) ??
    new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  averageFormats.set(language, format);
  return format.format(value);
}

export type CountColumnId = "tenders" | "bidsPerTender" | "singleBidShare" | "contracts" | "averageDays" | "complaints";

const countColumn = (
  id: "tenders" | "contracts" | "complaints",
  csvName: string,
): StatisticsColumn<Figures, CountColumnId> => ({
  id,
  csvName,
  show: ({ counts }, language) => formatNumber(counts[id], language),
  csv: ({ counts }) => String(counts[id]),
  drawnValue: ({ counts }) => counts[id],
});

/** The columns that no currency matters to. */
export const COUNT_COLUMNS: readonly StatisticsColumn<Figures, CountColumnId>[] = [
  countColumn("tenders", "tenders"),
  {
    id: "bidsPerTender",
    csvName: "bids_per_tender",
    show: (figures, language) => showRatio(bidsPerTender(figures), language),
    csv: (figures) => csvRatio(bidsPerTender(figures)),
    drawnValue: bidsPerTender,
  },
  {
    id: "singleBidShare",
    csvName: "single_bid_share",
    show: (figures, language) => showShare(singleBidShare(figures), language),
    csv: (figures) => csvRatio(singleBidShare(figures)),
    drawnValue: singleBidShare,
  },
  countColumn("contracts", "contracts"),
  {
    id: "averageDays",
    csvName: "days_to_contract",
    show: (figures, language) => showRatio(averageDays(figures), language),
    csv: (figures) => csvRatio(averageDays(figures)),
    drawnValue: averageDays,
  },
  countColumn("complaints", "complaints"),
];

export type AmountColumnId = "value" | "contractedValue" | "savings" | "savingsShare";

/** The columns of a table in one currency. */
export const AMOUNT_COLUMNS: readonly StatisticsColumn<AmountFigures, AmountColumnId>[] = [
  {
    id: "value",
    csvName: "expected_value",
    show: ({ value }, language) => formatDecimal(value, language),
    csv: ({ value }) => value,
    drawnValue: ({ value }) => Number(value),
  },
  {
    id: "contractedValue",
    csvName: "contracts_value",
    show: ({ contractedValue }, language) => formatDecimal(contractedValue, language),
    csv: ({ contractedValue }) => contractedValue,
    drawnValue: ({ contractedValue }) => Number(contractedValue),
  },
  {
    id: "savings",
    csvName: "savings",
    show: (amounts, language) => formatDecimal(savings(amounts), language),
    csv: (amounts) => savings(amounts),
    // Without contracts to compare there are no savings, which is not the same as savings of zero.
    drawnValue: (amounts) => (savingsShare(amounts) === undefined ? undefined : Number(savings(amounts))),
  },
  {
    id: "savingsShare",
    csvName: "savings_share",
    show: (amounts, language) => showShare(savingsShare(amounts), language),
    csv: (amounts) => csvRatio(savingsShare(amounts)),
    drawnValue: savingsShare,
  },
];

/** The column of keys in CSV. */
const CSV_KEYS: { readonly [table in StatisticsTableName]: string } = {
  months: "month",
  procedures: "procedure",
  divisions: "cpv_division",
  regions: "region",
};

/** The counts behind the ratios, which CSV has too, so that readers can add rows up. */
const CSV_COUNTS = ["openedTenders", "singleBidTenders", "bids", "timedContracts", "daysToContract"] as const;
const CSV_COUNT_NAMES = ["tenders_with_bids", "tenders_with_single_bid", "bids", "contracts_timed", "days_sum"];
const CSV_AMOUNTS = ["expectedValue", "comparedValue"] as const;
const CSV_AMOUNT_NAMES = ["compared_expected_value", "compared_contracts_value"];

/** The lines of a table of counts, the header first. `nameOf` is the name of a key for people. */
export function countLines(
  table: StatisticsTableName,
  rows: readonly StatisticsRow[],
  nameOf: (key: string) => string,
): readonly (readonly string[])[] {
  const header = [CSV_KEYS[table], "name", ...COUNT_COLUMNS.map(({ csvName }) => csvName), ...CSV_COUNT_NAMES];
  const lines = rows.map(({ key, figures }) => [
    key,
    nameOf(key),
    ...COUNT_COLUMNS.map(({ csv }) => csv(figures)),
    ...CSV_COUNTS.map((measure) => String(figures.counts[measure])),
  ]);
  return [header, ...lines];
}

/** The lines of a table of amounts, one for each group and currency, the header first. */
export function amountLines(
  table: StatisticsTableName,
  rows: readonly StatisticsRow[],
  nameOf: (key: string) => string,
): readonly (readonly string[])[] {
  const header = [
    CSV_KEYS[table],
    "name",
    "currency",
    ...AMOUNT_COLUMNS.map(({ csvName }) => csvName),
    ...CSV_AMOUNT_NAMES,
  ];
  const lines = rows.flatMap(({ key, figures }) =>
    currenciesOf([figures]).map((currency) => {
      const amounts = amountsIn(figures, currency);
      return [
        key,
        nameOf(key),
        currency,
        ...AMOUNT_COLUMNS.map(({ csv }) => csv(amounts)),
        ...CSV_AMOUNTS.map((measure) => amounts[measure]),
      ];
    }),
  );
  return [header, ...lines];
}
