import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decimal } from "../../domain/values/decimal.ts";
import { HOUR, MINUTE, SECOND } from "../../domain/values/time.ts";
import { amountInWords } from "../auctions/amountInWords.ts";
import { formatCountdown, formatDecimal, formatMoment, formatMoney, ukrainianPlural } from "./formats.ts";
import { LANGUAGES, languagePrefixOf, localeOf, localizedPath } from "./languages.ts";
import { ENGLISH } from "./messages/en.ts";
import type { Messages } from "./messages/uk.ts";

/** Intl uses several kinds of spaces that do not break. */
const withPlainSpaces = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

describe("formats", () => {
  it("write money as each language does, with every digit", () => {
    const amount = decimal("12345678901234567890.5");
    assert.equal(withPlainSpaces(formatMoney(amount, "UAH", "uk")), "12 345 678 901 234 567 890,50 грн");
    assert.equal(withPlainSpaces(formatMoney(amount, "UAH", "en")), "UAH 12,345,678,901,234,567,890.50");
    assert.equal(withPlainSpaces(formatMoney(decimal("5"), "EUR", "uk")), "5,00 EUR");
    assert.equal(formatDecimal(decimal("0.12345"), "en"), "0.12345");
  });

  it("write any amount as Intl does", () => {
    for (const text of ["0", "-0.5", "999", "1000", "-1000", "12345.678", "-9876543210.1", "1000000", "100000.05"])
      for (const language of LANGUAGES) {
        const places = Math.max(2, text.split(".")[1]?.length ?? 0);
        const format = new Intl.NumberFormat(localeOf(language), { minimumFractionDigits: places });
        assert.equal(formatDecimal(decimal(text), language), format.format(Number(text)));
      }
  });

  it("choose the form of a word after a number", () => {
    const forms = { one: "раунд", few: "раунди", many: "раундів" };
    const found = [0, 1, 2, 5, 11, 12, 21, 22, 111, 112n, 10_000_000_000_000_000_001n].map((count) =>
      ukrainianPlural(count, forms),
    );
    assert.deepEqual(found, [
      ...["раундів", "раунд", "раунди", "раундів", "раундів", "раундів", "раунд", "раунди", "раундів", "раундів"],
      "раунд",
    ]);
  });

  it("write times in the zone of the registry", () => {
    const at = Date.UTC(2026, 10, 17, 22, 5, 9) * 1000;
    assert.equal(formatMoment(at, "exact time", "Europe/Kyiv", "uk"), "00:05:09");
    assert.match(formatMoment(at, "date and time", "Europe/Kyiv", "uk"), /^18 листопада 2026/);
    assert.match(formatMoment(at, "date and time", "UTC", "en"), /^17 November 2026.*22:05$/);
  });

  it("round the time left up, so that 0:00 means the end", () => {
    const times = [1, SECOND, 61 * SECOND, 2 * HOUR + 3 * MINUTE, 0, -5 * SECOND].map(formatCountdown);
    assert.deepEqual(times, ["0:01", "0:01", "1:01", "2:03:00", "0:00", "0:00"]);
  });
});

describe("an amount in words", () => {
  const ukrainian: readonly (readonly [string, string])[] = [
    ["0.05", "нуль гривень 05 копійок"],
    ["1", "одна гривня 00 копійок"],
    ["2.01", "дві гривні 01 копійка"],
    ["11", "одинадцять гривень 00 копійок"],
    ["480.5", "чотириста вісімдесят гривень 50 копійок"],
    ["1001", "одна тисяча одна гривня 00 копійок"],
    ["2000000", "два мільйони гривень 00 копійок"],
    ["1022512.32", "один мільйон двадцять дві тисячі п’ятсот дванадцять гривень 32 копійки"],
    [
      "999999999999999",
      "дев’ятсот дев’яносто дев’ять трильйонів дев’ятсот дев’яносто дев’ять мільярдів дев’ятсот дев’яносто дев’ять мільйонів дев’ятсот дев’яносто дев’ять тисяч дев’ятсот дев’яносто дев’ять гривень 00 копійок",
    ],
  ];
  const english: readonly (readonly [string, string])[] = [
    ["0", "zero hryvnias 00 kopiykas"],
    ["1.01", "one hryvnia 01 kopiyka"],
    ["21", "twenty-one hryvnias 00 kopiykas"],
    ["480.5", "four hundred and eighty hryvnias 50 kopiykas"],
    ["1001000", "one million one thousand hryvnias 00 kopiykas"],
    ["1000015.1", "one million fifteen hryvnias 10 kopiykas"],
  ];

  it("agrees in number and gender in Ukrainian", () => {
    for (const [amount, words] of ukrainian) assert.equal(amountInWords(decimal(amount), "UAH", "uk"), words);
    assert.equal(amountInWords(decimal("1"), "EUR", "uk"), "одне євро 00 центів");
    assert.equal(amountInWords(decimal("2"), "USD", "uk"), "два долари 00 центів");
  });

  it("is written in English", () => {
    for (const [amount, words] of english) assert.equal(amountInWords(decimal(amount), "UAH", "en"), words);
  });

  it("has the code of a currency that it has no words for", () => {
    assert.equal(amountInWords(decimal("21.5"), "PLN", "uk"), "двадцять один PLN 50/100");
    assert.equal(amountInWords(decimal("3"), "PLN", "en"), "three PLN");
  });

  it("is missing for amounts that no price can have", () => {
    for (const amount of ["-1", "1000000000000000", "0.001"])
      assert.equal(amountInWords(decimal(amount), "UAH", "en"), undefined);
  });
});

describe("the message catalogue", () => {
  it("does not compile with a key that is missing, or with one that others lack", () => {
    // @ts-expect-error: "unavailable" and others are missing
    const incomplete: Messages["auctions"]["replay"] = { heading: "" };
    // @ts-expect-error: the catalogue has no "extra"
    const excessive: Messages["layout"] = { ...ENGLISH.layout, extra: "" };
    assert.ok(incomplete && excessive);
  });
});

describe("the language of a path", () => {
  it("is its prefix, which the default language does not need", () => {
    assert.equal(localizedPath("/auctions", "uk", "uk"), "/auctions");
    assert.equal(localizedPath("/auctions", "en", "uk"), "/en/auctions");
    assert.equal(localizedPath("/", "en", "uk"), "/en");
    assert.deepEqual(languagePrefixOf("/en/auctions/1"), { language: "en", path: "/auctions/1" });
    assert.deepEqual(languagePrefixOf("/uk"), { language: "uk", path: "/" });
    assert.equal(languagePrefixOf("/england"), undefined);
  });
});
