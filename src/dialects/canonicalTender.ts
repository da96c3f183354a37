import { type Problem, problem } from "../domain/model/refusals.ts";
import type { ProblemRule } from "../domain/model/rules.ts";
import type * as domain from "../domain/model/tender.ts";
import { PROCEDURE_NAMES } from "../domain/procedures/names.ts";
import { type Decimal, parseDecimal, withFraction } from "../domain/values/decimal.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import { formatInstant, parseInstant, type Zone } from "../domain/values/time.ts";
import { type Field, instant, integer, objectOf, oneOf, type Shape, shapeNamed, text } from "./fields.ts";
import { LongNumber } from "./json.ts";
import { nearestName } from "./nearestName.ts";
import { NEWEST } from "./newestShapes.ts";

/**
 * The tender as it is kept, for those who repair it: every field under its newest name, nothing hidden and nothing
 * computed, times as text and money as numbers. What is printed is read back as exactly the same tender.
 */

/** What is always there, in words that the compiler compares with the model. */
type RequiredFields<Thing> = {
  readonly [Name in keyof Thing as undefined extends Thing[Name] ? never : Name]: true;
};

export const REQUIRED_FIELDS: { readonly [shape: string]: { readonly [field: string]: true } } = {
  Tender: {
    id: true,
    tenderID: true,
    procedure: true,
    status: true,
    owner: true,
    tokenHash: true,
    date: true,
    dateModified: true,
    lots: true,
    bids: true,
    questions: true,
    documents: true,
    awards: true,
    contracts: true,
    complaints: true,
    cancellations: true,
  } satisfies RequiredFields<domain.Tender>,
  Lot: { id: true, status: true, date: true } satisfies RequiredFields<domain.Lot>,
  Document: {
    id: true,
    format: true,
    key: true,
    hash: true,
    sha256: true,
    size: true,
    datePublished: true,
    dateModified: true,
  } satisfies RequiredFields<domain.Document>,
  Question: { id: true, date: true } satisfies RequiredFields<domain.Question>,
  Bid: {
    id: true,
    date: true,
    status: true,
    owner: true,
    tokenHash: true,
    documents: true,
  } satisfies RequiredFields<domain.Bid>,
  Award: {
    id: true,
    date: true,
    status: true,
    documents: true,
    complaints: true,
  } satisfies RequiredFields<domain.Award>,
  Contract: {
    id: true,
    date: true,
    status: true,
    awardID: true,
    contractID: true,
    documents: true,
  } satisfies RequiredFields<domain.Contract>,
  Complaint: {
    id: true,
    complaintID: true,
    date: true,
    status: true,
    type: true,
    owner: true,
    tokenHash: true,
    documents: true,
  } satisfies RequiredFields<domain.Complaint>,
  Cancellation: {
    id: true,
    date: true,
    status: true,
    cancellationOf: true,
    documents: true,
  } satisfies RequiredFields<domain.Cancellation>,
};

const without = (shape: Shape, ...names: readonly string[]): Shape =>
  Object.fromEntries(Object.entries(shape).filter(([name]) => !names.includes(name)));

const OWNED: Shape = { owner: text, tokenHash: text };

export const STORED_SHAPES: { readonly [name: string]: Shape } = {
  ...NEWEST,
  Tender: {
    id: text,
    tenderID: text,
    procedure: oneOf(PROCEDURE_NAMES),
    status: text,
    ...OWNED,
    ...without(
      NEWEST.Tender,
      "next_check",
      "procurementMethodType",
      "procurementMethod",
      "submissionMethod",
      "awardCriteria",
      "numberOfBids",
    ),
    auctionPeriod: objectOf("Period"),
    auctionEndsAt: instant,
    testClock: text,
    plannedAwardPeriod: objectOf("Period"),
    deliveryDate: objectOf("Period"),
  },
  Lot: { ...NEWEST.Lot, auctionPeriod: objectOf("Period") },
  Document: { ...without(NEWEST.Document, "url", "previousVersions"), key: text, sha256: text, size: integer },
  Bid: { id: text, ...OWNED, ...NEWEST.Bid, linkNumber: integer },
  Complaint: { id: text, ...OWNED, ...NEWEST.Complaint, settlesAt: instant },
};

/**
 * Laid out to be read and edited. What has no place in the shapes is shown as it is, so that it can be found; but not auctions, whose
 * unpublished prices are nobody's business but their bidders'. A repair keeps them.
 */
export function printTender({ auctions: _kept, ...tender }: domain.Tender, zone: Zone): string {
  return printValue(tender, objectOf("Tender"), zone, "");
}

function printValue(value: unknown, field: Field | undefined, zone: Zone, indent: string): string {
  const inner = `${indent}  `;
  const block = (open: string, lines: readonly string[], close: string) =>
    lines.length === 0 ? open + close : `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`;
  if (Array.isArray(value)) {
    const element = field?.kind === "shape" && field.many ? objectOf(field.of) : undefined;
    return block(
      "[",
      value.map((each) => printValue(each, element, zone, inner)),
      "]",
    );
  }
  if (isPlainObject(value)) {
    const shape = field?.kind === "shape" && !field.many ? shapeNamed(STORED_SHAPES, field.of) : {};
    const names = [...new Set([...Object.keys(shape), ...Object.keys(value)])].filter(
      (name) => Object.hasOwn(value, name) && value[name] !== undefined,
    );
    const line = (name: string) =>
      `${JSON.stringify(name)}: ${printValue(value[name], ownField(shape, name), zone, inner)}`;
    return block("{", names.map(line), "}");
  }
  return scalar(value, field?.kind, zone);
}

