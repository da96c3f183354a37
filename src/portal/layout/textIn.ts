import type { Language } from "./languages.ts";

/** A text of a user in the language of the page, if it is given in that language; undefined if there is none or only space. */
export function textIn<Name extends string>(
  language: Language,
  texts: { readonly [key in Name | `${Name}_en`]?: string | undefined } | undefined,
  name: Name,
): string | undefined {
  const inEnglish = language === "en" ? texts?.[`${name}_en`] : undefined;
  return inEnglish?.trim() || texts?.[name]?.trim() || undefined;
}
