import type { SearchFilter } from "./searchQuery.ts";
import { cacheByText } from "./textCache.ts";

/**
 * Tokens of what is not a word, such as the status: filters are answered by the index of words too. A token is a mark, a colon and the
 * value. No word has a colon, so none can be mistaken for such a token.
 */
const MARKS = {
  status: "s",
  procedure: "p",
  classification: "c",
  region: "r",
  buyer: "b",
  supplier: "v",
  mode: "m",
  amount: "a",
  deadline: "d",
} as const;
type FilteredProperty = keyof typeof MARKS;

/** Characters that the tokenizer of SQLite would change or separate at: it ignores the case of ASCII letters. */
const ENCODED = /[^a-z0-9.\u0080-\uffff-]/g;

/** No indexed value is longer: see `indexKey`. What a filter asks for may be. */
const VALUE_LENGTH_MAX = 250;

/** Values that need no encoding, which most are. */
const PLAIN = /^[a-z0-9.-]{0,250}$/;

/** The value in characters that every database indexes as they are: an underscore before a letter makes it a capital. */
function encodeValue(value: string): string {
  if (PLAIN.test(value)) return value;
  return value
    .slice(0, VALUE_LENGTH_MAX)
    .toWellFormed()
    .replace(ENCODED, (character) =>
      /[A-Z]/.test(character)
        ? `_${character.toLowerCase()}`
        : `_${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
    );
}

/** The token of a property. */
export const propertyToken = (property: FilteredProperty, value: string): string =>
  `${MARKS[property]}:${encodeValue(value)}`;

/** The token of tests. Real tenders have none, as nearly all tenders are real. */
export const TEST_TOKEN = propertyToken("mode", "test");

/** In front of the tokens of titles, which are in the index a second time so that they count more. */
export const TITLE_MARK = "~";

const CLASSIFICATION_DIGITS = { min: 2, max: 8 } as const;

/** The tokens of a classification code: one for each prefix that filters may name. */
export const classificationTokens = cacheByText((code): readonly string[] => {
  const digits = /^\d{2,8}/.exec(code)?.[0] ?? "";
  const tokens: string[] = [];
  for (let length = CLASSIFICATION_DIGITS.min; length <= digits.length; length++)
    tokens.push(propertyToken("classification", digits.slice(0, length)));
  return tokens;
});

/** The alternatives of each filter of properties: a tender has a token of every list. Filters without values are left out. */
export const filterTokens = (filter: Omit<SearchFilter, "terms">): readonly (readonly string[])[] =>
  (
    [
      ["status", filter.statuses],
      ["procedure", filter.procedures],
      ["classification", filter.classifications],
      ["region", filter.regions],
      ["buyer", filter.buyers],
      ["supplier", filter.suppliers],
    ] as const
  ).flatMap(([property, values = []]) =>
    values.length === 0 ? [] : [[...new Set(values)].map((value) => propertyToken(property, value))],
  );
