import type { Path, Problem } from "./model/refusals.ts";
import { PROBLEMS_MAX, problem } from "./model/refusals.ts";
import type { Organization, Period, SubjectKind, Tender, Value } from "./model/tender.ts";
import { compareDecimals, decimal } from "./values/decimal.ts";

/** Building blocks for checks. Each returns the problems it finds, in the order of the fields. */

const REQUIRED = "This field is required.";

/** A required field is missing. */
export const missing = (path: Path, phase?: Problem["phase"]): Problem =>
  problem(path, REQUIRED, "field-required", phase);
/** A list is empty that must not be. */
export const tooFew = (path: Path): Problem => problem(path, "Please provide at least 1 item.", "too-few-items");
/** A text is empty that must not be. */
export const tooShort = (path: Path): Problem => problem(path, "String value is too short.", "text-too-short");

/** A value is none of those that are allowed here. */
export const notAChoice = (path: Path, choices: readonly string[]): Problem =>
  problem(path, `Value must be one of [${choices.map((choice) => `'${choice}'`).join(", ")}].`, "not-a-choice");

/** The field `name` refers to an element that is not in the collection. */
export const unknownReference = (path: Path, name: string, collection: string): Problem =>
  problem(path, `${name} should be one of ${collection}`, "unknown-reference", "cross");

const ZERO = decimal("0");

const NO_PROBLEMS: readonly Problem[] = [];
/** A placeholder for every path, used while a check only determines whether there is any problem. */
const ANY_PATH: Path = [];

/** The path one step further in; costs nothing while paths are not needed (see `findProblems`). */
export const childPath = (path: Path, step: string | number): Path => (path === ANY_PATH ? ANY_PATH : [...path, step]);

/** Runs the check without building paths, and again with paths if it finds a problem: nearly all input is valid. */
export function findProblems(check: (path: Path) => readonly Problem[]): readonly Problem[] {
  return check(ANY_PATH).length === 0 ? NO_PROBLEMS : check([]);
}

/** All problems of these lists; allocates nothing in the usual case that all are empty. */
export function joinProblems(...lists: readonly (readonly Problem[])[]): readonly Problem[] {
  for (const problems of lists) if (problems.length > 0) return lists.flat();
  return NO_PROBLEMS;
}

const isMissing = (value: unknown) => value === undefined || value === null;

/** Reports each of these properties that is undefined or null. */
export function checkRequired<Fields extends object>(
  object: Fields,
  path: Path,
  ...names: readonly (keyof Fields & string)[]
): Problem[] {
  const problems: Problem[] = [];
  for (const name of names) if (isMissing(object[name])) problems.push(missing(childPath(path, name)));
  return problems;
}

/** Reports a list that is missing or empty. */
export function checkNotEmpty(list: readonly unknown[] | undefined, path: Path): Problem[] {
  if (list === undefined) return [missing(path)];
  return list.length === 0 ? [tooFew(path)] : [];
}

/** Checks each element with its path, up to `PROBLEMS_MAX` problems. */
export function checkEach<Element>(
  list: readonly Element[] | undefined,
  path: Path,
  check: (element: Element, path: Path) => readonly Problem[],
): Problem[] {
  const problems: Problem[] = [];
  let index = 0;
  for (const element of list ?? []) {
    const found = check(element, childPath(path, index++));
    // Same either way: nothing is added if nothing was found.
    if (found.length > 0) problems.push(...found);
    if (problems.length >= PROBLEMS_MAX) break;
  }
  return problems;
}

/** Checks the value unless it is undefined. */
export function checkIfPresent<Value>(
  value: Value | undefined,
  path: Path,
  check: (value: Value, path: Path) => readonly Problem[],
): readonly Problem[] {
  return value === undefined ? NO_PROBLEMS : check(value, path);
}

/** A list with the first of these problems, or an empty one: for rules of which only the first broken one is reported. */
export function firstProblem(...checks: readonly (Problem | false | undefined)[]): Problem[] {
  const first = checks.find((check) => check);
  return first ? [first] : [];
}

/** Up to this length, comparing all pairs is faster than building a set. */
const SMALL_LIST_MAX = 8;

/** Whether a text occurs twice; undefined elements are ignored. */
export function hasDuplicates(texts: readonly (string | undefined)[]): boolean {
  if (texts.length < 2) return false;
  const given = texts.filter((text) => text !== undefined);
  if (given.length <= SMALL_LIST_MAX) return given.some((text, i) => given.indexOf(text) < i);
  return new Set(given).size < given.length;
}

