import { CURRENT_PROCEDURE } from "../../dialects/dialects.ts";
import { isPlainObject } from "../../domain/values/merge.ts";
import {
  type DocumentedOperation,
  type OpenApiDocument,
  refName,
  type SchemaObject,
  schemaNamed,
} from "./openapiDocument.ts";

/**
 * Bodies that work. They are told once, under all names that any version has, and each version takes what its schema
 * knows. Times are written as `@+90s`, `@+7d` from now: whoever sends the body works them out.
 */

type Example = { readonly [name: string]: unknown };

const address = { countryName: "Ukraine", locality: "Vinnytsia", streetAddress: "22 Stakhurskoho St" };
const buyer = {
  name: "School 10",
  id: { name: "School 10", scheme: "UA-EDR", uid: "21725150" },
  identifier: { scheme: "UA-EDR", id: "21725150", legalName: "General school No 10" },
  address,
  contactPoint: { name: "Svitlana Kutsa", telephone: "+380 432 465302" },
};
const seller = {
  name: "Tasty Ltd",
  id: { name: "Tasty Ltd", scheme: "UA-EDR", uid: "00137256" },
  identifier: { scheme: "UA-EDR", id: "00137256", legalName: "Tasty Ltd" },
  address,
  contactPoint: { name: "Olena", email: "olena@tasty.example" },
};
const money = (amount: number) => ({ amount, currency: "UAH", valueAddedTaxIncluded: true });
const classification = { scheme: "ДК021", id: "55523100-3", description: "School-meal services" };
const item = {
  description: "School meals",
  quantity: 5,
  unit: { name: "month", code: "MON" },
  classification,
  primaryClassification: classification,
};
const offer = { tenderers: [seller], bidders: [seller], value: money(480000), totalValue: money(480000) };
const complaint = {
  title: "The deadline is too near",
  description: "Nobody can cook a tasting menu in an hour.",
  author: seller,
  status: "claim",
};

/** By the collection and what is done to it. */
const EXAMPLES: { readonly [what: string]: Example } = {
  "POST tenders": {
    procurementMethodType: CURRENT_PROCEDURE,
    title: "School meals",
    value: money(500000),
    totalValue: money(500000),
    minimalStep: money(5000),
    enquiryPeriod: { endDate: "@+60s" },
    tenderPeriod: { startDate: "@+60s", endDate: "@+3600s" },
    procuringEntity: buyer,
    items: [item],
    itemsToBeProcured: [item],
  },
  "PATCH tenders": { title: "School meals, spring term", minimalStep: money(4000) },
  "POST questions": { title: "Breakfast too?", description: "Or is it lunch only?", author: seller },
  "PATCH questions": { answer: "Lunch only." },
  "POST bids": offer,
  "PATCH bids": { value: money(475000), totalValue: money(475000) },
  "POST awards": {
    status: "pending",
    awardStatus: "pending",
    suppliers: [seller],
    awardees: [seller],
    value: money(480000),
  },
  "PATCH awards": { status: "active", awardStatus: "active" },
  "PATCH contracts": { status: "active" },
  "POST contracts": { awardID: "0".repeat(32) },
  "POST complaints": complaint,
  "PATCH complaints": { status: "answered", resolutionType: "resolved", resolution: "The period is longer now." },
  "POST cancellations": { reason: "The school is closed this term.", status: "active" },
  "PATCH cancellations": { reason: "The school is closed for a year." },
  "POST lots": { title: "Lunches", value: money(250000), minimalStep: money(2500) },
  "PATCH lots": { title: "Lunches and soups" },
  "PATCH documents": { title: "terms.txt", description: "What the meals are" },
  "PATCH auction": { auctionUrl: "https://auction.example/tenders/1" },
  "PATCH chronograph": {},
  "POST clocks": {},
  "POST advance": { next: true },
  "POST webhooks": { url: "https://receiver.example/changes", opt_fields: "title,status" },
  "PATCH webhooks": { status: "paused" },
};

/** What a version's own names make of an example. */
export function exampleOf(operation: DocumentedOperation, { components }: OpenApiDocument): Example | undefined {
  const data = operation.json?.properties?.data;
  if (!data || operation.takesFile) return undefined;
  const word = operation.path.split("/").findLast((part) => part !== "" && !part.startsWith("{"));
  const ownExample = EXAMPLES[`${operation.method} ${word === "bidders" ? "bids" : word}`];
  const documentExample = isPlainObject(operation.jsonExample) ? operation.jsonExample.data : undefined;
  const example = pickKnownFields(ownExample ?? documentExample ?? {}, data, components.schemas);
  return isPlainObject(example) ? example : undefined;
}

/** Only what the schema has, all the way down. */
function pickKnownFields(
  value: unknown,
  schema: SchemaObject,
  schemas: OpenApiDocument["components"]["schemas"],
): unknown {
  const resolved = schema.$ref ? shownSchema(refName(schema.$ref), schemas) : schema;
  if (Array.isArray(value)) return value.map((element) => pickKnownFields(element, resolved.items ?? {}, schemas));
  if (typeof value !== "object" || value === null || !resolved.properties) return value;
  const { properties } = resolved;
  const fields = Object.entries(value).flatMap(([name, fieldValue]) => {
    const field = properties[name];
    return field && !field.readOnly ? [[name, pickKnownFields(fieldValue, field, schemas)] as const] : [];
  });
  return Object.fromEntries(fields);
}

/** An old version understands newer names beside its own; an example has those that it shows. */
const shownSchema = (name: string, schemas: OpenApiDocument["components"]["schemas"]): SchemaObject =>
  schemas[name.replace(/Sent$/, "")] ?? schemaNamed(schemas, name);

const RELATIVE_TIME = /^@\+(\d+)s$/;

/** The same with times that are far enough away to be still to come when somebody copies it. */
export function withSampleDates(example: unknown, base: Date): unknown {
  const year = base.getUTCFullYear() + 1;
  return JSON.parse(JSON.stringify(example), (_name, value) => {
    const [, seconds] = (typeof value === "string" && RELATIVE_TIME.exec(value)) || [];
    return seconds ? `${year}-03-${Number(seconds) > 60 ? "15" : "01"}T12:00:00+02:00` : value;
  });
}
