/** The languages of the pages for people. */
export const LANGUAGES = ["uk", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Everything in which languages differ, apart from the texts of the catalogue. */
export type LanguageRow = {
  /** Its name in that language, as the language switch shows it. */
  readonly name: string;
  /** The locale by which numbers, dates and plurals are formatted. */
  readonly locale: string;
  /** How a month is written where there is little space: `11.2026`, `Nov 2026`. */
  readonly shortMonth: "2-digit" | "short";
  /** Whether the currency stands before or behind an amount, and abbreviations of currencies; the others have their code. */
  readonly currency: {
    readonly position: "before" | "behind";
    readonly abbreviations: { readonly [code: string]: string };
  };
  /** The suffix of the fields in which buyers translate their texts, such as `title_en`; undefined for the fields without one. */
  readonly translation?: "en" | "ru";
};

/**
 * A third language is a name above, a row here, a folder of messages, and an entry in the two lists of catalogues that the compiler then
 * asks for. See docs/decisions/0023-pages-for-people.md.
 */
export const LANGUAGE_ROWS: { readonly [language in Language]: LanguageRow } = {
  uk: {
    name: "Українська",
    locale: "uk-UA",
    shortMonth: "2-digit",
    currency: { position: "behind", abbreviations: { UAH: "грн" } },
  },
  en: {
    name: "English",
    locale: "en-GB",
    shortMonth: "short",
    currency: { position: "before", abbreviations: {} },
    translation: "en",
  },
};

/** The only language of the documentation for programmers. */
export const DOCUMENTATION_LANGUAGE: Language = "en";
