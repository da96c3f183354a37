// Writes transitions as text: a Mermaid diagram and a table.
import type { Transition } from "./stateDiagram.ts";

/** Mermaid allows neither dots nor hyphens in names, and neither colons nor semicolons in labels. */
export function renderMermaid(statuses: readonly string[], moves: readonly Transition[]): string {
  const idOf = (status: string) => status.replace(/\W/g, "_");
  const ends = statuses.filter((status) => !moves.some(({ from }) => from === status));
  return [
    "stateDiagram-v2",
    ...statuses.map((status) => `  state "${status}" as ${idOf(status)}`),
    `  [*] --> ${idOf(statuses[0]!)}`,
    ...moves.map(({ from, to, why }) => `  ${idOf(from)} --> ${idOf(to)} : ${why.replace(/\s*[:;]\s*/g, " – ")}`),
    ...ends.map((status) => `  ${idOf(status)} --> [*]`),
  ].join("\n");
}

const cellsOf = (lines: readonly string[], none: string): string => lines.join("<br>") || none;

/** The table of the statuses with what ends each, and the next status. `heading` says what a row is about. */
export function renderMovesTable(
  statuses: readonly string[],
  moves: readonly Transition[],
  heading = "status",
): string {
  const rows = statuses.map((status) => {
    const ways = Map.groupBy(
      moves.filter(({ from }) => from === status),
      ({ why }) => why,
    );
    const ends = [...ways].map(([why, same]) => `${why} → ${same.map(({ to }) => `\`${to}\``).join(" or ")}`);
    return `| \`${status}\` | ${cellsOf(ends, "never")} |`;
  });
  return [`| ${heading} | when it ends, and the next ${heading} |`, "|---|---|", ...rows].join("\n");
}
