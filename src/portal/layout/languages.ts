import { DOCUMENTATION_LANGUAGE, LANGUAGE_ROWS, LANGUAGES, type Language } from "../../base/languages.ts";

export { DOCUMENTATION_LANGUAGE, LANGUAGE_ROWS, LANGUAGES, type Language };

/** The locale by which numbers, dates and plurals are formatted. */
export const localeOf = (language: Language): string => LANGUAGE_ROWS[language].locale;

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
