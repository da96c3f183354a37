import { type Decimal, parseDecimal } from "../../domain/values/decimal.ts";
import type { Fraction } from "../../domain/values/fraction.ts";
import { type Instant, MINUTE, SECOND } from "../../domain/values/time.ts";
import { LANGUAGE_ROWS, type Language, localeOf } from "./languages.ts";

/** Numbers, money, dates and plurals as each language writes them. Runs in browsers too. */

/** The forms of a word that a language needs after a number. */
export type PluralForms = {
  readonly uk: { readonly one: string; readonly few: string; readonly many: string };
  readonly en: { readonly one: string; readonly other: string };
};

const pluralRules = new Map<Language, readonly string[]>();

/** The categories of the numbers 0 to 99, computed once: `Intl` takes many times as long. */
function pluralCategories(language: Language): readonly string[] {
  const known = pluralRules.get(language);
  if (known) return known;
  const rules = new Intl.PluralRules(localeOf(language));
  const categories = Array.from({ length: 100 }, (_, count) => rules.select(count));
  pluralRules.set(language, categories);
  return categories;
}

/** The form of an English word after this whole number. In English, 1 alone is different. */
export const englishPlural = (count: number | bigint, { one, other }: PluralForms["en"]): string =>
  Number(count) === 1 ? one : other;

/** The form of a Ukrainian word after this whole number, by its last two digits: 1 раунд, 2 раунди, 5 раундів. */
export function ukrainianPlural(count: number | bigint, { one, few, many }: PluralForms["uk"]): string {
  // A large number would lose its last digits as a double.
  const lastDigits = typeof count === "bigint" ? Number(count % 100n) : count % 100;
  const category = pluralCategories("uk")[lastDigits];
  return category === "one" ? one : category === "few" ? few : many;
}

const numberFormats = new Map<string, Intl.NumberFormat>();

function numberFormat(language: Language, places: number, placesMin = places): Intl.NumberFormat {
  const key = `${language} ${places} ${placesMin}`;
  const known = numberFormats.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat(localeOf(language), {
    minimumFractionDigits: placesMin,
    maximumFractionDigits: places,
  });
  numberFormats.set(key, format);
  return format;
}

/** `format()` of Intl takes a number in a string without losing digits, but its type wants a literal. */
const isNumericLiteral = (text: string): text is `${number}` => text !== "";

/** A whole number with separators of thousands. */
export const formatNumber = (value: number, language: Language): string => numberFormat(language, 0).format(value);

/** An exact decimal with at least two decimal places and all digits that it has. */
export function formatDecimal(value: Decimal, language: Language): string {
  const separators = separatorsOf(language);
  const [whole = "", fraction = ""] = value.split(".");
  if (separators) return groupDigits(whole, separators.group) + separators.decimal + fraction.padEnd(2, "0");
  const text: string = value;
  return isNumericLiteral(text) ? numberFormat(language, Math.max(2, fraction.length)).format(text) : "";
}

type NumberSeparators = { readonly group: string; readonly decimal: string };
const separators = new Map<Language, NumberSeparators | undefined>();

/**
 * The separators of a language that groups digits by three, as most do: then amounts can be written without Intl, which takes many
 * times as long. A page has dozens of amounts.
 */
function separatorsOf(language: Language): NumberSeparators | undefined {
  if (!separators.has(language)) separators.set(language, findSeparators(language));
  return separators.get(language);
}

function findSeparators(language: Language): NumberSeparators | undefined {
  const parts = numberFormat(language, 1).formatToParts(-1234567.5);
  const partOf = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  const [group, decimal] = [partOf("group"), partOf("decimal")];
  const isUsual =
    numberFormat(language, 1).format(-1234567.5) === `-1${group}234${group}567${decimal}5` &&
    numberFormat(language, 0).format(1234) === `1${group}234`;
  return isUsual ? { group, decimal } : undefined;
}

/** Whole digits, perhaps with a sign, in groups of three. */
function groupDigits(digits: string, group: string): string {
  const start = digits.startsWith("-") ? 1 : 0;
  let grouped = digits;
  for (let end = digits.length - 3; end > start; end -= 3) grouped = grouped.slice(0, end) + group + grouped.slice(end);
  return grouped;
}

/** An exact decimal with the digits that it has: a quantity. */
export function formatQuantity(value: Decimal, language: Language): string {
  const found = separatorsOf(language);
  const [whole = "", fraction = ""] = value.split(".");
  if (found) return groupDigits(whole, found.group) + (fraction === "" ? "" : found.decimal + fraction);
  const text: string = value;
  return isNumericLiteral(text) ? numberFormat(language, fraction.length).format(text) : "";
}

