import { compareDecimals, decimal } from "./money.ts";
import type { Path, Problem } from "./refusals.ts";
import { problem } from "./refusals.ts";
import type { Organization, Period, Subject, Tender, Value } from "./tender.ts";

/** The building blocks of every check: each returns the problems it finds, in the order of the fields. */

export const REQUIRED = "This field is required.";
const ZERO = decimal("0");

const isMissing = (value: unknown) => value === undefined || value === null;

export function required<Thing extends object>(
  thing: Thing,
  path: Path,
  ...names: readonly (keyof Thing & string)[]
): Problem[] {
  const problems: Problem[] = [];
  for (const name of names) if (isMissing(thing[name])) problems.push(problem([...path, name], REQUIRED));
  return problems;
}

export function atLeastOne(list: readonly unknown[] | undefined, path: Path): Problem[] {
  if (list === undefined) return [problem(path, REQUIRED)];
  return list.length === 0 ? [problem(path, "Please provide at least 1 item.")] : [];
}

export function each<Element>(
  list: readonly Element[] | undefined,
  path: Path,
  check: (element: Element, path: Path) => readonly Problem[],
): Problem[] {
  return list?.flatMap((element, i) => check(element, [...path, i])) ?? [];
}

export function inside<Thing>(
  thing: Thing | undefined,
  path: Path,
  check: (thing: Thing, path: Path) => readonly Problem[],
): readonly Problem[] {
  return thing === undefined ? [] : check(thing, path);
}

export function firstOf(...checks: readonly (Problem | false | undefined)[]): Problem[] {
  const first = checks.find((check) => check);
  return first ? [first] : [];
}

export function repeats(texts: readonly (string | undefined)[]): boolean {
  if (texts.length < 2) return false;
  const given = texts.filter((text) => text !== undefined);
  return new Set(given).size < given.length;
}

export function checkValue(value: Value | { amount?: Value["amount"]; currency?: string }, path: Path): Problem[] {
  const problems = required(value, path, "amount");
  if (value.amount !== undefined && compareDecimals(value.amount, ZERO) < 0)
    problems.push(problem([...path, "amount"], "Float value should be greater than 0."));
  if (value.currency !== undefined && [...value.currency].length !== 3)
    problems.push(
      problem([...path, "currency"], `String value is too ${value.currency.length < 3 ? "short" : "long"}.`),
    );
  return problems;
}

export function checkPeriod(period: Period, path: Path): Problem[] {
  const { startDate, endDate } = period;
  const backwards = startDate !== undefined && endDate !== undefined && startDate > endDate;
  return backwards ? [problem([...path, "startDate"], "period should begin before its end", "cross")] : [];
}

/** An organisation in full: who it is, where it is, how to reach it. Every member of the contact point is optional. */
export function checkOrganization(organization: Organization, path: Path): readonly Problem[] {
  return [
    ...required(organization, path, "name", "identifier", "address", "contactPoint"),
    ...inside(organization.identifier, [...path, "identifier"], checkIdentifier),
    ...each(organization.additionalIdentifiers, [...path, "additionalIdentifiers"], checkIdentifier),
    ...inside(organization.address, [...path, "address"], (address, at) => required(address, at, "countryName")),
    ...inside(organization.contactPoint, [...path, "contactPoint"], (contact, at) => [
      ...checkUrl(contact.url, [...at, "url"]),
      ...checkEmail(contact.email, [...at, "email"]),
    ]),
  ];
}

/** Where a list is kept although it holds exactly one. */
export function checkOneOrganization(list: readonly Organization[], path: Path): readonly Problem[] {
  if (list.length === 0) return [problem(path, "Please provide at least 1 item.")];
  if (list.length > 1) return [problem(path, "Please provide no more than 1 item.")];
  return each(list, path, checkOrganization);
}

function checkIdentifier(identifier: NonNullable<Organization["identifier"]>, path: Path): Problem[] {
  const nameless = identifier.scheme === "" ? [problem([...path, "scheme"], "String value is too short.")] : [];
  return [...required(identifier, path, "scheme", "id"), ...nameless, ...checkUrl(identifier.uri, [...path, "uri"])];
}

export function checkUrl(url: string | undefined, path: Path): Problem[] {
  const wellFormed = url === undefined || (/^https?:\/\/[^\s/?#]/i.test(url) && URL.canParse(url));
  return wellFormed ? [] : [problem(path, "Not a well formed URL.")];
}

function checkEmail(email: string | undefined, path: Path): Problem[] {
  const wellFormed = email === undefined || /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email);
  return wellFormed ? [] : [problem(path, "Not a well formed email address.")];
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
  if (related === undefined) return [problem(path, REQUIRED)];
  const known = of === "item" ? tender.items : tender.lots;
  return known?.some(({ id }) => id === related) ? [] : [problem(path, `relatedItem should be one of ${of}s`, "cross")];
}
