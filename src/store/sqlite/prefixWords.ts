import type { DatabaseSync } from "node:sqlite";
import { prepareQuery } from "./query.ts";

/** An expression of more words is too slow. */
const WORDS_MAX = 1000;
/** Fewer words are always found faster than their prefix; if there are more, so many are looked at to find out. */
const SAMPLED_WORDS = 50;
/** To find a word takes FTS5 about as long as to read so many rows of a prefix. */
const ROWS_PER_WORD = 500;

/** Sorts before every other character of a token. */
const FIRST_CHARACTER = "\u0001";

/**
 * Returns a function that lists the words of the index that begin with a prefix; `undefined` if it is faster to search for the prefix.
 * FTS5 reads all rows of a prefix before it returns the first, but of words only as many as it needs.
 */
export function openPrefixWords(db: DatabaseSync): (prefix: string) => readonly string[] | undefined {
  const next = prepareQuery<{ term: string }>(db, "select term from words_vocabulary where term >= ? limit 1");
  const rows = prepareQuery<{ number: number | null }>(
    db,
    "select sum(doc) as number from words_frequencies where term >= ? and term < ?",
  );
  return (prefix) => {
    const words: string[] = [];
    let from = prefix;
    while (words.length <= WORDS_MAX) {
      const term = next.get(from)?.term;
      if (term === undefined || !term.startsWith(prefix)) return words;
      words.push(term);
      from = term + FIRST_CHARACTER;
      if (words.length === SAMPLED_WORDS && (rows.get(prefix, from)?.number ?? 0) < SAMPLED_WORDS * ROWS_PER_WORD)
        return undefined;
    }
    return undefined;
  };
}
