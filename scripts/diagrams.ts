// Writes docs/procedures from the tables of the procedures, or with --check says whether what is committed is current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { neededToBid, neededToPublish } from "../src/domain/needed.ts";
import { PROCEDURES } from "../src/domain/procedures/index.ts";
import { type Move, movesOf, type Procedure } from "../src/domain/procedures/procedure.ts";
import type { Problem } from "../src/domain/refusals.ts";
import type { ProcedureName } from "../src/domain/tender.ts";
import { fieldNames } from "../src/http/openapiWords.ts";
import { ACTORS, actorsOf, OPERATIONS, SPOKEN } from "./actors.ts";
import { type Common, type Drawing, drawingOf, svgOf } from "./stateDiagram.ts";

export const FOLDER = "docs/procedures";

/** Who does what when. A new procedure does not compile without its sentence. */
const ABOUT: { readonly [name in ProcedureName]: string } = {
  basic:
    "The owner publishes a tender, anybody asks and the owner answers, suppliers place open bids until the tender period ends, and the owner then records the awards and closes the tender.",
  belowThreshold:
    "The owner publishes a tender with every required field, suppliers ask during the enquiries and then place sealed bids, two or more bids meet in an auction, and the owner decides on the best one first and signs the contract once nobody contests it.",
};

/** Mermaid takes no dots in names, and neither colons nor semicolons in labels. */
function mermaidOf(statuses: readonly string[], moves: readonly Move[]): string {
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

function movesTable({ stages }: Procedure, moves: readonly Move[]): string {
  const rows = Object.keys(stages).map((status) => {
    const ways = Map.groupBy(
      moves.filter(({ from }) => from === status),
      ({ why }) => why,
    );
    const ends = [...ways].map(([why, same]) => `${why} → ${same.map(({ to }) => `\`${to}\``).join(" or ")}`);
    return `| \`${status}\` | ${cellsOf(ends, "never")} |`;
  });
  return ["| status | ends when, and becomes |", "|---|---|", ...rows].join("\n");
}

/** Who may do what: each act leads to the operation that does it. */
function actsTable({ name, stages }: Procedure): string {
  const rows = Object.entries(stages)
    .filter(([, { accepts }]) => accepts.length > 0)
    .map(([status, { accepts }]) => {
      const cells = ACTORS.map((actor) => {
        const own = accepts.filter((act) => actorsOf(act, name).includes(actor));
        return own.map((act) => `[${act}](../api/${SPOKEN[name]}.json#${OPERATIONS[act]})`).join(", ");
      });
      return `| \`${status}\` | ${cells.join(" | ")} |`;
    });
  return [`| status | ${ACTORS.join(" | ")} |`, `|---|${ACTORS.map(() => "---|").join("")}`, ...rows].join("\n");
}

function neededFor(procedure: Procedure): string {
  const listOf = (needed: readonly Problem[]) => fieldNames(needed.map(({ path }) => path));
  const isBasic = procedure.name === "basic";
  return `- to publish: ${listOf(neededToPublish(procedure))}${isBasic ? "" : "; where there are lots, `minimalStep` in each of them, and the tender's own may be left out"}
- to bid: ${listOf(neededToBid(procedure))}${isBasic ? "" : "; where there are lots, `lotValues` instead of `value`"}`;
}

function pageOf(procedure: Procedure): string {
  const moves = movesOf(procedure);
  const { name } = procedure;
  return `# The procedure \`${name}\`

${ABOUT[name]}

<!-- Drawn from its table in src/domain/procedures by \`npm run diagrams\`; the picture of the site is ${name}.svg. -->

\`\`\`mermaid
${mermaidOf(Object.keys(procedure.stages), moves)}
\`\`\`

${movesTable(procedure, moves)}

## Who may do what

${actsTable(procedure)}

The owner is whoever has the tender's token, and the key it was made with. Suppliers are all who have a key that may create; what
they made, they change with the token of its own. Administrators of the registry may also do what the owner may.

## What must be sent

${neededFor(procedure)}

Everything else may be left out. \`?dry_run=1\` says whether something is missing, and stores nothing.
`;
}

const INDEX = `# Procedures

A procedure says who may do what to a tender in which status, and when the tender moves on by itself. A tender may be published at
once or begin as a draft; its owner and the clock move it, and everybody else acts within the status it has.

${Object.values(PROCEDURES)
  .map(({ name }) => `- [${name}](${name}.md) ([picture](${name}.svg)): ${ABOUT[name]}`)
  .join("\n")}
`;

/**
 * What moves a tender on from anywhere would be an arrow from everywhere, and the rest could not be read for it: the picture
 * tells it once. The list of moves and the table have it at every status.
 */
function drawn(
  { stages }: Procedure,
  moves: readonly Move[],
): { readonly own: readonly Move[]; readonly common: readonly Common[] } {
  const open = Object.keys(stages).filter((status) => moves.some(({ from }) => from === status));
  const active = open.filter((status) => status.startsWith("active."));
  const groups = [...Map.groupBy(moves, ({ to, why }) => JSON.stringify([to, why])).values()];
  const whence = (same: readonly Move[]): string | undefined => {
    const from = new Set<string>(same.map((move) => move.from));
    const isAll = (those: readonly string[]) => those.length === from.size && those.every((one) => from.has(one));
    if (from.size < 3) return undefined;
    return isAll(open) ? "from any status" : isAll(active) ? "from any active status" : undefined;
  };
  return {
    own: groups.filter((same) => !whence(same)).flat(),
    common: groups.flatMap((same) => {
      const from = whence(same);
      return from ? [{ to: same[0]!.to, why: `${from}: ${same[0]!.why}` }] : [];
    }),
  };
}

export function drawingOfProcedure(procedure: Procedure): Drawing {
  const { own, common } = drawn(procedure, movesOf(procedure));
  return drawingOf(Object.keys(procedure.stages), own, common);
}

/** What belongs into the folder: the text of each file by its name. */
export function filesOfProcedures(): ReadonlyMap<string, string> {
  const ofEach = Object.values(PROCEDURES).flatMap((procedure): [string, string][] => {
    const drawing = drawingOfProcedure(procedure);
    const title = `The statuses of the procedure ${procedure.name} and the moves between them`;
    return [
      [`${procedure.name}.md`, pageOf(procedure)],
      [`${procedure.name}.svg`, svgOf(title, drawing)],
    ];
  });
  return new Map([["README.md", INDEX], ...ofEach]);
}

function writeOrCheck(checking: boolean): void {
  mkdirSync(FOLDER, { recursive: true });
  const stale: string[] = [];
  for (const [name, text] of filesOfProcedures()) {
    const file = `${FOLDER}/${name}`;
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    if (checking) stale.push(file);
    else writeFileSync(file, text);
  }
  if (stale.length > 0) {
    console.error(
      `Not current: ${stale.join(", ")}. Look at the change and run: node scripts/run.mjs scripts/diagrams.ts`,
    );
    process.exit(1);
  }
  console.log(checking ? "The diagrams are current." : `The diagrams are written to ${FOLDER}.`);
}

if (import.meta.main) writeOrCheck(process.argv.includes("--check"));