function scalar(value: unknown, kind: Field["kind"] | undefined, zone: Zone): string {
  const decimal = typeof value === "string" ? parseDecimal(value) : undefined;
  if (decimal !== undefined && decimal === value) {
    if (kind === "amount") return withFraction(decimal);
    if (kind === "number") return decimal;
  }
  if (kind === "instant" && typeof value === "number" && Number.isSafeInteger(value))
    return JSON.stringify(formatInstant(value, zone));
  return JSON.stringify(value);
}

const ownField = (shape: Shape, name: string): Field | undefined =>
  Object.hasOwn(shape, name) ? shape[name] : undefined;

export type TenderReadResult = { readonly tender?: domain.Tender; readonly problems: readonly Problem[] };

type ReadState = { readonly path: (string | number)[]; readonly problems: Problem[]; readonly zone: Zone };

/** The way back, and nothing is guessed: every field that is missing, unknown or of another kind is named. */
export function readTender(sent: unknown, zone: Zone): TenderReadResult {
  const reading: ReadState = { path: [], problems: [], zone };
  const tender = readShape(sent, "Tender", reading);
  return reading.problems.length > 0
    ? { problems: reading.problems }
    : // Without problems, it has the fields of the stored shapes, which the compiler compares with the type.
      { tender: tender as domain.Tender, problems: [] };
}

function reportProblem({ path, problems }: ReadState, message: string, rule: ProblemRule = "wrong-type"): undefined {
  problems.push(problem([...path], message, rule, "shape"));
  return undefined;
}

function atStep<Value>(reading: ReadState, step: string | number, read: () => Value): Value {
  reading.path.push(step);
  const value = read();
  reading.path.pop();
  return value;
}

function readShape(value: unknown, name: string, reading: ReadState): unknown {
  if (!isPlainObject(value) || value instanceof LongNumber) return reportProblem(reading, "must be an object");
  const shape = shapeNamed(STORED_SHAPES, name);
  const read: { [field: string]: unknown } = {};
  for (const [field, inner] of Object.entries(value))
    atStep(reading, field, () => {
      const known = ownField(shape, field);
      if (!known) reportProblem(reading, unknownField(field, shape), "unknown-field");
      else read[field] = readField(inner, known, reading);
    });
  for (const field of Object.keys(REQUIRED_FIELDS[name] ?? {}))
    if (!Object.hasOwn(value, field))
      atStep(reading, field, () => reportProblem(reading, "is missing", "field-required"));
  return read;
}

function unknownField(name: string, shape: Shape): string {
  const near = nearestName(name, Object.keys(shape));
  return near ? `unknown field; did you mean ${near}?` : "unknown field";
}

function readField(value: unknown, field: Field, reading: ReadState): unknown {
  if (value === null) return reportProblem(reading, "must not be null: leave it out where there is nothing");
  if (field.kind !== "shape") return readScalar(value, field, reading);
  if (!field.many) return readShape(value, field.of, reading);
  if (!Array.isArray(value)) return reportProblem(reading, "must be a list");
  return value.map((element, i) => atStep(reading, i, () => readShape(element, field.of, reading)));
}

function readScalar(value: unknown, field: Field, reading: ReadState): unknown {
  switch (field.kind) {
    case "flag":
      return typeof value === "boolean" ? value : reportProblem(reading, "must be true or false");
    case "integer":
      return Number.isSafeInteger(value) ? value : reportProblem(reading, "must be a whole number");
    case "amount":
    case "number":
      return readDecimal(value) ?? reportProblem(reading, "must be a number of at most 34 digits");
    case "instant": {
      const at = typeof value === "string" ? parseInstant(value, reading.zone) : undefined;
      return typeof at === "number"
        ? at
        : reportProblem(reading, "must be a time such as 2026-11-15T03:16:58.884710+02:00", "bad-date");
    }
    default:
      return readText(value, field, reading);
  }
}

function readDecimal(value: unknown): Decimal | undefined {
  if (value instanceof LongNumber) return parseDecimal(value.source);
  return typeof value === "number" ? parseDecimal(String(value)) : undefined;
}

/** The name of a file on disk, made by the service alone: nothing else may stand in its place. */
const KEY = /^[0-9a-f]{32}$/;

function readText(value: unknown, { choices }: Field, reading: ReadState): unknown {
  if (typeof value !== "string") return reportProblem(reading, "must be text");
  if (value.includes("\0") || !value.isWellFormed())
    return reportProblem(reading, "must be text without broken characters", "bad-text");
  if (choices && !choices.includes(value))
    return reportProblem(reading, `must be one of ${choices.join(", ")}`, "not-a-choice");
  if (reading.path.at(-1) === "key" && !KEY.test(value))
    return reportProblem(reading, "must be 32 hex digits", "id-format");
  return value;
}
