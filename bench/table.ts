import { type ContestantResult, formatValue, type RowOutcome } from "./rounds.ts";
import type { Target } from "./rows.ts";

type TableLine = readonly string[];

const HEAD: TableLine = [
  "row",
  "contestant",
  "median (min..max)",
  "",
  "ratio (min..max)",
  "to",
  "target",
  "",
  "CPU us",
];

/** A row that could not be measured, and the reason. */
export type UnmeasuredRow = { readonly name: string; readonly why: string };

/** The table of results, with one line for each contestant, and the rows that were not measured. */
export function renderTable(outcomes: readonly RowOutcome[], skipped: readonly UnmeasuredRow[]): string {
  const lines = [HEAD, ...outcomes.flatMap(linesOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const shownLines = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  const reasons = new Map(skipped.map(({ why }) => [why, skipped.filter((row) => row.why === why)]));
  const unmeasured = [...reasons].map(
    ([why, rows]) => `\n${wrapText(`Not measured: ${rows.map(({ name }) => name).join("; ")}: ${why}`)}`,
  );
  return [shownLines[0], rule, ...shownLines.slice(1), ...unmeasured].join("\n");
}

function linesOf({ name, row, results }: RowOutcome): readonly TableLine[] {
  return results.map((result, i) => {
    const { contestant, samples } = result;
    const values = valuesOf(result);
    const cpu = samples.flatMap(({ cpuMicros }) => cpuMicros ?? []);
    return [
      i === 0 ? name : "",
      contestant.name,
      formatSpread(median(values), values, formatValue),
      row.unit,
      ratioText(result, results),
      contestant.against ?? "",
      contestant.target ? targetText(contestant.target) : "",
      contestant.target ? (isMet(result, results) ? "met" : "MISSED") : "",
      cpu.length > 0 ? formatValue(median(cpu)) : "",
    ];
  });
}

const valuesOf = ({ samples }: ContestantResult): readonly number[] => samples.map(({ value }) => value);

const formatSpread = (middle: number, values: readonly number[], show: (value: number) => string): string =>
  values.length > 1 ? `${show(middle)} (${show(Math.min(...values))}..${show(Math.max(...values))})` : show(middle);

const baselineOf = (against: string | undefined, results: readonly ContestantResult[]): ContestantResult | undefined =>
  results.find(({ contestant }) => contestant.name === against);

function ratioText(
  result: ContestantResult,
  results: readonly ContestantResult[],
  against = result.contestant.against,
): string {
  const baseline = baselineOf(against, results);
  if (!baseline) return "";
  const baselineValues = valuesOf(baseline);
  const inRounds = valuesOf(result).map((value, round) => value / baselineValues[round]!);
  return formatSpread(judgedValue(result, results, against), inRounds, (ratio) => ratio.toFixed(2));
}

/** The ratio of the medians, or the median itself without a baseline. */
function judgedValue(
  result: ContestantResult,
  results: readonly ContestantResult[],
  against = result.contestant.against,
): number {
  const baseline = baselineOf(against, results);
  return median(valuesOf(result)) / (baseline ? median(valuesOf(baseline)) : 1);
}

const targetText = (target: Target): string =>
  "atLeast" in target ? `>= ${Number(target.atLeast.toFixed(2))}` : `<= ${target.atMost}`;

function isMet(result: ContestantResult, results: readonly ContestantResult[]): boolean {
  const target = result.contestant.target!;
  const judged = judgedValue(result, results);
  return "atLeast" in target ? judged >= target.atLeast : judged <= target.atMost;
}

/** The median of numbers; NaN if there are none. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How many targets were met, and which were missed. */
export function renderVerdict(outcomes: readonly RowOutcome[]): string {
  const targeted = outcomes.flatMap(({ name, results }) =>
    results.filter(({ contestant }) => contestant.target).map((result) => ({ name, result, results })),
  );
  if (targeted.length === 0) return "These rows have no targets.";
  const missed = targeted.filter(({ result, results }) => !isMet(result, results));
  if (missed.length === 0) return `All ${targeted.length} targets are met.`;
  const lines = missed.map(({ name, result, results }) => {
    const { name: contestantName, against, target } = result.contestant;
    const baselineText = against ? ` of ${against}` : "";
    return `  ${name}: ${contestantName} has ${judgedValue(result, results).toFixed(2)}${baselineText}, target ${target ? targetText(target) : ""}`;
  });
  return `${missed.length} of ${targeted.length} targets MISSED.\n${lines.join("\n")}`;
}

/** Notes on each row: what it compares, and additional values. */
export function renderNotes(outcomes: readonly RowOutcome[]): string {
  const notes = outcomes.map(({ name, row, results, generatorBusy }) => {
    const extras = results.map(({ contestant, samples }) => {
      const values = samples.flatMap((sample) => sample.extra ?? []);
      return `${contestant.name} ${formatSpread(median(values), values, formatValue)}`;
    });
    const more = row.extraLabel ? ` Also ${row.extraLabel}: ${extras.join("; ")}.` : "";
    const ratios = results
      .filter(({ contestant }) => contestant.alsoAgainst)
      .map((result) => {
        const { name: contestantName, alsoAgainst } = result.contestant;
        return `${contestantName} ${ratioText(result, results, alsoAgainst)} of ${alsoAgainst}`;
      });
    const alsoRatios = ratios.length > 0 ? ` Also ${ratios.join("; ")}.` : "";
    const busy = row.isUnloaded ? "" : ` Load generator busy up to ${Math.round(generatorBusy * 100)} %.`;
    return wrapText(`${name}: ${row.compared}.${more}${alsoRatios}${busy}`);
  });
  return notes.join("\n");
}

const WIDTH = 116;

function wrapText(text: string): string {
  const lines = [""];
  for (const word of text.split(" "))
    if (lines.at(-1)!.length + word.length < WIDTH) lines[lines.length - 1] += ` ${word}`;
    else lines.push(`    ${word}`);
  return ` ${lines.join("\n")}`;
}
