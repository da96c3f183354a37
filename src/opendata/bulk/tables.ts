import { csvCell } from "../../base/csv.ts";
import {
  ExactNumber,
  isOcdsList,
  isOcdsObject,
  type OcdsObject,
  type OcdsValue,
  objectAt,
  objectsIn,
} from "../../ocds/ocdsValues.ts";
import { NOT_NULLABLE } from "../../ocds/retain.ts";

/** The CSV tables of the bulk files: what a compiled release says, one line for each object. */

/**
 * A table. A column is a path in the object, such as `value.amount`. The values of a list are joined by semicolons; columns of the same list
 * have equally many of them.
 */
export type BulkTable = {
  readonly columns: readonly string[];
  /** The objects of a compiled release that are lines of the table. */
  readonly rowsOf: (compiled: OcdsObject) => readonly OcdsObject[];
};

const VALUE = ["value.amount", "value.currency", "value.unlistedCurrency", "value.valueAddedTaxIncluded"];
const PERIOD = (name: string) => [`${name}.startDate`, `${name}.endDate`];

export const BULK_TABLES = {
  tenders: {
    columns: [
      ...["id", "tenderID", "title", "title_en", "status", "statusDetails"],
      ...["procurementMethod", "procurementMethodDetails", "mainProcurementCategory", ...VALUE],
      ...["procuringEntity.id", "procuringEntity.name", ...PERIOD("enquiryPeriod"), ...PERIOD("tenderPeriod")],
      ...["auctionPeriod.startDate", "awardCriteria", "numberOfTenderers"],
    ],
    rowsOf: (compiled) => [objectAt(compiled, "tender")],
  },
  lots: {
    columns: ["id", "title", "title_en", "status", "statusDetails", ...VALUE],
    rowsOf: (compiled) => objectsIn(objectAt(compiled, "tender").lots),
  },
  items: {
    columns: [
      ...["id", "description", "description_en", "classification.scheme", "classification.id"],
      ...["classification.description", "quantity", "unit.name", "relatedLot"],
    ],
    rowsOf: (compiled) => objectsIn(objectAt(compiled, "tender").items),
  },
  parties: {
    columns: [
      ...["id", "name", "name_en", "roles", "identifier.scheme", "identifier.id", "identifier.legalName"],
      ...["address.countryName", "address.region", "address.locality", "address.postalCode", "address.streetAddress"],
    ],
    // A party without a name is no longer in the process: see `isVoidReference`.
    rowsOf: (compiled) => objectsIn(compiled.parties).filter(({ name }) => name !== undefined),
  },
  bids: {
    columns: ["id", "date", "datePriceSet", "status", ...VALUE, "tenderers.id", "tenderers.name", "relatedLots"],
    rowsOf: (compiled) => objectsIn(objectAt(compiled, "bids").details),
  },
  bidValues: {
    columns: ["bidID", "relatedLot", ...VALUE, "date"],
    rowsOf: (compiled) =>
      objectsIn(objectAt(compiled, "bids").details).flatMap(({ id = null, lotValues }) =>
        objectsIn(lotValues).map((lotValue) => ({ ...lotValue, bidID: id })),
      ),
  },
  awards: {
    columns: ["id", "title", "status", "date", ...VALUE, "suppliers.id", "suppliers.name", "relatedLots", "relatedBid"],
    rowsOf: (compiled) => objectsIn(compiled.awards),
  },
  contracts: {
    columns: ["id", "awardID", "contractNumber", "title", "status", "dateSigned", ...VALUE, ...PERIOD("period")],
    rowsOf: (compiled) => objectsIn(compiled.contracts),
  },
  documents: {
    columns: ["section", "sectionID", "id", "title", "documentType", "format", "url", "datePublished", "dateModified"],
    rowsOf: documentsOf,
  },
} as const satisfies { readonly [name: string]: BulkTable };
export type BulkTableName = keyof typeof BULK_TABLES;

