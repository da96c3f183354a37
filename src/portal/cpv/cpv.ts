import { cpvCategory } from "../../indexing/cpvCategory.ts";
import { cpvEnglishName } from "../../indexing/cpvTree.ts";
import type { Language } from "../layout/languages.ts";
import { DIVISION_NAMES_UK } from "./divisionNamesUk.ts";

/** A name with its language: English if nobody has given a category below the divisions a name in another. */
export type CpvName = { readonly text: string; readonly language: Language };

/** Ukrainian names of categories below the divisions, as tenders give them. */
export type GivenCategoryNames = ReadonlyMap<string, string>;
export const NO_GIVEN_NAMES: GivenCategoryNames = new Map();

/** The name of a category or code in a language, or else in English; undefined if the CPV does not have it. */
export function cpvName(
  code: string,
  language: Language,
  given: GivenCategoryNames = NO_GIVEN_NAMES,
): CpvName | undefined {
  const category = cpvCategory(code);
  if (category === undefined) return undefined;
  const ukrainian = language === "uk" ? (DIVISION_NAMES_UK[category] ?? given.get(category)) : undefined;
  if (ukrainian !== undefined) return { text: ukrainian, language: "uk" };
  const english = cpvEnglishName(category);
  return english === undefined ? undefined : { text: english, language: "en" };
}
