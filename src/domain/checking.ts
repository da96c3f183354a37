import { compareDecimals, decimal } from "./money.ts";
import type { Path, Problem } from "./refusals.ts";
import { PROBLEMS_MAX, problem } from "./refusals.ts";
import type { Organization, Period, Subject, Tender, Value } from "./tender.ts";

/** The building blocks of every check: each returns the problems it finds, in the order of the fields. */

const REQUIRED = "This field is required.";

export const missing = (path: Path, phase?: Problem["phase"]): Problem =>
  problem(path, REQUIRED, "field-required", phase);
export const tooFew = (path: Path): Problem => problem(path, "Please provide at least 1 item.", "too-few-items");
export const tooShort = (path: Path): Problem => problem(path, "String value is too short.", "text-too-short");

/** `name` refers to one of `those`, none of which it is. */
export const unknownReference = (path: Path, name: string, those: string): Problem =>
  problem(path, `${name} should be one of ${those}`, "unknown-reference", "cross");

const ZERO = decimal("0");

const NONE: readonly Problem[] = [];
/** Stands for every path while it is only asked whether anything is wrong at all. */
const SOMEWHERE: Path = [];

/** The path of what is one step further in. */
export const below = (path: Path, step: string | number): Path => (path === SOMEWHERE ? SOMEWHERE : [...path, step]);

/** Nearly everything that comes is right: whether something is wrong is asked first, and where only then. */
export function wrongIn(check: (path: Path) => readonly Problem[]): readonly Problem[] {
  return check(SOMEWHERE).length === 0 ? NONE : check([]);
}

/** The problems of all these, which mostly are none. */
export function all(...found: readonly (readonly Problem[])[]): readonly Problem[] {
  for (const problems of found) if (problems.length > 0) return found.flat();
  return NONE;
}

const isMissing = (value: unknown) => value === undefined || value === null;

export function required<Thing extends object>(
  thing: Thing,
  path: Path,
  ...names: readonly (keyof Thing & string)[]
): Problem[] {
  const problems: Problem[] = [];
  for (const name of names) if (isMissing(thing[name])) problems.push(missing(below(path, name)));
  return problems;
}

export function atLeastOne(list: readonly unknown[] | undefined, path: Path): Problem[] {
  if (list === undefined) return [missing(path)];
  return list.length === 0 ? [tooFew(path)] : [];
}

export function each<Element>(
  list: readonly Element[] | undefined,
  path: Path,
  check: (element: Element, path: Path) => readonly Problem[],
): Problem[] {
  const problems: Problem[] = [];
  for (let i = 0; i < (list?.length ?? 0) && problems.length < PROBLEMS_MAX; i++) {
    const found = check(list![i]!, below(path, i));
    if (found.length > 0) problems.push(...found);
  }
  return problems;
}

export function inside<Thing>(
  thing: Thing | undefined,
  path: Path,
  check: (thing: Thing, path: Path) => readonly Problem[],
): readonly Problem[] {
  return thing === undefined ? NONE : check(thing, path);
}

export function firstOf(...checks: readonly (Problem | false | undefined)[]): Problem[] {
  const first = checks.find((check) => check);
  return first ? [first] : [];
}

/** So many are compared with each other sooner than a set of them is made. */
const FEW = 8;

export function repeats(texts: readonly (string | undefined)[]): boolean {
  if (texts.length < 2) return false;
  const given = texts.filter((text) => text !== undefined);
  if (given.length <= FEW) return given.some((text, i) => given.indexOf(text) < i);
  return new Set(given).size < given.length;
}

export function checkValue(value: Value | { amount?: Value["amount"]; currency?: string }, path: Path): Problem[] {
  const problems = required(value, path, "amount");
  if (value.amount !== undefined && compareDecimals(value.amount, ZERO) < 0)
    problems.push(problem(below(path, "amount"), "Float value should be greater than 0.", "amount-negative"));
  if (value.currency !== undefined && [...value.currency].length !== 3)
    problems.push(
      problem(
        below(path, "currency"),
        `String value is too ${value.currency.length < 3 ? "short" : "long"}.`,
        "currency-code",
      ),
    );
  return problems;
}

export function checkPeriod(period: Period, path: Path): readonly Problem[] {
  const { startDate, endDate } = period;
  const backwards = startDate !== undefined && endDate !== undefined && startDate > endDate;
  return backwards
    ? [problem(below(path, "startDate"), "period should begin before its end", "period-order", "cross")]
    : NONE;
}

/** An organisation in full: who it is, where it is, how to reach it. Every member of the contact point is optional. */
export function checkOrganization(organization: Organization, path: Path): readonly Problem[] {
  return all(
    required(organization, path, "name", "identifier", "address", "contactPoint"),
    inside(organization.identifier, below(path, "identifier"), checkIdentifier),
    each(organization.additionalIdentifiers, below(path, "additionalIdentifiers"), checkIdentifier),
    inside(organization.address, below(path, "address"), (address, at) => required(address, at, "countryName")),
    inside(organization.contactPoint, below(path, "contactPoint"), (contact, at) =>
      all(checkUrl(contact.url, below(at, "url")), checkEmail(contact.email, below(at, "email"))),
    ),
  );
}

/** Where a list is kept although it holds exactly one. */
export function checkOneOrganization(list: readonly Organization[], path: Path): readonly Problem[] {
  if (list.length === 0) return [tooFew(path)];
  if (list.length > 1) return [problem(path, "Please provide no more than 1 item.", "too-many-items")];
  return each(list, path, checkOrganization);
}

function checkIdentifier(identifier: NonNullable<Organization["identifier"]>, path: Path): readonly Problem[] {
  const nameless = identifier.scheme === "" ? [tooShort(below(path, "scheme"))] : NONE;
  return all(required(identifier, path, "scheme", "id"), nameless, checkUrl(identifier.uri, below(path, "uri")));
}

export function checkUrl(url: string | undefined, path: Path): readonly Problem[] {
  const wellFormed = url === undefined || (/^https?:\/\/[^\s/?#]/i.test(url) && URL.canParse(url));
  return wellFormed ? NONE : [problem(path, "Not a well formed URL.", "url-format")];
}

function checkEmail(email: string | undefined, path: Path): readonly Problem[] {
  const wellFormed = email === undefined || /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email);
  return wellFormed ? NONE : [problem(path, "Not a well formed email address.", "email-format")];
}

/** What is wrong with an id that should be 32 hex digits. */
export const hashProblem = (id: string): string =>
  id.length === 32 ? "Hash value is not hexadecimal." : "Hash value is wrong length.";

/** Whatever is said about an item or a lot names one that is there. */
export function checkSubject(
  of: Subject | "tenderer" | undefined,
  related: string | undefined,
  path: Path,
  tender: Tender,
): Problem[] {
  if (of !== "item" && of !== "lot") return [];
  if (related === undefined) return [missing(path)];
  const known = of === "item" ? tender.items : tender.lots;
  return known?.some(({ id }) => id === related) ? [] : [unknownReference(path, "relatedItem", `${of}s`)];
}