/** The documents of all sections, each with the section and the object that it belongs to. */
function documentsOf(compiled: OcdsObject): readonly OcdsObject[] {
  const tender = objectAt(compiled, "tender");
  const holders: readonly (readonly [section: string, holders: readonly OcdsObject[]])[] = [
    ["tender", [tender]],
    ["bids", objectsIn(objectAt(compiled, "bids").details)],
    ["awards", objectsIn(compiled.awards)],
    ["contracts", objectsIn(compiled.contracts)],
    ["complaints", [tender, ...objectsIn(compiled.awards)].flatMap(({ complaints }) => objectsIn(complaints))],
    ["cancellations", objectsIn(tender.cancellations)],
  ];
  return holders.flatMap(([section, all]) =>
    all.flatMap((holder) =>
      objectsIn(holder.documents)
        .filter((document) => !isRemoved(document))
        .map((document) => ({ ...document, section, sectionID: holder.id ?? null })),
    ),
  );
}

/** The first line of a table. */
export const headerLine = ({ columns }: BulkTable): string => `${["ocid", ...columns].map(csvCell).join(",")}\r\n`;

/** The lines of a table for one compiled release. */
export function linesOf({ columns, rowsOf }: BulkTable, compiled: OcdsObject): readonly string[] {
  const paths = pathsOf(columns);
  return rowsOf(compiled)
    .filter((row) => !isRemoved(row))
    .map((row) => rowLine(compiled.ocid ?? null, row, paths));
}

/** Whether an element of a list is no longer there: releases cannot remove it, so its id remains, and what `isRemainder` describes. */
const isRemoved = (element: OcdsObject): boolean =>
  element.id !== undefined && Object.keys(element).every((name) => name === "id" || isRemainder(element, name));

/** Whether a field is what stays when its value is removed: lists of removed elements, and fields that releases cannot remove. */
function isRemainder(holder: OcdsObject, name: string): boolean {
  const value = holder[name] ?? null;
  if (NOT_NULLABLE.has(name)) return true;
  if (isOcdsList(value)) return value.every((element) => isOcdsObject(element) && isRemoved(element));
  return isOcdsObject(value) && Object.keys(value).every((inner) => isRemainder(value, inner));
}

const pathsByColumns = new WeakMap<BulkTable["columns"], readonly (readonly string[])[]>();

/** The paths of columns, split once for each table. */
function pathsOf(columns: BulkTable["columns"]): readonly (readonly string[])[] {
  const paths = pathsByColumns.get(columns) ?? columns.map((column) => column.split("."));
  pathsByColumns.set(columns, paths);
  return paths;
}

function valueAt(value: OcdsValue, path: readonly string[], depth = 0): OcdsValue {
  const name = path[depth];
  if (name === undefined) return value;
  if (isOcdsList(value))
    return value
      .filter((element) => !isOcdsObject(element) || !isRemoved(element))
      .map((element) => valueAt(element, path, depth));
  return isOcdsObject(value) ? valueAt(value[name] ?? null, path, depth + 1) : null;
}

/** Called for every row of every table, so it makes no lists. */
function rowLine(ocid: OcdsValue, row: OcdsObject, paths: readonly (readonly string[])[]): string {
  let line = cellOf(ocid);
  for (const path of paths) line += `,${cellOf(valueAt(row, path))}`;
  return `${line}\r\n`;
}

/** A number stays as it is, also if it is negative: only texts can be formulas. */
const cellOf = (value: OcdsValue): string =>
  typeof value === "number" || value instanceof ExactNumber ? textOf(value) : csvCell(textOf(value));

function textOf(value: OcdsValue): string {
  if (typeof value === "string") return value;
  if (value === null) return "";
  if (value instanceof ExactNumber) return value.source;
  if (isOcdsList(value)) return listText(value.map(textOf));
  return isOcdsObject(value) ? JSON.stringify(value) : String(value);
}

/** The parts of a cell. A semicolon inside of one would look like two, so it becomes a comma. */
const listText = (texts: readonly string[]): string =>
  texts.every((text) => text === "") ? "" : texts.map((text) => text.replaceAll(";", ",")).join(";");
