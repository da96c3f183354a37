import type { TranslatedText } from "../../domain/model/tender.ts";
import { isBareTestMark } from "../../domain/tender/testMarks.ts";
import { LANGUAGE_ROWS, type Language } from "./languages.ts";

/** Texts of users, which they may give in several languages. */

/** The translation of a text into the language of the page. Undefined if there is none, and for the language of the text itself. */
export function translationOf<Name extends string>(
  language: Language,
  texts: TranslatedText<Name>,
  name: Name,
): string | undefined {
  const { translation } = LANGUAGE_ROWS[language];
  return translation && texts[`${name}_${translation}`];
}

/**
 * A text in the language of the page, or else as it was written; undefined if there is none or only space. The mark of a test tender
 * is no translation.
 */
export function textIn<Name extends string>(
  language: Language,
  texts: TranslatedText<Name> | undefined,
  name: Name,
): string | undefined {
  if (!texts) return undefined;
  const translation = translationOf(language, texts, name)?.trim() || undefined;
  const original = texts[name]?.trim() || undefined;
  const isTranslated = translation !== undefined && !isBareTestMark(translation);
  const isUntitled = original === undefined || isBareTestMark(original);
  return isTranslated || isUntitled ? (translation ?? original) : original;
}
