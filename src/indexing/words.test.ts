import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { stemOf } from "./stems.ts";
import { SEARCH_TERMS_MAX, searchTermsOf, TOKEN_LENGTH_MAX, TOKENS_MAX, tokensOfTerm, wordsOf } from "./words.ts";

/** Whether a query finds a text, by the definition of terms and tokens. */
function finds(query: string, text: string): boolean {
  const tokens = wordsOf(text);
  return searchTermsOf(query).every((term) => {
    const { exact, prefix } = tokensOfTerm(term);
    return tokens.some((token) => exact.includes(token) || (prefix !== undefined && token.startsWith(prefix)));
  });
}

/** The forms of a word, which all find one another. */
const FORMS: readonly (readonly string[])[] = [
  ["послуга", "послуг", "послуги", "послугами", "послугам", "послугою", "послузі", "послугу", "послугах"],
  ["ремонт", "ремонту", "ремонтом", "ремонті", "ремонти", "ремонтів", "ремонтами"],
  ["будівництво", "будівництва", "будівництву", "будівництвом", "будівництві"],
  ["канцелярське", "канцелярських", "канцелярські", "канцелярського", "канцелярськими", "канцелярський"],
  ["лікарня", "лікарні", "лікарню", "лікарнею", "лікарень", "лікарнями", "лікарнях"],
  ["обладнання", "обладнанню", "обладнанням", "обладнань", "обладнанні"],
  ["приміщення", "приміщень", "приміщенням", "приміщеннях"],
  ["програма", "програм", "програми", "програмами", "програмою", "програмам"],
  ["система", "систем", "системи", "системами", "системою"],
  ["станція", "станції", "станцій", "станцією", "станціями", "станцію"],
  ["компанія", "компанії", "компаній", "компанією"],
  ["закупівля", "закупівлі", "закупівель", "закупівлями", "закупівлю"],
  ["вартість", "вартості", "вартістю"],
  ["товар", "товари", "товарів", "товарами", "товару"],
  ["автомобіль", "автомобіля", "автомобілі", "автомобілів", "автомобілями", "автомобілем"],
  ["робота", "роботи", "робіт", "роботами", "роботу"],
  ["перевірка", "перевірки", "перевірок", "перевірці", "перевіркою"],
  ["будинок", "будинку", "будинки", "будинків", "будинком"],
  ["виконавець", "виконавця", "виконавці", "виконавцем"],
  ["школа", "школи", "шкіл", "школою", "школах"],
  ["медичний", "медичного", "медичні", "медичних", "медичній", "медична", "медичною"],
  ["паперовий", "паперові", "паперових", "паперового"],
  ["договір", "договору", "договори", "договорів"],
  ["архів", "архіву", "архіви", "архівів"],
  ["режим", "режиму", "режимом", "режими"],
  ["Харків", "Харкова", "Харкову"],
  ["Київ", "Києва", "Києві"],
  ["вода", "води", "водою", "воду"],
  ["дах", "даху", "дахи", "дахів"],
  ["service", "services", "Service's"],
  ["company", "companies"],
  ["box", "boxes"],
  ["address", "addresses"],
  ["supply", "supplies"],
];

describe("forms of a word", () => {
  for (const forms of FORMS)
    it(`find one another: ${forms[0]}`, () => {
      const missed = forms.flatMap((query) => forms.filter((text) => !finds(query, text)).map((text) => [query, text]));
      assert.deepEqual(missed, []);
    });

  it("are not found by other words that are like them", () => {
    const different: readonly (readonly [string, string])[] = [
      ["водія", "вода"],
      ["сир", "сіра"],
      ["кіт", "кит"],
      ["лікарня", "лікар"],
      ["станція", "станок"],
      ["news", "newt"],
      ["bus", "bu"],
    ];
    for (const [query, text] of different) assert.equal(finds(query, text), false, `${query} finds ${text}`);
  });

  it("stay whole if they are short, have digits or are in other alphabets", () => {
    for (const word of ["чаю", "a4", "33600000", "ημέρας", "日本語"]) assert.equal(stemOf(word), word);
  });
});

describe("letters", () => {
  const same: readonly (readonly [string, string])[] = [
    ["Ґанок", "ганок"],
    ["компʼютер", "комп'ютер"],
    ["комп’ютер", "комп`ютер"],
    ["компютер", "КОМП'ЮТЕР"],
    ["cafe", "Café"],
    ["Łodz", "łódź"],
    ["strasse", "Straße"],
    ["замок", "за\u0301мок"],
    ["йод", "и\u0306од"],
    ["їжа", "і\u0308жа"],
    ["послуги", "пoслyги"],
    ["сервіс", "Cервic"],
    ["договір", "до\u00adго\u200bвір"],
    ["тендер", "\u202eтендер\u202c"],
    ["м2", "м²"],
  ];
  for (const [a, b] of same)
    it(`are the same in ${a} and ${JSON.stringify(b)}`, () => {
      assert.deepEqual([...wordsOf(a)], [...wordsOf(b)]);
    });

  it("і, ї, є, й, и and е are different", () => {
    const words = ["міл", "мїл", "мил", "мел", "мєл", "мйл"];
    assert.equal(new Set(words.flatMap(wordsOf)).size, words.length);
  });

  it("of Latin words stay Latin", () => {
    assert.deepEqual(wordsOf("box"), ["box"]);
    assert.deepEqual(wordsOf("COVIDом"), ["covidом"]);
  });
});

