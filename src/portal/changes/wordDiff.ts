/** A part of two texts: in both, or only in the old or in the new one. */
export type TextPart = { readonly text: string; readonly in: "both" | "before" | "after" };

/** Comparing takes this many steps at most; texts that differ in more places are shown one after the other. */
const STEPS_MAX = 1_000_000;

/** Words with the spaces after them, so that the words of a text put together are the text. */
const wordsOf = (text: string): readonly string[] => text.match(/\S+\s*|^\s+/g) ?? [];

/** What is different between two texts, word by word. The parts of "both" and "before" are the old text, the others the new one. */
export function wordDiff(before: string, after: string): readonly TextPart[] {
  const [old, present] = [wordsOf(before), wordsOf(after)];
  const shorter = Math.min(old.length, present.length);
  let start = 0;
  while (start < shorter && old[start] === present[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === present.at(-1 - end)) end++;
  return joined([
    ...old.slice(0, start).map((text): TextPart => ({ text, in: "both" })),
    ...middleDiff(old.slice(start, old.length - end), present.slice(start, present.length - end)),
    ...old.slice(old.length - end).map((text): TextPart => ({ text, in: "both" })),
  ]);
}

/** The words between the common beginning and the common end. */
function middleDiff(old: readonly string[], present: readonly string[]): readonly TextPart[] {
  if (old.length * present.length > STEPS_MAX)
    return [
      ...old.map((text): TextPart => ({ text, in: "before" })),
      ...present.map((text): TextPart => ({ text, in: "after" })),
    ];
  const lengths = commonLengths(old, present);
  const width = present.length + 1;
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  const parts: TextPart[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < present.length) {
    const [oldWord, newWord] = [old[i], present[j]];
    if (oldWord !== undefined && oldWord === newWord) {
      parts.push({ text: oldWord, in: "both" });
      i++;
      j++;
    } else if (oldWord !== undefined && (newWord === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      parts.push({ text: oldWord, in: "before" });
      i++;
    } else {
      parts.push({ text: newWord ?? "", in: "after" });
      j++;
    }
  }
  return parts;
}

/** The length of the longest common sequence of the words from each pair of places on. */
function commonLengths(old: readonly string[], present: readonly string[]): Uint16Array {
  const width = present.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = present.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === present[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  return lengths;
}

/** Neighbours of the same kind as one part. */
function joined(parts: readonly TextPart[]): readonly TextPart[] {
  const result: TextPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last?.in === part.in) result[result.length - 1] = { ...part, text: last.text + part.text };
    else result.push(part);
  }
  return result;
}
