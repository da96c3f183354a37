import type { Outcome, Result } from "./rounds.ts";

type Line = readonly string[];

const HEAD: Line = ["row", "product req/s", "held against", "its req/s", "ratio", "target", "", "CPU us/req"];

/** One line for each thing that the product is held against. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const lines = [HEAD, ...outcomes.flatMap(linesOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const shown = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return [shown[0], rule, ...shown.slice(1)].join("\n");
}

function linesOf({ row, results }: Outcome): readonly Line[] {
  const [product, ...others] = results;
  return others.map((other, i) => {
    const ratio = median(product!.perSecond) / median(other.perSecond);
    const inRounds = product!.perSecond.map((perSecond, round) => perSecond / other.perSecond[round]!);
    const target = row.targets[i];
    return [
      i === 0 ? row.name : "",
      i === 0 ? rateOf(product!) : "",
      other.name,
      rateOf(other),
      `${ratio.toFixed(2)} (${Math.min(...inRounds).toFixed(2)}..${Math.max(...inRounds).toFixed(2)})`,
      target === undefined ? "" : `>= ${target}`,
      target === undefined ? "" : ratio >= target ? "met" : "MISSED",
      `${Math.round(median(product!.cpuMicros))} : ${Math.round(median(other.cpuMicros))}`,
    ];
  });
}

const rateOf = ({ perSecond }: Result): string =>
  `${Math.round(median(perSecond))} (${Math.round(Math.min(...perSecond))}..${Math.round(Math.max(...perSecond))})`;

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How many targets there are, and how many of them are missed. */
export function verdictOf(outcomes: readonly Outcome[]): string {
  const ratios = outcomes.flatMap(({ row, results: [product, ...others] }) =>
    others.map((other, i) => ({ target: row.targets[i], ratio: median(product!.perSecond) / median(other.perSecond) })),
  );
  const aimed = ratios.filter(({ target }) => target !== undefined);
  const missed = aimed.filter(({ target, ratio }) => ratio < target!);
  if (aimed.length === 0) return "None of these rows has a target.";
  return missed.length === 0
    ? `All ${aimed.length} targets are met.`
    : `${missed.length} of ${aimed.length} targets MISSED.`;
}
