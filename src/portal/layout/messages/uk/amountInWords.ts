import { digitGroups, joinWords } from "../../digitGroups.ts";
import { type PluralForms, ukrainianPlural } from "../../formats.ts";

/** Amounts of money in Ukrainian words. */

/** Ukrainian numbers agree with the gender of the word after them: один долар, одна гривня, одне євро. */
type Gender = "masculine" | "feminine" | "neuter";
type UkrainianNoun = PluralForms["uk"] & { readonly gender: Gender };
type CurrencyNouns = { readonly unit: UkrainianNoun; readonly cent: UkrainianNoun };

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
const CURRENCIES_UK: { readonly [currency: string]: CurrencyNouns } = {
  UAH: {
    unit: { gender: "feminine", one: "гривня", few: "гривні", many: "гривень" },
    cent: { gender: "feminine", one: "копійка", few: "копійки", many: "копійок" },
  },
  USD: { unit: { gender: "masculine", one: "долар", few: "долари", many: "доларів" }, cent: CENT_UK },
  EUR: { unit: { gender: "neuter", one: "євро", few: "євро", many: "євро" }, cent: CENT_UK },
};

function ukrainianGroup(value: number, gender: Gender): string {
  const rest = value % 100;
  const unit = rest < 20 ? rest : rest % 10;
  const unitWord = unit === 0 ? "" : (GENDERED_UK[gender][unit] ?? UNITS_UK[unit] ?? "");
  const tens = rest < 20 ? "" : (TENS_UK[Math.floor(rest / 10)] ?? "");
  return joinWords([HUNDREDS_UK[Math.floor(value / 100)] ?? "", tens, unitWord]);
}

function ukrainianNumber(digits: string, gender: Gender): string {
  if (Number(digits) === 0) return "нуль";
  const words = digitGroups(digits).map((group, i) => {
    if (group === 0) return "";
    const noun = THOUSANDS_UK[i - 1];
    return noun
      ? `${ukrainianGroup(group, noun.gender)} ${ukrainianPlural(group, noun)}`
      : ukrainianGroup(group, gender);
  });
  return joinWords(words.toReversed());
}

/** The amount of so many whole units and cents: `чотириста вісімдесят гривень 50 копійок`. Cents are two digits, or empty. */
export function ukrainianAmount(digits: string, cents: string, currency: string): string {
  const nouns = CURRENCIES_UK[currency];
  const number = ukrainianNumber(digits, nouns?.unit.gender ?? "masculine");
  if (!nouns) return cents === "" ? `${number} ${currency}` : `${number} ${currency} ${cents}/100`;
  const whole = `${number} ${ukrainianPlural(BigInt(digits), nouns.unit)}`;
  return `${whole} ${cents || "00"} ${ukrainianPlural(Number(cents), nouns.cent)}`;
}
