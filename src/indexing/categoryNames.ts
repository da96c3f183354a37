import type { Item } from "../domain/model/tender.ts";
import { cpvCategory } from "./cpvCategory.ts";
import { cpvEnglishName } from "./cpvTree.ts";

/** The Ukrainian name of a CPV category below the divisions, as a tender gives it: ДК 021 has the codes of the CPV. */
export type CategoryName = { readonly category: string; readonly name: string };

const SCHEME = /^(?:CPV|ДК ?021)/i;
const DIVISION_DIGITS = 2;
/** The longest name of the CPV has about 160 characters. */
const NAME_LENGTH_MAX = 200;

/** The names that items give to the categories of their codes, the first one of each category. */
export function categoryNamesOf(items: readonly Item[]): readonly CategoryName[] {
  const names = new Map<string, string>();
  for (const { classification } of items) {
    const { scheme = "", id = "", description = "" } = classification ?? {};
    if (!SCHEME.test(scheme)) continue;
    const category = cpvCategory(id);
    if (category === undefined || category.length === DIVISION_DIGITS || names.has(category)) continue;
    const name = description.trim();
    if (isUkrainianName(name) && cpvEnglishName(category) !== undefined) names.set(category, name);
  }
  return [...names].map(([category, name]) => ({ category, name }));
}

/** Whether a text can be shown as a name: Ukrainian letters, and nothing that a page would not show as it is. */
const isUkrainianName = (text: string): boolean =>
  text.length <= NAME_LENGTH_MAX && /[а-яєіїґ]{3}/i.test(text) && !/[\p{C}ыэъё]/iu.test(text);
