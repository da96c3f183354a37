import { csvCell } from "../../base/csv.ts";
import { bidDeadlineOf } from "../../domain/schedule.ts";
import { addDecimals, type Decimal } from "../../domain/values/decimal.ts";
import { formatInstant, type Instant, type Zone } from "../../domain/values/time.ts";
import { organizationKey } from "../../indexing/organizationKeys.ts";
import { regionOf } from "../../indexing/regions.ts";
import type { ListedTender } from "./listedTenders.ts";

/** Tenders as a table: RFC 4180 in UTF-8, with names of columns that never change. */

export const CSV_TYPE = "text/csv; charset=UTF-8; header=present";

/** Spreadsheets take a file without it for one in the encoding of the machine. */
export const CSV_START = "\ufeff";

type CsvContext = {
  readonly zone: Zone;
  readonly addressOf: (tender: ListedTender["tender"]) => string;
  /** When each tender became public, by its id. */
  readonly publicationTimes: ReadonlyMap<string, Instant>;
};

const CODES_MAX = 100;
/** Between the values of a cell that may have several. */
const SEPARATOR = "; ";

/** The columns, in their order. */
const COLUMNS: {
  readonly [name: string]: (tender: ListedTender["tender"], context: CsvContext) => string | undefined;
} = {
  tenderID: ({ tenderID }) => tenderID,
  id: ({ id }) => id,
  title: ({ title }) => title,
  title_en: ({ title_en }) => title_en,
  status: ({ status }) => status,
  procedure: ({ procedure }) => procedure,
  buyer: ({ procuringEntity }) => procuringEntity?.name,
  buyerKey: ({ procuringEntity }) => organizationKey(procuringEntity),
  region: (tender) => regionOf(tender),
  cpv: ({ items = [] }) => {
    const codes = new Set(items.flatMap(({ classification }) => classification?.id ?? []));
    return [...codes].slice(0, CODES_MAX).join(" ");
  },
  amount: ({ value }) => value?.amount,
  currency: ({ value }) => value?.currency,
  deadline: (tender, { zone }) => {
    const deadline = bidDeadlineOf(tender);
    return deadline === undefined ? undefined : formatInstant(deadline, zone);
  },
  lots: ({ lots }) => String(lots.length),
  dateModified: ({ dateModified }, { zone }) => formatInstant(dateModified, zone),
  url: (tender, { addressOf }) => addressOf(tender),
  datePublished: ({ id }, { zone, publicationTimes }) => {
    const at = publicationTimes.get(id);
    return at === undefined ? undefined : formatInstant(at, zone);
  },
  winners: ({ awards }) => {
    const winners = awards.flatMap(({ status, suppliers = [] }) => (status === "active" ? suppliers : []));
    return [...new Set(winners.flatMap(({ name }) => name ?? []))].join(SEPARATOR);
  },
  // The sum of signed contracts. Sums never mix currencies, so with several there are as many amounts.
  contractAmount: (tender) =>
    contractSums(tender)
      .map(([, amount]) => amount)
      .join(SEPARATOR),
  contractCurrency: (tender) =>
    contractSums(tender)
      .map(([currency]) => currency)
      .join(SEPARATOR),
};

/** The amounts of signed contracts in each currency. */
function contractSums({ contracts }: ListedTender["tender"]): readonly (readonly [currency: string, sum: Decimal])[] {
  const sums = new Map<string, Decimal>();
  for (const { status, value } of contracts) {
    if (value?.amount === undefined || (status !== "active" && status !== "terminated")) continue;
    const { amount, currency = "" } = value;
    const sum = sums.get(currency);
    sums.set(currency, sum === undefined ? amount : addDecimals(sum, amount));
  }
  return [...sums];
}

/** The first line. */
export const CSV_HEADER = `${Object.keys(COLUMNS).join(",")}\r\n`;

/** One line. */
export const csvRow = (tender: ListedTender["tender"], context: CsvContext): string =>
  `${Object.values(COLUMNS)
    .map((read) => csvCell(read(tender, context) ?? ""))
    .join(",")}\r\n`;
