import type { Decimal } from "../../domain/values/decimal.ts";
import { englishPlural, type PluralForms, ukrainianPlural } from "./formats.ts";
import type { Language } from "./languages.ts";

/** Amounts of money in words, so that a bidder notices a missing or an extra digit. Runs in browsers too. */

/** Ukrainian numbers agree with the gender of the word after them: один долар, одна гривня, одне євро. */
type Gender = "masculine" | "feminine" | "neuter";
type UkrainianNoun = PluralForms["uk"] & { readonly gender: Gender };
type CurrencyNouns<Noun> = { readonly unit: Noun; readonly cent: Noun };

const UNITS_EN = [
  ...["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
  ...["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"],
];
const TENS_EN = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const THOUSANDS_EN = ["", "thousand", "million", "billion", "trillion"];

const UNITS_UK = [
  ...["нуль", "один", "два", "три", "чотири", "п’ять", "шість", "сім", "вісім", "дев’ять", "десять", "одинадцять"],
  ...["дванадцять", "тринадцять", "чотирнадцять", "п’ятнадцять", "шістнадцять", "сімнадцять", "вісімнадцять"],
  "дев’ятнадцять",
];
const TENS_UK = [
  ...["", "", "двадцять", "тридцять", "сорок", "п’ятдесят", "шістдесят", "сімдесят", "вісімдесят", "дев’яносто"],
];
const HUNDREDS_UK = [
  ...["", "сто", "двісті", "триста", "чотириста", "п’ятсот", "шістсот", "сімсот", "вісімсот", "дев’ятсот"],
];
/** The first units in the genders in which they differ from the masculine. */
const GENDERED_UK: { readonly [gender in Gender]: { readonly [unit: number]: string } } = {
  masculine: {},
  feminine: { 1: "одна", 2: "дві" },
  neuter: { 1: "одне" },
};
const THOUSANDS_UK: readonly UkrainianNoun[] = [
  { gender: "feminine", one: "тисяча", few: "тисячі", many: "тисяч" },
  { gender: "masculine", one: "мільйон", few: "мільйони", many: "мільйонів" },
  { gender: "masculine", one: "мільярд", few: "мільярди", many: "мільярдів" },
  { gender: "masculine", one: "трильйон", few: "трильйони", many: "трильйонів" },
];

const CENT_UK: UkrainianNoun = { gender: "masculine", one: "цент", few: "центи", many: "центів" };
const CURRENCIES_UK: { readonly [currency: string]: CurrencyNouns<UkrainianNoun> } = {
  UAH: {
    unit: { gender: "feminine", one: "гривня", few: "гривні", many: "гривень" },
    cent: { gender: "feminine", one: "копійка", few: "копійки", many: "копійок" },
  },
  USD: { unit: { gender: "masculine", one: "долар", few: "долари", many: "доларів" }, cent: CENT_UK },
  EUR: { unit: { gender: "neuter", one: "євро", few: "євро", many: "євро" }, cent: CENT_UK },
};

const CENT_EN = { one: "cent", other: "cents" };
const CURRENCIES_EN: { readonly [currency: string]: CurrencyNouns<PluralForms["en"]> } = {
  UAH: { unit: { one: "hryvnia", other: "hryvnias" }, cent: { one: "kopiyka", other: "kopiykas" } },
  USD: { unit: { one: "dollar", other: "dollars" }, cent: CENT_EN },
  EUR: { unit: { one: "euro", other: "euros" }, cent: CENT_EN },
};

/** The digits of a number in groups of three, the last group first. */
const groupsOf = (digits: string): readonly number[] => {
  const groups: number[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.push(Number(digits.slice(Math.max(0, end - 3), end)));
  return groups;
};

function englishGroup(value: number): string {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  const tens = TENS_EN[Math.floor(rest / 10)];
  const small = rest < 20 ? UNITS_EN[rest] : rest % 10 === 0 ? tens : `${tens}-${UNITS_EN[rest % 10]}`;
  if (hundreds === 0) return small ?? "";
  return `${UNITS_EN[hundreds]} hundred${rest === 0 ? "" : ` and ${small}`}`;
}

function englishNumber(digits: string): string {
  if (Number(digits) === 0) return "zero";
  const words = groupsOf(digits).map((group, i) => (group === 0 ? "" : `${englishGroup(group)} ${THOUSANDS_EN[i]}`));
  return joinWords(words.toReversed());
}

function ukrainianGroup(value: number, gender: Gender): string {
  const rest = value % 100;
  const unit = rest < 20 ? rest : rest % 10;
  const unitWord = unit === 0 ? "" : (GENDERED_UK[gender][unit] ?? UNITS_UK[unit] ?? "");
  const tens = rest < 20 ? "" : (TENS_UK[Math.floor(rest / 10)] ?? "");
  return joinWords([HUNDREDS_UK[Math.floor(value / 100)] ?? "", tens, unitWord]);
}

function ukrainianNumber(digits: string, gender: Gender): string {
  if (Number(digits) === 0) return "нуль";
  const words = groupsOf(digits).map((group, i) => {
    if (group === 0) return "";
    const noun = THOUSANDS_UK[i - 1];
    return noun
      ? `${ukrainianGroup(group, noun.gender)} ${ukrainianPlural(group, noun)}`
      : ukrainianGroup(group, gender);
  });
  return joinWords(words.toReversed());
}

const joinWords = (words: readonly string[]): string => words.join(" ").replace(/ {2,}/g, " ").trim();

/** The longest amount that has words: up to trillions. */
const DIGITS_MAX = 15;

/**
 * The amount in words with its currency, such as "four hundred and eighty hryvnias 50 kopiykas". `undefined` for an amount that is
 * negative, larger than trillions, or has more than two decimal places.
 */
export function amountInWords(amount: Decimal, currency: string, language: Language): string | undefined {
  const [, digits, fraction = ""] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  if (digits === undefined || digits.length > DIGITS_MAX) return undefined;
  const cents = fraction.padEnd(2, "0");
  if (language === "uk") {
    const nouns = CURRENCIES_UK[currency];
    const number = ukrainianNumber(digits, nouns?.unit.gender ?? "masculine");
    if (!nouns) return fraction === "" ? `${number} ${currency}` : `${number} ${currency} ${cents}/100`;
    const whole = `${number} ${ukrainianPlural(BigInt(digits), nouns.unit)}`;
    return `${whole} ${cents} ${ukrainianPlural(Number(cents), nouns.cent)}`;
  }
  const number = englishNumber(digits);
  const nouns = CURRENCIES_EN[currency];
  if (!nouns) return fraction === "" ? `${number} ${currency}` : `${number} ${currency} ${cents}/100`;
  const whole = `${number} ${englishPlural(BigInt(digits), nouns.unit)}`;
  return `${whole} ${cents} ${englishPlural(Number(cents), nouns.cent)}`;
}
