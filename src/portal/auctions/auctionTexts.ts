import type { Language } from "../layout/languages.ts";

/** A text of a user in the language of the page, if it is given in that language. */
export const textIn = <Name extends string>(
  language: Language,
  texts: { readonly [key in Name | `${Name}_en`]?: string },
  name: Name,
): string => (language === "en" ? texts[`${name}_en`] : undefined) ?? texts[name] ?? "";
