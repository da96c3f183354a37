import { cpvCategory } from "../../indexing/cpvCategory.ts";
import { cpvEnglishName } from "../../indexing/cpvTree.ts";
import type { Language } from "../layout/languages.ts";
import { DIVISION_NAMES_UK } from "./divisionNamesUk.ts";

/** A name with its language: categories below the divisions have English names only. */
export type CpvName = { readonly text: string; readonly language: Language };

/** The name of a category or code in a language, or else in English; undefined if the CPV does not have it. */
export function cpvName(code: string, language: Language): CpvName | undefined {
  const category = cpvCategory(code);
  if (category === undefined) return undefined;
  const ukrainian = language === "uk" ? DIVISION_NAMES_UK[category] : undefined;
  if (ukrainian !== undefined) return { text: ukrainian, language: "uk" };
  const english = cpvEnglishName(category);
  return english === undefined ? undefined : { text: english, language: "en" };
}
