const COMBINING_MARKS = /(\p{M}{4})\p{M}+/gu;

/** The beginning of a text for a list or a title: at most `lengthMax` characters, with few enough marks on a letter for its line. */
export function shortText(text: string, lengthMax = 160): string {
  // Cut before anything else, so that a text of megabytes costs nothing.
  const start = text.slice(0, lengthMax * 8);
  const characters = [...start.replace(COMBINING_MARKS, "$1").trim()];
  if (characters.length <= lengthMax && start.length === text.length) return characters.join("");
  return `${characters.slice(0, lengthMax).join("").trimEnd()}…`;
}
