import type { Classification, Item } from "../domain/model/tender.ts";
import { cpvCategory } from "./cpvCategory.ts";
import { cpvEnglishName } from "./cpvTree.ts";

/** The Ukrainian name of a CPV category below the divisions, as a tender gives it: ДК 021 has the codes of the CPV. */
export type CategoryName = { readonly category: string; readonly name: string };

const SCHEME = /^(?:CPV|ДК ?021)/i;
const DIVISION_DIGITS = 2;
/** The longest name of the CPV has about 160 characters. */
const NAME_LENGTH_MAX = 200;
/** More than a scheme and a code have. */
const CODE_LENGTH_MAX = 60;

/** The names that items give to the categories of their codes, the first one of each category. */
export function categoryNamesOf(items: readonly Item[]): readonly CategoryName[] {
  const names = new Map<string, CategoryName>();
  for (const { classification } of items) {
    const named = classification && categoryNameOf(classification);
    if (named && !names.has(named.category)) names.set(named.category, named);
  }
  return [...names.values()];
}

/** Classifications are few and occur in many tenders, so what they name is cached by code and text. */
const CACHED_NAMES_MAX = 2000;
const cachedNames = new Map<string, CategoryName | undefined>();

function categoryNameOf({ scheme = "", id = "", description = "" }: Classification): CategoryName | undefined {
  if (scheme.length + id.length > CODE_LENGTH_MAX || description.length > NAME_LENGTH_MAX) return undefined;
  const key = `${scheme} ${id} ${description}`;
  if (cachedNames.has(key)) return cachedNames.get(key);
  if (cachedNames.size >= CACHED_NAMES_MAX) cachedNames.clear();
  const named = readCategoryName(scheme, id, description.trim());
  cachedNames.set(key, named);
  return named;
}

function readCategoryName(scheme: string, id: string, name: string): CategoryName | undefined {
  const category = SCHEME.test(scheme) ? cpvCategory(id) : undefined;
  if (category === undefined || category.length === DIVISION_DIGITS || !isUkrainianName(name)) return undefined;
  return cpvEnglishName(category) === undefined ? undefined : { category, name };
}

/** Whether a text can be shown as a name: Ukrainian letters, and nothing that a page would not show as it is. */
const isUkrainianName = (text: string): boolean => /[а-яєіїґ]{3}/i.test(text) && !/[\p{C}ыэъё]/iu.test(text);
