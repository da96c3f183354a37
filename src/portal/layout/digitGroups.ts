/** What amounts in words need in every language. Runs in browsers too. */

/** The digits of a number in groups of three, the last group first. */
export const digitGroups = (digits: string): readonly number[] => {
  const groups: number[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.push(Number(digits.slice(Math.max(0, end - 3), end)));
  return groups;
};

/** Words with one space between them; empty ones are left out. */
export const joinWords = (words: readonly string[]): string => words.join(" ").replace(/ {2,}/g, " ").trim();
