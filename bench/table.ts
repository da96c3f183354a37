import { type Outcome, type Result, shown } from "./rounds.ts";
import type { Target } from "./rows.ts";

type Line = readonly string[];

const HEAD: Line = ["row", "contestant", "median (least..most)", "", "ratio (in rounds)", "to", "target", "", "CPU us"];

/** What could not be measured is told in the place of its numbers. */
export type Left = { readonly name: string; readonly why: string };

/** One line for each contestant. */
export function tableOf(outcomes: readonly Outcome[], left: readonly Left[]): string {
  const lines = [HEAD, ...outcomes.flatMap(linesOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const shownLines = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  const reasons = new Map(left.map(({ why }) => [why, left.filter((one) => one.why === why)]));
  const unmeasured = [...reasons].map(
    ([why, rows]) => `\n${wrapped(`Not measured: ${rows.map(({ name }) => name).join("; ")}: ${why}`)}`,
  );
  return [shownLines[0], rule, ...shownLines.slice(1), ...unmeasured].join("\n");
}

function linesOf({ name, row, results }: Outcome): readonly Line[] {
  return results.map((result, i) => {
    const { contestant, samples } = result;
    const values = valuesOf(result);
    const cpu = samples.flatMap(({ cpuMicros }) => cpuMicros ?? []);
    return [
      i === 0 ? name : "",
      contestant.name,
      spread(median(values), values, shown),
      row.unit,
      ratioText(result, results),
      contestant.against ?? "",
      contestant.target ? targetText(contestant.target) : "",
      contestant.target ? (isMet(result, results) ? "met" : "MISSED") : "",
      cpu.length > 0 ? shown(median(cpu)) : "",
    ];
  });
}

const valuesOf = ({ samples }: Result): readonly number[] => samples.map(({ value }) => value);

const spread = (middle: number, values: readonly number[], show: (value: number) => string): string =>
  values.length > 1 ? `${show(middle)} (${show(Math.min(...values))}..${show(Math.max(...values))})` : show(middle);

const otherOf = ({ contestant }: Result, results: readonly Result[]): Result | undefined =>
  results.find((one) => one.contestant.name === contestant.against);

function ratioText(result: Result, results: readonly Result[]): string {
  const other = otherOf(result, results);
  if (!other) return "";
  const others = valuesOf(other);
  const inRounds = valuesOf(result).map((value, round) => value / others[round]!);
  return spread(judgedOf(result, results), inRounds, (ratio) => ratio.toFixed(2));
}

/** The ratio of the medians; the median itself where nothing stands against it. */
function judgedOf(result: Result, results: readonly Result[]): number {
  const other = otherOf(result, results);
  return median(valuesOf(result)) / (other ? median(valuesOf(other)) : 1);
}

const targetText = (target: Target): string => ("atLeast" in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`);

function isMet(result: Result, results: readonly Result[]): boolean {
  const target = result.contestant.target!;
  const judged = judgedOf(result, results);
  return "atLeast" in target ? judged >= target.atLeast : judged <= target.atMost;
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How many targets there are, and which of them are missed. */
export function verdictOf(outcomes: readonly Outcome[]): string {
  const aimed = outcomes.flatMap(({ name, results }) =>
    results.filter(({ contestant }) => contestant.target).map((result) => ({ name, result, results })),
  );
  if (aimed.length === 0) return "None of these rows has a target.";
  const missed = aimed.filter(({ result, results }) => !isMet(result, results));
  if (missed.length === 0) return `All ${aimed.length} targets are met.`;
  const told = missed.map(({ name, result, results }) => {
    const { name: who, against, target } = result.contestant;
    const than = against ? ` of ${against}` : "";
    return `  ${name}: ${who} has ${judgedOf(result, results).toFixed(2)}${than}, wanted ${targetText(target!)}`;
  });
  return `${missed.length} of ${aimed.length} targets MISSED.\n${told.join("\n")}`;
}

/** What each row compares, and what else it found. */
export function notesOf(outcomes: readonly Outcome[]): string {
  const notes = outcomes.map(({ name, row, results, generatorBusy }) => {
    const also = results.map(({ contestant, samples }) => {
      const values = samples.flatMap((sample) => sample.also ?? []);
      return `${contestant.name} ${spread(median(values), values, shown)}`;
    });
    const more = row.also ? ` Also ${row.also}: ${also.join("; ")}.` : "";
    const busy = row.isUnloaded ? "" : ` Load generator busy up to ${Math.round(generatorBusy * 100)} %.`;
    return wrapped(`${name}: ${row.compared}.${more}${busy}`);
  });
  return notes.join("\n");
}

const WIDTH = 116;

function wrapped(text: string): string {
  const lines = [""];
  for (const word of text.split(" "))
    if (lines.at(-1)!.length + word.length < WIDTH) lines[lines.length - 1] += ` ${word}`;
    else lines.push(`    ${word}`);
  return ` ${lines.join("\n")}`;
}
