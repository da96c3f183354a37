import { cpvCategory } from "../../indexing/cpvCategory.ts";
import { cpvEnglishName } from "../../indexing/cpvTree.ts";
import type { Language } from "../layout/languages.ts";
import { DIVISION_NAMES_UK } from "./divisionNamesUk.ts";

/** A name with its language: English if nobody has given a category below the divisions a name in another. */
export type CpvName = { readonly text: string; readonly language: Language };

/** Ukrainian names of categories below the divisions, as tenders give them. */
export type GivenCategoryNames = ReadonlyMap<string, string>;
export const NO_GIVEN_NAMES: GivenCategoryNames = new Map();
/** The language in which tenders give these names. */
export const GIVEN_NAMES_LANGUAGE: Language = "uk";

/** The language of the names that the CPV itself has here. */
const NAMES_LANGUAGE: Language = "en";

/** The names of the divisions in other languages, as far as there are any. */
const DIVISION_NAMES: { readonly [language in Language]?: { readonly [category: string]: string } } = {
  uk: DIVISION_NAMES_UK,
};

/** The name of a category or code in a language, or else in English; undefined if the CPV does not have it. */
export function cpvName(
  code: string,
  language: Language,
  given: GivenCategoryNames = NO_GIVEN_NAMES,
): CpvName | undefined {
  const category = cpvCategory(code);
  if (category === undefined) return undefined;
  const own =
    DIVISION_NAMES[language]?.[category] ?? (language === GIVEN_NAMES_LANGUAGE ? given.get(category) : undefined);
  if (own !== undefined) return { text: own, language };
  const name = cpvEnglishName(category);
  return name === undefined ? undefined : { text: name, language: NAMES_LANGUAGE };
}
