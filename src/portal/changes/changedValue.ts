import { hasOwnKey } from "../../base/typeGuards.ts";
import type { DescribedField } from "../../dialects/fields.ts";
import { NEWEST } from "../../dialects/newestShapes.ts";
import { type Decimal, parseDecimal } from "../../domain/values/decimal.ts";
import { isPlainObject } from "../../domain/values/merge.ts";
import type { Instant } from "../../domain/values/time.ts";
import type { ChangeFormat } from "../../history/publicChanges.ts";
import { timeElement, userText } from "../layout/components.ts";
import { formatDecimal, formatMoney, formatNumber, formatPercent } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { nameOf } from "../layout/nameOf.ts";
import { shortText } from "../layout/shortText.ts";
import { EMPTY_MARKUP, html, insertMarkup, type Markup } from "../markup.ts";
import { fieldLabel, titleOf } from "./changeLabels.ts";

/** The values of a tender as people write them. */

/** What values are written with. */
export type ValueContext = {
  readonly language: Language;
  readonly zoneName: string;
  /** The path of the API in its newest version, which the addresses of documents begin with. */
  readonly apiPath: string;
  /** The keys of the documents that the tender still has: the files of others cannot be downloaded any more. */
  readonly presentFiles: ReadonlySet<string>;
  /** The title of a lot or an item with this id, if there is one. */
  readonly titleOfId: (id: string) => string | undefined;
  /** The title of the criterion with this code, if there is one. */
  readonly titleOfFeature: (code: string) => string | undefined;
};

/** Objects that are shown as one value. */
export const WHOLE_SHAPES: ReadonlySet<string> = new Set([
  ...["Value", "Guarantee", "Period", "AuctionPeriod", "Address", "Identifier", "ContactPoint"],
  ...["Unit", "Classification", "Location", "LotValue", "Parameter", "FeatureOption"],
]);

/** Fields for programs, which say nothing to people, or say again what another field says. */
const TECHNICAL_FIELDS: ReadonlySet<string> = new Set([
  ...["id", "owner", "next_check", "uri", "bid_id", "awardID", "previousVersions"],
  ...["Tender.date", "Lot.date", "Document.author"],
]);

/** Whether people are shown this field of a shape. */
export const isShownField = (shape: string, name: string): boolean =>
  !TECHNICAL_FIELDS.has(name) && !TECHNICAL_FIELDS.has(`${shape}.${name}`);

const TEXT_LENGTH_MAX = 3000;
const ELEMENTS_MAX = 20;

type PlainObject = { readonly [name: string]: unknown };

/** The value of a change. */
export function changedValue(format: ChangeFormat, value: unknown, context: ValueContext): Markup {
  if ("element" in format) return objectValue(format.element, value, context);
  const field = hasOwnKey(NEWEST, format.shape) ? NEWEST[format.shape][format.field] : undefined;
  return field ? fieldValue(format.shape, format.field, field, value, context) : EMPTY_MARKUP;
}

function fieldValue(shape: string, name: string, field: DescribedField, value: unknown, context: ValueContext): Markup {
  const { language } = context;
  const { changes } = messagesIn(language);
  if (value === undefined || value === null) return html`${changes.compare.none}`;
  if (field.kind === "shape")
    return field.many && Array.isArray(value)
      ? listValue(field.of, value, context)
      : objectValue(field.of, value, context);
  if (field.kind === "flag") return html`${value === true ? changes.yes : changes.no}`;
  if (field.kind === "instant") return typeof value === "number" ? momentValue(value, context) : EMPTY_MARKUP;
  if (field.kind === "integer") return html`${formatNumber(Number(value), language)}`;
  if (field.kind === "amount" || field.kind === "number") return html`${decimalText(value, language)}`;
  return textValue(shape, name, String(value), context);
}

const momentValue = (at: Instant, { zoneName, language }: ValueContext): Markup =>
  timeElement(at, "date and time", zoneName, language);

