import { LANGUAGES, type Language } from "../../base/languages.ts";

export { LANGUAGES, type Language };

/** The name of each language in that language, as the language switch shows it. */
export const LANGUAGE_NAMES: { readonly [language in Language]: string } = { uk: "Українська", en: "English" };

/** The locale by which numbers, dates and plurals are formatted. */
export const LOCALES: { readonly [language in Language]: string } = { uk: "uk-UA", en: "en-GB" };

/**
 * The path of a page in a language. The default language has no prefix: `/auctions` and `/en/auctions`. `path` has no prefix either.
 */
export const localizedPath = (path: string, language: Language, defaultLanguage: Language): string =>
  language === defaultLanguage ? path : `/${language}${path === "/" ? "" : path}`;

/** The language in the prefix of a path, and the path without it; `undefined` if it has none. */
export function languagePrefixOf(path: string): { readonly language: Language; readonly path: string } | undefined {
  const language = LANGUAGES.find((name) => path === `/${name}` || path.startsWith(`/${name}/`));
  return language && { language, path: path.slice(language.length + 1) || "/" };
}
