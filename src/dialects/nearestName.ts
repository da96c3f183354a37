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
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = rows[i - 1]![j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
          ? rows[i - 2]![j - 2]! + 1
          : Number.POSITIVE_INFINITY;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, changed, swapped));
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}