describe("codes", () => {
  const found: readonly (readonly [string, string])[] = [
    ["UA-2026-11-15-000001", "UA-2026-11-15-000001"],
    ["ua-2026-11-15-000001", "UA-2026-11-15-000001"],
    ["UA-2026-11", "UA-2026-11-15-000001"],
    ["000001", "UA-2026-11-15-000001"],
    ["33600000-6", "33600000-6"],
    ["33600000-6", "ДК 021:2015: 33600000 Фармацевтична продукція"],
    ["33600000", "33600000-6"],
    ["336", "33600000-6"],
    ["00037256", "ЄДРПОУ 00037256"],
    ["4879d3f8ee2443169b5fbbc9f89fa607", "4879d3f8ee2443169b5fbbc9f89fa607"],
    ["науково-дослідні", "науково-дослідна робота"],
    ["дослідна", "науково-дослідна робота"],
    ["науководослідна", "науково-дослідна робота"],
    ["e-mail", "e\u2011mail"],
    ["А4", "Папір А4, 80 г/м2"],
  ];
  for (const [query, text] of found) it(`${query} finds ${text}`, () => assert.ok(finds(query, text)));

  it("are not found by other codes", () => {
    assert.equal(finds("UA-2026-11-15-000001", "UA-2026-11-15-000010"), false);
    assert.equal(finds("33600000-6", "33700000-7"), false);
    assert.equal(finds("37256", "00037256"), false);
  });
});

describe("prefixes", () => {
  it("have three letters or more", () => {
    assert.ok(finds("кан", "канцелярія"));
    assert.equal(finds("ка", "канцелярія"), false);
    assert.ok(finds("№ 5", "лот № 5"));
  });

  const prefixesOf = (query: string) => searchTermsOf(query).flatMap(({ word, isPrefix }) => (isPrefix ? [word] : []));

  it("are the last three words of a query", () => {
    assert.deepEqual(prefixesOf("ремонт даху школи №5 у Львові"), ["даху", "школи", "львові"]);
    assert.ok(finds("ремонт даху школи у Льво", "Ремонт даху школи у Львові"));
  });

  it("are not asked for beside a word that begins with them", () => {
    const wordsIn = (query: string) => searchTermsOf(query).map(({ word }) => word);
    assert.deepEqual(wordsIn("рем ремо ремонт шко школа ре"), ["ремонт", "школа", "ре"]);
    assert.ok(finds("рем ремонт", "ремонт"));
  });
});

describe("the tokens of any text", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.string({ unit: "grapheme", maxLength: 200 }),
    fc
      .array(
        fc.constantFrom("послуги", "-", "'", "\u202e", "\0", "\ud83d", "İ", "ﬀ", "UA", "26", " ", "ß", "e\u0301"),
        {
          maxLength: 60,
        },
      )
      .map((parts) => parts.join("")),
  );

  it("are letters and digits only, limited, and each is there once", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tokens = wordsOf(text);
        assert.equal(new Set(tokens).size, tokens.length);
        for (const token of tokens) {
          assert.match(token, /^=?[\p{L}\p{N}]+$/u);
          assert.ok(token.isWellFormed() && token.length <= TOKEN_LENGTH_MAX + 1, token);
        }
      }),
    );
  });

  it("are found by the text itself, and by it in capitals", () => {
    fc.assert(
      fc.property(texts, (text) => {
        if (searchTermsOf(text).length < SEARCH_TERMS_MAX) assert.ok(finds(text, text));
      }),
    );
    fc.assert(fc.property(fc.constantFrom(...FORMS.flat()), (word) => finds(word.toUpperCase(), word)));
  });

  it("are the same for a word of them", () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const word of wordsOf(text)) if (!word.startsWith("=")) assert.ok(wordsOf(word).includes(word), word);
      }),
    );
  });

  it("are limited in number for hostile texts", () => {
    const hostile = [
      "а".repeat(65_536),
      "а-".repeat(32_768),
      "\u202e\0".repeat(32_768),
      "\ud800".repeat(65_536),
      "a\u0301".repeat(32_768),
      Array.from({ length: 10_000 }, (_, i) => `w${i}`).join(" "),
      Array.from({ length: 10_000 }, (_, i) => `w${i}`).join("-"),
      "'".repeat(65_536),
    ];
    for (const text of hostile) {
      assert.ok(wordsOf(text).length <= TOKENS_MAX);
      assert.ok(searchTermsOf(text).length <= SEARCH_TERMS_MAX);
    }
  });

  it("take time that is proportional to the text", () => {
    const time = (text: string): number => {
      const { user } = process.cpuUsage();
      for (let i = 0; i < 5; i++) wordsOf(text);
      return process.cpuUsage().user - user;
    };
    const plain = "ремонт та обслуговування ".repeat(2600);
    time(plain);
    const usual = time(plain);
    for (const text of ["а".repeat(65_536), "а-".repeat(32_768), "aа".repeat(32_768), `${"a".repeat(65_535)}ж`])
      assert.ok(time(text) <= 20 * usual + 20_000, text.slice(0, 4));
  });
});