const decimalIn = (value: unknown): Decimal | undefined =>
  typeof value === "string" ? parseDecimal(value) : undefined;

function decimalText(value: unknown, language: Language): string {
  const found = decimalIn(value);
  if (found === undefined) return "";
  return /^-?\d{1,15}$/.test(found) ? formatNumber(Number(found), language) : formatDecimal(found, language);
}

function textValue(shape: string, name: string, text: string, { language, titleOfId }: ValueContext): Markup {
  const names = codeNames(shape, name, language);
  if (names && Object.hasOwn(names, text)) return html`${nameOf(names, text)}`;
  const title = ["relatedLot", "lotID", "relatedItem"].includes(name) ? titleOfId(text) : undefined;
  return userText(shortText(title ?? text, TEXT_LENGTH_MAX));
}

/** The names of the codes of a field, if it has codes. */
function codeNames(shape: string, name: string, language: Language): { readonly [code: string]: string } | undefined {
  const { names } = messagesIn(language);
  const statuses: { readonly [shape: string]: { readonly [code: string]: string } } = {
    Tender: names.tenderStatuses,
    Lot: names.lotStatuses,
    Bid: names.bidStatuses,
    Award: names.awardStatuses,
    Contract: names.contractStatuses,
    Complaint: names.complaintStatuses,
    Cancellation: names.cancellationStatuses,
  };
  const codes: { readonly [name: string]: { readonly [code: string]: string } | undefined } = {
    status: statuses[shape],
    type: shape === "Complaint" ? names.complaintTypes : undefined,
    procurementMethodType: names.procedures,
    procurementMethod: names.procurementMethods,
    submissionMethod: names.submissionMethods,
    awardCriteria: names.awardCriteria,
    cause: names.causes,
    kind: names.buyerKinds,
    documentType: names.documentTypes,
    documentOf: names.subjects,
    questionOf: names.subjects,
    cancellationOf: names.subjects,
    featureOf: names.featureSubjects,
    resolutionType: names.resolutions,
    rejectReason: names.rejectReasons,
    reasonType: names.cancellationReasonTypes,
  };
  return Object.hasOwn(codes, name) ? codes[name] : undefined;
}

function listValue(element: string, list: readonly unknown[], context: ValueContext): Markup {
  const { compare } = messagesIn(context.language).changes;
  const items = list.slice(0, ELEMENTS_MAX).map((value) => html`<li>${objectValue(element, value, context)}</li>\n`);
  const rest = list.length - items.length;
  const more = rest > 0 ? html`<li>${compare.moreElements(formatNumber(rest, context.language))}</li>\n` : EMPTY_MARKUP;
  return list.length === 0
    ? html`${compare.none}`
    : html`<ul>
${items}${more}</ul>`;
}

/** Writes an object of one shape in a line. */
type LineWriter = (value: PlainObject, context: ValueContext) => Markup;

const LINES: { readonly [shape: string]: LineWriter } = {
  Value: moneyLine,
  Guarantee: moneyLine,
  Period: periodLine,
  AuctionPeriod: periodLine,
  Address: ({ postalCode, countryName, region, locality, streetAddress }) =>
    textLine([postalCode, countryName, region, locality, streetAddress]),
  Identifier: ({ scheme, id, legalName }) => textLine([[scheme, id].filter(isText).join(" "), legalName]),
  ContactPoint: ({ name, email, telephone, faxNumber, url }) => textLine([name, email, telephone, faxNumber, url]),
  Classification: ({ scheme, id, description }) => textLine([[scheme, id].filter(isText).join(" "), description]),
  Unit: ({ name, code }) => textLine([name ?? code]),
  Location: ({ latitude, longitude, elevation }) => textLine([latitude, longitude, elevation]),
  LotValue: ({ relatedLot, value }, context) =>
    html`${textValue("LotValue", "relatedLot", String(relatedLot ?? ""), context)}: ${objectValue("Value", value, context)}`,
  Parameter: ({ code, value }, { language, titleOfFeature }) =>
    weightLine(titleOfFeature(String(code ?? "")) ?? String(code ?? ""), value, language),
  FeatureOption: (option, { language }) => weightLine(titleOf(option, language), option.value, language),
};

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The weight of a choice, as the page of the tender shows it. */
const weightLine = (title: string, weight: unknown, language: Language): Markup =>
  html`${userText(shortText(title, TEXT_LENGTH_MAX))}: ${formatPercent(Number(decimalIn(weight) ?? 0), language)}`;

