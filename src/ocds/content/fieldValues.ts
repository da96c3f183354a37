import type { Guarantee, Period, Value } from "../../domain/model/tender.ts";
import { type Decimal, parseDecimal } from "../../domain/values/decimal.ts";
import type { Instant } from "../../domain/values/time.ts";
import { isOcdsList, isOcdsObject, numberOf, type OcdsObject, type OcdsValue } from "../ocdsValues.ts";
import { OCDS_CURRENCIES } from "./currencies.ts";

/** Values of a tender as OCDS writes them. Each is undefined if OCDS has no way to write it. */

/** The fields of an object, of which some may be missing. */
type OcdsFields = { readonly [name: string]: OcdsValue | undefined };

/** An object without fields that are missing or empty: OCDS leaves out what is not there. */
export const compact = (fields: OcdsFields): OcdsObject => {
  const present: { [name: string]: OcdsValue } = {};
  for (const name in fields) {
    const value = fields[name];
    const clean = typeof value === "string" ? cleanText(value) : value;
    if (clean !== undefined && !isEmpty(clean)) present[name] = clean;
  }
  return present;
};

/** Whether the value is a text without a visible character, a list without elements or an object without fields. */
export function isEmpty(value: OcdsValue): boolean {
  if (typeof value === "string") return value.trim() === "";
  if (isOcdsList(value)) return value.length === 0;
  return isOcdsObject(value) && Object.keys(value).length === 0;
}

/** Many programs that read open data cannot store NUL or broken surrogates. */
const cleanText = (text: string): string =>
  text.isWellFormed() && !text.includes("\0") ? text : text.replaceAll("\0", "").toWellFormed();

const TRANSLATIONS = ["", "_en", "_ru"] as const;
const namesByText = new Map<string, readonly string[]>();

/** The name of a text and the names of its translations. Tenders have the same few texts, so the names are made once. */
export function namesOf(text: string): readonly string[] {
  const known = namesByText.get(text);
  if (known) return known;
  const names = TRANSLATIONS.map((translation) => text + translation);
  namesByText.set(text, names);
  return names;
}

/** The texts of these names with their translations, such as `title`, `title_en` and `title_ru`. */
export function textsOf<Holder extends object>(
  holder: Holder,
  ...names: readonly (keyof Holder & string)[]
): { readonly [name: string]: string } {
  const texts: { [name: string]: string } = {};
  for (const text of names)
    for (const name of namesOf(text)) {
      const value: unknown = Reflect.get(holder, name);
      if (typeof value === "string") texts[name] = value;
    }
  return texts;
}

const SECOND_MICROS = 1_000_000;
const DATE_MIN = Date.UTC(1990, 0) * 1000;
const DATE_END = Date.UTC(2050, 0) * 1000;

/**
 * A date and time in UTC with six decimal places, so that the dates of releases have the same order as their texts, even when clocks
 * are put back.
 */
export function utcText(at: Instant): string {
  const seconds = Math.floor(at / SECOND_MICROS);
  const micros = String(at - seconds * SECOND_MICROS).padStart(6, "0");
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${micros}Z`;
}

/** A date and time. Those before 1990 or after 2049 are left out: they are placeholders or mistakes, which analysts reject. */
export const dateOf = (at: Instant | undefined): string | undefined =>
  at !== undefined && at >= DATE_MIN && at < DATE_END ? utcText(at) : undefined;

/** A period with those of its ends that are known. */
export const periodOf = (period: Period | undefined): OcdsObject =>
  compact({ startDate: dateOf(period?.startDate), endDate: dateOf(period?.endDate) });

/** A decimal as a number. */
export const decimalOf = (decimal: Decimal | undefined): OcdsValue | undefined =>
  decimal === undefined || parseDecimal(decimal) === undefined ? undefined : numberOf(decimal);

/**
 * An amount with its currency. A currency that the closed list of OCDS does not have goes to `unlistedCurrency` of our extension, so that
 * the amount is never lost.
 */
export function moneyOf(value: Value | Guarantee | undefined): OcdsObject {
  const amount = decimalOf(value?.amount);
  if (value === undefined || amount === undefined) return {};
  const { currency, valueAddedTaxIncluded }: Value = value;
  const isListed = currency !== undefined && OCDS_CURRENCIES.has(currency);
  return compact({ amount, [isListed ? "currency" : "unlistedCurrency"]: currency, valueAddedTaxIncluded });
}

/** The characters that an address may have by RFC 3986, and a percent sign that starts an escape. */
const NOT_IN_ADDRESS = /[^\w.~!$&'()*+,;=:@/?#%-]|%(?![0-9A-Fa-f]{2})/g;

/** An absolute web address with only the characters that the format `uri` allows. Anything else is left out. */
export function webAddressOf(text: string | undefined): string | undefined {
  const url = text === undefined ? null : URL.parse(text.trim());
  if (!url || !["http:", "https:"].includes(url.protocol) || url.hostname === "" || url.hostname.startsWith("["))
    return undefined;
  const [beforeFragment = "", ...fragments] = url.href.split("#");
  const fragment = fragments.length > 0 ? `#${fragments.join("%23")}` : "";
  return (beforeFragment + fragment).replaceAll(NOT_IN_ADDRESS, (character) => encodeURIComponent(character));
}

/** The elements without repetitions. Of those with the same key, the first stays. */
export function distinctBy<Element>(elements: readonly Element[], keyOf: (element: Element) => string): Element[] {
  const distinct = new Map<string, Element>();
  for (const element of elements) if (!distinct.has(keyOf(element))) distinct.set(keyOf(element), element);
  return [...distinct.values()];
}

/**
 * The objects with ids that are unique in their list, because merging would take two objects with one id for the same. Clients choose
 * the ids of items, so an id may be missing or occur twice: the position then makes it unique.
 */
export function withUniqueIds<Element extends { readonly id?: string }>(
  elements: readonly Element[],
): readonly (Element & { readonly id: string })[] {
  const taken = new Set<string>();
  return elements.map((element, i) => {
    const given = cleanText(element.id ?? "").trim();
    let id = given === "" ? String(i + 1) : given;
    while (taken.has(id)) id = `${id}-${i + 1}`;
    taken.add(id);
    return { ...element, id };
  });
}