/** In characters: as ISO 4217 writes currencies. */
const CURRENCY_LENGTH = 3;

/** An amount must be present and not negative, a currency must have three letters. */
export function checkValue(value: Value | { amount?: Value["amount"]; currency?: string }, path: Path): Problem[] {
  const problems = checkRequired(value, path, "amount");
  if (value.amount !== undefined && compareDecimals(value.amount, ZERO) < 0)
    problems.push(problem(childPath(path, "amount"), "Float value should be greater than 0.", "amount-negative"));
  const characters = value.currency === undefined ? CURRENCY_LENGTH : [...value.currency].length;
  if (characters !== CURRENCY_LENGTH) {
    const text = `String value is too ${characters < CURRENCY_LENGTH ? "short" : "long"}.`;
    problems.push(problem(childPath(path, "currency"), text, "currency-code"));
  }
  return problems;
}

/** A period must not end before it begins. */
export function checkPeriod(period: Period, path: Path): readonly Problem[] {
  const { startDate, endDate } = period;
  const isReversed = startDate !== undefined && endDate !== undefined && startDate > endDate;
  return isReversed
    ? [problem(childPath(path, "startDate"), "period should begin before its end", "period-order", "cross")]
    : NO_PROBLEMS;
}

/** An organisation must have a name, identifier, address with country, and contact point, whose fields are all optional. */
export function checkOrganization(organization: Organization, path: Path): readonly Problem[] {
  return joinProblems(
    checkRequired(organization, path, "name", "identifier", "address", "contactPoint"),
    checkIfPresent(organization.identifier, childPath(path, "identifier"), checkIdentifier),
    checkEach(organization.additionalIdentifiers, childPath(path, "additionalIdentifiers"), checkIdentifier),
    checkIfPresent(organization.address, childPath(path, "address"), (address, at) =>
      checkRequired(address, at, "countryName"),
    ),
    checkIfPresent(organization.contactPoint, childPath(path, "contactPoint"), (contact, at) =>
      joinProblems(checkUrl(contact.url, childPath(at, "url")), checkEmail(contact.email, childPath(at, "email"))),
    ),
  );
}

/** For lists that must have exactly one organisation. */
export function checkSingleOrganization(list: readonly Organization[], path: Path): readonly Problem[] {
  if (list.length === 0) return [tooFew(path)];
  if (list.length > 1) return [problem(path, "Please provide no more than 1 item.", "too-many-items")];
  return checkEach(list, path, checkOrganization);
}

function checkIdentifier(identifier: NonNullable<Organization["identifier"]>, path: Path): readonly Problem[] {
  const emptyScheme = identifier.scheme === "" ? [tooShort(childPath(path, "scheme"))] : NO_PROBLEMS;
  return joinProblems(
    checkRequired(identifier, path, "scheme", "id"),
    emptyScheme,
    checkUrl(identifier.uri, childPath(path, "uri")),
  );
}

/** An absolute http or https URL, if present. */
export function checkUrl(url: string | undefined, path: Path): readonly Problem[] {
  const wellFormed = url === undefined || (/^https?:\/\/[^\s/?#]/i.test(url) && URL.canParse(url));
  return wellFormed ? NO_PROBLEMS : [problem(path, "Not a well formed URL.", "url-format")];
}

function checkEmail(email: string | undefined, path: Path): readonly Problem[] {
  const wellFormed = email === undefined || /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email);
  return wellFormed ? NO_PROBLEMS : [problem(path, "Not a well formed email address.", "email-format")];
}

/** The protocol's message for an id that is not 32 hex digits. */
export const idFormatMessage = (id: string): string =>
  id.length === 32 ? "Hash value is not hexadecimal." : "Hash value is wrong length.";

/** Checks that `relatedId` names an existing item or lot, if `kind` says that it refers to one. */
export function checkSubject(
  kind: SubjectKind | "tenderer" | undefined,
  relatedId: string | undefined,
  path: Path,
  tender: Tender,
): Problem[] {
  if (kind !== "item" && kind !== "lot") return [];
  if (relatedId === undefined) return [missing(path)];
  const known = kind === "item" ? tender.items : tender.lots;
  return known?.some(({ id }) => id === relatedId) ? [] : [unknownReference(path, "relatedItem", `${kind}s`)];
}
