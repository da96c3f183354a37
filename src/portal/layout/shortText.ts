import { withoutDirectionControls } from "../markup.ts";

/** The beginnings of texts of users. */

/** More than four combining marks on one letter would cover the lines above. */
const EXCESSIVE_MARKS = /(\p{M}{4})\p{M}+/gu;
const HAS_EXCESSIVE_MARKS = /\p{M}{5}/u;

/** The beginning of a text for a list or a title: at most `lengthMax` characters, with few enough marks on a letter for its line. */
export function shortText(text: string, lengthMax = 160): string {
  // Most texts are short, and pages have thousands of them.
  if (text.length <= lengthMax && !HAS_EXCESSIVE_MARKS.test(text)) return text.trim();
  // Cut before anything else, so that a text of megabytes costs nothing.
  const start = text.slice(0, lengthMax * 8);
  const characters = [...start.replace(EXCESSIVE_MARKS, "$1").trim()];
  if (characters.length <= lengthMax && start.length === text.length) return characters.join("");
  return `${characters.slice(0, lengthMax).join("").toWellFormed().trimEnd()}…`;
}

/** Removes line breaks and characters that change the direction of text. Other invisible characters belong to some scripts. */
export const withoutControlCharacters = (text: string): string =>
  withoutDirectionControls(text.toWellFormed())
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/[\u061c\u200e\u200f\ufeff]/g, "");

/**
 * The beginning of a text in one line, for places without markup, such as titles of tabs, feeds and calendars: without characters that
 * would change what stands around it.
 */
export const shortLine = (text: string, lengthMax?: number): string =>
  shortText(withoutControlCharacters(text.slice(0, CLEANED_LENGTH_MAX)).replace(/\s+/g, " "), lengthMax);

/** How much of a text is cleaned: what is shown is much shorter. */
const CLEANED_LENGTH_MAX = 3000;

/** Whether a text has anything that can be seen. */
export const isReadable = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
