import { cacheByText } from "./textCache.ts";

/** A code of a tender or an address: 2 to 8 digits, and after 8 digits maybe a check digit. */
const CODE = /^(\d{2,8})(?:(?<=\d{8})-\d)?$/;

/**
 * The category of a CPV code: its digits without the zeros at the end, at least two. `33600000-6`, `33600000` and `336` are all `336`,
 * which is a prefix of everything that belongs to it. Undefined if the text cannot be a code.
 */
export function cpvCategory(code: string): string | undefined {
  const [, digits] = CODE.exec(code.trim()) ?? [];
  return digits?.replace(/^(\d\d\d*?)0*$/, "$1");
}

/** More than there are divisions of two digits. */
const COUNTED_CATEGORIES_MAX = 100;
const CATEGORY_DIGITS_MAX = 8;

/**
 * The categories of codes that facets count, each once, in order. Codes of other schemes count by the digits that they begin with. Of
 * very many codes, categories with fewer digits are counted, so that rows of the index stay short.
 */
export function countedCategories(codes: Iterable<string>): readonly string[] {
  let categories = new Set<string>();
  for (const code of codes) categories.add(categoryOfDigits(code));
  categories.delete(NO_CATEGORY);
  for (let length = CATEGORY_DIGITS_MAX - 1; categories.size > COUNTED_CATEGORIES_MAX; length--)
    categories = new Set([...categories].flatMap((category) => cpvCategory(category.slice(0, length)) ?? []));
  return [...categories].sort();
}

const NO_CATEGORY = "";

/** The category of the digits that a code begins with. */
const categoryOfDigits = cacheByText((code) => cpvCategory(/^\d{2,8}/.exec(code)?.[0] ?? "") ?? NO_CATEGORY);
