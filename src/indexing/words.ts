import type { SearchTerm } from "./searchQuery.ts";
import { stemOf } from "./stems.ts";

/**
 * Words as the search index has them and as queries ask for them. Both databases index exactly these tokens, so both find the same.
 *
 * - Case is ignored. ґ is г, but і, ї, є and й are letters of their own. Latin letters lose their accents, stress marks are removed.
 * - Apostrophes and characters that nobody sees are ignored inside of words. Everything else that is no letter and no digit separates.
 * - Parts of a word with hyphens are words, and so is the whole without its hyphens: `UA-2026-11-15-000001` is also found as
 *   `UA-2026-11` and as `000001`.
 * - A word is cut after `TOKEN_LENGTH_MAX` characters, and a text has at most `TOKENS_MAX` tokens.
 *
 * A token is a normalised word, or a stem with `=` in front. The stem is only a token if it differs from the word.
 */

/** The longest token. Ids of tenders have 32 characters. */
export const TOKEN_LENGTH_MAX = 40;
/** The most tokens of one text. */
export const TOKENS_MAX = 4000;
/** The most terms of a query. */
export const SEARCH_TERMS_MAX = 16;
/** The shortest word that also finds longer words which begin with it. */
const PREFIX_LENGTH_MIN = 3;
/** So many words of a query, the last ones, also find longer words: databases read all words that begin with one of these. */
const PREFIXES_MAX = 3;

/** What the index has of a text: each normalised word and each stem that differs from its word, once, in the order of the text. */
export function wordsOf(text: string): readonly string[] {
  const tokens = new Set<string>();
  for (const [compound] of normalize(text).matchAll(COMPOUND)) {
    for (const word of partsOf(compound)) {
      tokens.add(word);
      const stem = stemOf(word);
      if (stem !== word) tokens.add(`=${stem}`);
    }
    if (tokens.size >= TOKENS_MAX) break;
  }
  return [...tokens].slice(0, TOKENS_MAX);
}

/**
 * The terms of a query, each once, in its order: at most `SEARCH_TERMS_MAX`, the rest is left out. A text without letters and digits
 * has none.
 */
export function searchTermsOf(query: string): readonly SearchTerm[] {
  const terms = new Map<string, SearchTerm>();
  for (const [compound] of normalize(query).matchAll(COMPOUND)) {
    for (const word of queriedWordsOf(compound))
      terms.set(word, { word, stem: stemOf(word), isPrefix: word.length >= PREFIX_LENGTH_MIN });
    if (terms.size >= SEARCH_TERMS_MAX) break;
  }
  const needed = withoutImplied([...terms.values()].slice(0, SEARCH_TERMS_MAX));
  const prefixes = new Set(needed.filter(({ isPrefix }) => isPrefix).slice(-PREFIXES_MAX));
  return needed.map((term) => ({ ...term, isPrefix: prefixes.has(term) }));
}

/** The terms without those that another one begins with: whatever has the longer word also matches the shorter one. */
const withoutImplied = (terms: readonly SearchTerm[]): readonly SearchTerm[] =>
  terms.filter(
    (term) =>
      !(term.isPrefix && terms.some(({ word }) => word.length > term.word.length && word.startsWith(term.word))),
  );

/**
 * The tokens of the index that match a term: any of `exact`, and those that begin with `prefix` if there is one. No stem begins with a
 * letter, so a prefix finds words only.
 */
export function tokensOfTerm({ word, stem, isPrefix }: SearchTerm): {
  readonly exact: readonly string[];
  readonly prefix?: string;
} {
  // A word that is its own stem has no token with "="; whatever has another word also has the token of its stem.
  return { exact: [stem, `=${stem}`], ...(isPrefix && { prefix: word }) };
}

const COMPOUND = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu;

/** The words of what hyphens connect: the parts, and the whole without hyphens. */
function partsOf(compound: string): readonly string[] {
  if (!compound.includes("-")) return [limitedWord(compound)];
  // Hyphens connect at most so many parts; the whole is cut anyway.
  const parts = compound.split("-", TOKENS_MAX);
  return [...parts, parts.slice(0, TOKEN_LENGTH_MAX).join("")].map(limitedWord);
}

/** A code of the CPV with its check digit, which texts often leave out. */
const CPV_CODE = /^(\d{8})-\d$/;

/** The words that a query asks for: of a code the whole, of other words with hyphens all parts. */
function queriedWordsOf(compound: string): readonly string[] {
  const [, code] = CPV_CODE.exec(compound) ?? [];
  if (code !== undefined) return [code];
  if (!compound.includes("-")) return [limitedWord(compound)];
  return /\p{N}/u.test(compound) ? partsOf(compound).slice(-1) : compound.split("-", SEARCH_TERMS_MAX).map(limitedWord);
}

/** The word without half a character at its end, if it was cut there. */
function limitedWord(word: string): string {
  const even = withOneAlphabet(word);
  return even.length <= TOKEN_LENGTH_MAX ? even : even.slice(0, TOKEN_LENGTH_MAX).replace(/[\ud800-\udbff]$/, "");
}

/** Letters that look the same in both alphabets, which people mix up in Ukrainian words. */
const LATIN_LOOKALIKES = "aceiopxybhkmt";
const CYRILLIC_LOOKALIKES = "асеіорхувнкмт";
const MIXED_WORD = new RegExp(`^(?=.*[${LATIN_LOOKALIKES}])(?=.*[а-яєії])[а-яєії${LATIN_LOOKALIKES}]+$`);

/** A Ukrainian word in which some letters are typed as the Latin ones that look like them, with the right letters. */
function withOneAlphabet(word: string): string {
  if (!MIXED_WORD.test(word)) return word;
  return word.replace(/[a-z]/g, (letter) => CYRILLIC_LOOKALIKES[LATIN_LOOKALIKES.indexOf(letter)] ?? letter);
}

/** Apostrophes, soft hyphens, marks of direction and other characters that are not seen, and marks that have no letter of their own. */
const IGNORED = /['’‘ʼʻʹ′`´＇\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\p{M}/gu;
const HYPHENS = /[\u2010\u2011\ufe63\uff0d]/g;
const ACCENTED_LATIN = /[\u00df-\u024f\u1e00-\u1eff]/g;

/** Latin letters that have no decomposition, and letters that count as others. */
const FOLDED: { readonly [letter: string]: string } = {
  ґ: "г",
  ё: "е",
  "²": "2",
  "³": "3",
  ß: "ss",
  ł: "l",
  đ: "d",
  ø: "o",
  æ: "ae",
  œ: "oe",
  ı: "i",
};
const FOLDED_LETTERS = new RegExp(`[${Object.keys(FOLDED).join("")}]`, "g");

/** Letters, digits and marks that only differ by case. Nearly all texts consist of them. */
const PLAIN_TEXT = /^[\n\x20-\x26\x28-\x5f\x61-\x7eА-ЩЬЮЯЄІЇа-щьюяєії«»№–—]*$/;

/** The text in the form in which words are compared. Composed letters are kept, since й and ї are not и and і with a mark. */
function normalize(text: string): string {
  if (PLAIN_TEXT.test(text)) return text.toLowerCase();
  return text
    .toWellFormed()
    .normalize("NFC")
    .toLowerCase()
    .replace(FOLDED_LETTERS, (letter) => FOLDED[letter] ?? letter)
    .replace(ACCENTED_LATIN, (letter) => letter.normalize("NFD"))
    .replace(IGNORED, "")
    .replace(HYPHENS, "-");
}
