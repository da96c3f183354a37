/** Texts of users for lists: one line, of a limited length, without characters that change what stands around them. */

const TITLE_LENGTH_MAX = 140;

/** Removes line breaks and characters that change the direction of text. Other invisible characters belong to some scripts. */
export const withoutControlCharacters = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "");

/** The beginning of a title. More than four combining marks on one letter would cover the lines above. */
export function shortTitle(title: string, lengthMax = TITLE_LENGTH_MAX): string {
  const start = withoutControlCharacters(title.slice(0, lengthMax * 20))
    .replace(/(\p{M}{4})\p{M}+/gu, "$1")
    .trim();
  const letters = [...start];
  if (letters.length <= lengthMax) return start;
  return `${letters.slice(0, lengthMax).join("").trimEnd()}…`;
}

/** Whether a text has anything that can be seen. */
export const isReadable = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
