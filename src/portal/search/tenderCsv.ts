import type { Zone } from "../../domain/values/time.ts";
import { formatInstant } from "../../domain/values/time.ts";
import { organizationKey } from "../../indexing/organizationKeys.ts";
import { regionOf } from "../../indexing/regions.ts";
import type { ListedTender } from "./listedTenders.ts";

/** Tenders as a table: RFC 4180 in UTF-8, with names of columns that never change. */

export const CSV_TYPE = "text/csv; charset=UTF-8; header=present";

/** Spreadsheets take a file without it for one in the encoding of the machine. */
export const CSV_START = "\ufeff";

type CsvContext = { readonly zone: Zone; readonly addressOf: (tender: ListedTender["tender"]) => string };

const CODES_MAX = 100;

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
  deadline: ({ tenderPeriod }, { zone }) =>
    tenderPeriod?.endDate === undefined ? undefined : formatInstant(tenderPeriod.endDate, zone),
  lots: ({ lots }) => String(lots.length),
  dateModified: ({ dateModified }, { zone }) => formatInstant(dateModified, zone),
  url: (tender, { addressOf }) => addressOf(tender),
};

/** The first line. */
export const CSV_HEADER = `${Object.keys(COLUMNS).join(",")}\r\n`;

/** One line. */
export const csvRow = (tender: ListedTender["tender"], context: CsvContext): string =>
  `${Object.values(COLUMNS)
    .map((read) => csvCell(read(tender, context) ?? ""))
    .join(",")}\r\n`;

/**
 * A cell. A text that a spreadsheet would run as a formula gets an apostrophe in front, which spreadsheets do not show. NUL, which
 * programs take for the end of the text, is left out.
 */
export function csvCell(text: string): string {
  const clean = text.toWellFormed().replaceAll("\0", "");
  const safe = /^[=+\-@\t\r\n]/.test(clean) ? `'${clean}` : clean;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