const textLine = (texts: readonly unknown[]): Markup =>
  userText(shortText(texts.filter(isText).join(", "), TEXT_LENGTH_MAX));

function moneyLine({ amount: sent, currency, valueAddedTaxIncluded }: PlainObject, { language }: ValueContext): Markup {
  const { vat, compare } = messagesIn(language).changes;
  const amount = decimalIn(sent);
  if (amount === undefined) return html`${compare.none}`;
  const money = isText(currency)
    ? formatMoney(amount, shortText(currency, 10), language)
    : decimalText(amount, language);
  if (typeof valueAddedTaxIncluded !== "boolean") return html`${money}`;
  return html`${money} ${valueAddedTaxIncluded ? vat.included : vat.excluded}`;
}

function periodLine({ startDate, endDate, shouldStartAfter }: PlainObject, context: ValueContext): Markup {
  const { period, compare } = messagesIn(context.language).changes;
  const parts = (
    [
      [period.from, startDate],
      [period.to, endDate],
      [period.notBefore, startDate === undefined ? shouldStartAfter : undefined],
    ] as const
  ).flatMap(([textWith, at]) => (typeof at === "number" ? [insertMarkup(textWith, momentValue(at, context))] : []));
  if (parts.length === 0) return html`${compare.none}`;
  return html`${parts.map((part, i) => html`${i === 0 ? "" : " "}${part}`)}`;
}

/** An object: in a line, or with a line for each of its fields. */
function objectValue(shape: string, value: unknown, context: ValueContext): Markup {
  const { language } = context;
  if (!isPlainObject(value)) return html`${messagesIn(language).changes.compare.none}`;
  if (shape === "Document") return documentValue(value, context);
  const line = Object.hasOwn(LINES, shape) ? LINES[shape] : undefined;
  if (line) return line(value, context);
  return fieldList(shape, value, context);
}

/** A line for each field of an object that people are shown, and then those of `more`. */
function fieldList(shape: string, value: PlainObject, context: ValueContext, more: readonly FieldRow[] = []): Markup {
  const { language } = context;
  const fields = hasOwnKey(NEWEST, shape) ? Object.entries(NEWEST[shape]) : [];
  const rows = fields.flatMap(([name, field]): readonly FieldRow[] => {
    const inner = value[name];
    const isShown = inner !== undefined && inner !== null && isShownField(shape, name) && !isEmptyList(inner);
    if (!isShown) return [];
    return [{ label: fieldLabel(shape, name, language), value: fieldValue(shape, name, field, inner, context) }];
  });
  return html`<dl class="fields">
${[...rows, ...more].map((row) => html`<div><dt>${row.label}</dt><dd>${row.value}</dd></div>\n`)}</dl>`;
}

type FieldRow = { readonly label: string; readonly value: Markup };

/** A document with its checksums and a link to the file, so that everybody can tell which file it was. */
function documentValue({ url, ...value }: PlainObject, context: ValueContext): Markup {
  const { language, apiPath, presentFiles } = context;
  const title = titleOf(value, language) || messagesIn(language).tender.documents.untitled;
  const checksum = isText(value.sha256) ? [{ label: "SHA-256", value: html`${value.sha256}` }] : [];
  const link =
    isText(url) && isText(value.key) && presentFiles.has(value.key)
      ? [
          {
            label: fieldLabel("Document", "url", language),
            value: html`<a href="${apiPath}${url}" rel="nofollow">${userText(title)}</a>`,
          },
        ]
      : [];
  return fieldList("Document", value, context, [...checksum, ...link]);
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