/** The price by which offers are compared, which is an exact fraction, rounded to four decimal places. */
export function formatWeightedPrice({ numerator, denominator }: Fraction, language: Language): string {
  const scaled = String((numerator * 20_000n + denominator) / (2n * denominator)).padStart(5, "0");
  const rounded = parseDecimal(`${scaled.slice(0, -4)}.${scaled.slice(-4)}`);
  return rounded === undefined ? "" : formatDecimal(rounded, language);
}

/** A number with at most so many decimal places. */
export const formatDecimalPlaces = (value: number, places: number, language: Language): string =>
  numberFormat(language, places, 0).format(value);

/** A share such as 0.125 as `12.5 %`, with at most one decimal place. */
export const formatPercent = (share: number, language: Language): string =>
  `${numberFormat(language, 1, 0).format(share * 100)}\u00a0%`;

/** A number with more characters than this may need a line of its own on a phone. */
const NUMBER_WITH_CURRENCY_MAX = 15;

/**
 * Money: `1 234,50 грн` in Ukrainian, `UAH 1,234.50` in English, with spaces that do not break; from a billion on, a line may break
 * between the number and the currency.
 */
export function formatMoney(amount: Decimal, currency: string, language: Language): string {
  const number = formatDecimal(amount, language);
  const { position, abbreviations } = LANGUAGE_ROWS[language].currency;
  const name = abbreviations[currency] ?? currency;
  const space = number.length > NUMBER_WITH_CURRENCY_MAX ? " " : "\u00a0";
  return position === "before" ? name + space + number : number + space + name;
}

const DATE_STYLES = {
  /** `17 листопада 2026 р. о 11:00`, with the zone's local time. */
  "date and time": { dateStyle: "long", timeStyle: "short" },
  date: { dateStyle: "long" },
  time: { hour: "2-digit", minute: "2-digit" },
  "exact time": { hour: "2-digit", minute: "2-digit", second: "2-digit" },
} as const satisfies { readonly [style: string]: Intl.DateTimeFormatOptions };

/** A format, and the texts that it wrote lately: pages show the same days and deadlines again and again. */
type DateFormat = { readonly format: Intl.DateTimeFormat; readonly texts: Map<Instant, string> };
const dateFormats = new Map<string, DateFormat>();
const CACHED_TEXTS_MAX = 1000;

function dateFormat(style: keyof typeof DATE_STYLES, zoneName: string, language: Language): DateFormat {
  const key = `${language} ${style} ${zoneName}`;
  const known = dateFormats.get(key);
  if (known) return known;
  const options = { ...DATE_STYLES[style], timeZone: zoneName, hourCycle: "h23" } as const;
  const created = { format: new Intl.DateTimeFormat(localeOf(language), options), texts: new Map<Instant, string>() };
  dateFormats.set(key, created);
  return created;
}

/** A moment as local time of the zone with this IANA name. */
export function formatMoment(
  at: Instant,
  style: keyof typeof DATE_STYLES,
  zoneName: string,
  language: Language,
): string {
  const { format, texts } = dateFormat(style, zoneName, language);
  // All moments of a minute have the same text. Before 1970, some zones differed from UTC by seconds.
  const key = style === "exact time" || at < 0 ? at : Math.floor(at / MINUTE) * MINUTE;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = format.format(at / 1000);
  if (texts.size >= CACHED_TEXTS_MAX) texts.clear();
  texts.set(key, text);
  return text;
}

const machineTimes = new Map<Instant, string>();

/** A moment for `<time datetime>`, in UTC. */
export function machineTime(at: Instant): string {
  const known = machineTimes.get(at);
  if (known !== undefined) return known;
  const text = new Date(at / 1000).toISOString();
  if (machineTimes.size >= CACHED_TEXTS_MAX) machineTimes.clear();
  machineTimes.set(at, text);
  return text;
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** The time left as a clock shows it, `1:05` or `2:00:00`, rounded up, so that 0:00 means that the time is over. */
export function formatCountdown(micros: number): string {
  const seconds = Math.max(0, Math.ceil(micros / SECOND));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`
    : `${minutes}:${twoDigits(seconds % 60)}`;
}

/** A length as a countdown shows it, for `<time datetime>`: PT125S. */
export const machineDuration = (micros: number): string => `PT${Math.max(0, Math.ceil(micros / SECOND))}S`;

/** Whole minutes, rounded up. */
export const minutesIn = (micros: number): number => Math.ceil(micros / MINUTE);
