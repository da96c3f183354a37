const NEAR = 2;
/** Nobody mistypes a longer one, and comparing costs the product of both lengths. */
const NAME_LENGTH_MAX = 64;

/** The name that differs least from what was typed, if it is near at all. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > NAME_LENGTH_MAX) return undefined;
  const [best] = names
    .map((name) => ({ name, far: distance(typed, name) }))
    .toSorted((a, b) => a.far - b.far || a.name.length - b.name.length);
  return best && best.far <= NEAR && best.far < typed.length ? best.name : undefined;
}

/** How many letters must be put in, left out, changed or swapped with the next. */
function distance(from: string, to: string): number {
  const rows: number[][] = [];
  /** The distance of the first `i` letters of one from the first `j` of the other; infinite before the first letter. */
  const known = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= from.length; i++) {
    const row: number[] = [];
    rows.push(row);
    for (let j = 0; j <= to.length; j++) {
      const changed = known(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwapped ? known(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(i + j === 0 ? 0 : Math.min(known(i - 1, j) + 1, known(i, j - 1) + 1, changed, swapped));
    }
  }
  return known(from.length, to.length);
}
