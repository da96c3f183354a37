import type { Language } from "../languages.ts";
import { ENGLISH } from "./en.ts";
import { type Messages, UKRAINIAN } from "./uk.ts";

/** The message catalogue: every text of the portal in every language. The Ukrainian catalogue defines the keys. */
const CATALOGUES: { readonly [language in Language]: Messages } = { uk: UKRAINIAN, en: ENGLISH };

/** The texts in a language. */
export const messagesIn = (language: Language): Messages => CATALOGUES[language];
