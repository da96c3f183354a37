import { digitGroups, joinWords } from "../../digitGroups.ts";
import { englishPlural, type PluralForms } from "../../formats.ts";

/** Amounts of money in English words. */

type CurrencyNouns = { readonly unit: PluralForms["en"]; readonly cent: PluralForms["en"] };

const UNITS_EN = [
  ...["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
  ...["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"],
];
const TENS_EN = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const THOUSANDS_EN = ["", "thousand", "million", "billion", "trillion"];

const CENT_EN = { one: "cent", other: "cents" };
const CURRENCIES_EN: { readonly [currency: string]: CurrencyNouns } = {
  UAH: { unit: { one: "hryvnia", other: "hryvnias" }, cent: { one: "kopiyka", other: "kopiykas" } },
  USD: { unit: { one: "dollar", other: "dollars" }, cent: CENT_EN },
  EUR: { unit: { one: "euro", other: "euros" }, cent: CENT_EN },
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
  const words = digitGroups(digits).map((group, i) => (group === 0 ? "" : `${englishGroup(group)} ${THOUSANDS_EN[i]}`));
  return joinWords(words.toReversed());
}

/** The amount of so many whole units and cents: `four hundred and eighty hryvnias 50 kopiykas`. Cents are two digits, or empty. */
export function englishAmount(digits: string, cents: string, currency: string): string {
  const number = englishNumber(digits);
  const nouns = CURRENCIES_EN[currency];
  if (!nouns) return cents === "" ? `${number} ${currency}` : `${number} ${currency} ${cents}/100`;
  const whole = `${number} ${englishPlural(BigInt(digits), nouns.unit)}`;
  return `${whole} ${cents || "00"} ${englishPlural(Number(cents), nouns.cent)}`;
}
