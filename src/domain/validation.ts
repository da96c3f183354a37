import type { Path, Problem } from "./model/refusals.ts";
import { PROBLEMS_MAX, problem } from "./model/refusals.ts";
import type { Organization, Period, SubjectKind, Tender, Value } from "./model/tender.ts";
import { compareDecimals, decimal } from "./values/decimal.ts";

/** The building blocks of every check: each returns the problems it finds, in the order of the fields. */

const REQUIRED = "This field is required.";

export const missing = (path: Path, phase?: Problem["phase"]): Problem =>
  problem(path, REQUIRED, "field-required", phase);
export const tooFew = (path: Path): Problem => problem(path, "Please provide at least 1 item.", "too-few-items");
export const tooShort = (path: Path): Problem => problem(path, "String value is too short.", "text-too-short");

/** `name` refers to one of `those`, none of which it is. */
export const unknownReference = (path: Path, name: string, collection: string): Problem =>
  problem(path, `${name} should be one of ${collection}`, "unknown-reference", "cross");

const ZERO = decimal("0");

const NO_PROBLEMS: readonly Problem[] = [];
/** Stands for every path while it is only asked whether anything is wrong at all. */
const ANY_PATH: Path = [];

/** The path of what is one step further in. */
export const childPath = (path: Path, step: string | number): Path => (path === ANY_PATH ? ANY_PATH : [...path, step]);

/** Nearly everything that comes is right: whether something is wrong is asked first, and where only then. */
export function findProblems(check: (path: Path) => readonly Problem[]): readonly Problem[] {
  return check(ANY_PATH).length === 0 ? NO_PROBLEMS : check([]);
}

/** The problems of all these, which mostly are none. */
export function joinProblems(...lists: readonly (readonly Problem[])[]): readonly Problem[] {
  for (const problems of lists) if (problems.length > 0) return lists.flat();
  return NO_PROBLEMS;
}

const isMissing = (value: unknown) => value === undefined || value === null;

export function checkRequired<Thing extends object>(
  object: Thing,
  path: Path,
  ...names: readonly (keyof Thing & string)[]
): Problem[] {
  const problems: Problem[] = [];
  for (const name of names) if (isMissing(object[name])) problems.push(missing(childPath(path, name)));
  return problems;
}

export function checkNotEmpty(list: readonly unknown[] | undefined, path: Path): Problem[] {
  if (list === undefined) return [missing(path)];
  return list.length === 0 ? [tooFew(path)] : [];
}

export function checkEach<Element>(
  list: readonly Element[] | undefined,
  path: Path,
  check: (element: Element, path: Path) => readonly Problem[],
): Problem[] {
  const problems: Problem[] = [];
  for (let i = 0; i < (list?.length ?? 0) && problems.length < PROBLEMS_MAX; i++) {
    const found = check(list![i]!, childPath(path, i));
    if (found.length > 0) problems.push(...found);
  }
  return problems;
}

export function checkIfPresent<Thing>(
  value: Thing | undefined,
  path: Path,
  check: (value: Thing, path: Path) => readonly Problem[],
): readonly Problem[] {
  return value === undefined ? NO_PROBLEMS : check(value, path);
}

export function firstProblem(...checks: readonly (Problem | false | undefined)[]): Problem[] {
  const first = checks.find((check) => check);
  return first ? [first] : [];
}

/** So many are compared with each other sooner than a set of them is made. */
const SMALL_LIST_MAX = 8;

export function hasDuplicates(texts: readonly (string | undefined)[]): boolean {
  if (texts.length < 2) return false;
  const given = texts.filter((text) => text !== undefined);
  if (given.length <= SMALL_LIST_MAX) return given.some((text, i) => given.indexOf(text) < i);
  return new Set(given).size < given.length;
}

/** In characters: as ISO 4217 writes currencies. */
const CURRENCY_LENGTH = 3;

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

export function checkPeriod(period: Period, path: Path): readonly Problem[] {
  const { startDate, endDate } = period;
  const isReversed = startDate !== undefined && endDate !== undefined && startDate > endDate;
  return isReversed
    ? [problem(childPath(path, "startDate"), "period should begin before its end", "period-order", "cross")]
    : NO_PROBLEMS;
}

/** An organisation in full: who it is, where it is, how to reach it. Every member of the contact point is optional. */
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

/** Where a list is kept although it holds exactly one. */
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

export function checkUrl(url: string | undefined, path: Path): readonly Problem[] {
  const wellFormed = url === undefined || (/^https?:\/\/[^\s/?#]/i.test(url) && URL.canParse(url));
  return wellFormed ? NO_PROBLEMS : [problem(path, "Not a well formed URL.", "url-format")];
}

function checkEmail(email: string | undefined, path: Path): readonly Problem[] {
  const wellFormed = email === undefined || /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email);
  return wellFormed ? NO_PROBLEMS : [problem(path, "Not a well formed email address.", "email-format")];
}

/** What is wrong with an id that should be 32 hex digits. */
export const idFormatMessage = (id: string): string =>
  id.length === 32 ? "Hash value is not hexadecimal." : "Hash value is wrong length.";

/** Whatever is said about an item or a lot names one that is there. */
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
