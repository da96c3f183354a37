// Writes docs/procedures from the tables of the procedures. With --check, fails if the committed files are out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Problem } from "../src/domain/model/refusals.ts";
import type { ProcedureName } from "../src/domain/model/tender.ts";
import { PROCEDURES } from "../src/domain/procedures/index.ts";
import { type Procedure, type StatusTransition, statusTransitions } from "../src/domain/procedures/procedure.ts";
import { requiredToBid, requiredToPublish } from "../src/domain/requiredFields.ts";
import { listFieldNames } from "../src/openapi/openapiBuilders.ts";
import { ACTORS, actorsOf, OPERATIONS, REFERENCE_VERSIONS } from "./actors.ts";
import { type CommonTransition, type Drawing, layOutDrawing, renderSvg } from "./stateDiagram.ts";

export const FOLDER = "docs/procedures";

/** A summary of each procedure. */
const ABOUT: { readonly [name in ProcedureName]: string } = {
  basic:
    "The owner publishes a tender and answers questions, suppliers place open bids until the tender period ends, and the owner then records the awards and closes the tender.",
  belowThreshold:
    "The owner publishes a tender with every required field. Suppliers ask questions during the enquiry period and then place sealed bids. Two or more bids go to an auction. The owner decides on the best bid first, and signs the contract after the complaint period.",
};

/** The state diagram for Mermaid, which allows no dots in names, and no colons or semicolons in labels. */
function renderMermaid(statuses: readonly string[], transitions: readonly StatusTransition[]): string {
  const idOf = (status: string) => status.replace(/\W/g, "_");
  const ends = statuses.filter((status) => !transitions.some(({ from }) => from === status));
  return [
    "stateDiagram-v2",
    ...statuses.map((status) => `  state "${status}" as ${idOf(status)}`),
    `  [*] --> ${idOf(statuses[0]!)}`,
    ...transitions.map(({ from, to, why }) => `  ${idOf(from)} --> ${idOf(to)} : ${why.replace(/\s*[:;]\s*/g, " – ")}`),
    ...ends.map((status) => `  ${idOf(status)} --> [*]`),
  ].join("\n");
}

const cellsOf = (lines: readonly string[], none: string): string => lines.join("<br>") || none;

function renderTransitionsTable({ stages }: Procedure, transitions: readonly StatusTransition[]): string {
  const rows = Object.keys(stages).map((status) => {
    const byReason = Map.groupBy(
      transitions.filter(({ from }) => from === status),
      ({ why }) => why,
    );
    const ends = [...byReason].map(([why, same]) => `${why} → ${same.map(({ to }) => `\`${to}\``).join(" or ")}`);
    return `| \`${status}\` | ${cellsOf(ends, "never")} |`;
  });
  return ["| status | ends when, and becomes |", "|---|---|", ...rows].join("\n");
}

/** Which role may do what in each status, with links to the operations. */
function renderActionsTable({ name, stages }: Procedure): string {
  const rows = Object.entries(stages)
    .filter(([, { accepts }]) => accepts.length > 0)
    .map(([status, { accepts }]) => {
      const cells = ACTORS.map((actor) => {
        const own = accepts.filter((act) => actorsOf(act, name).includes(actor));
        return own.map((act) => `[${act}](../api/${REFERENCE_VERSIONS[name]}.json#${OPERATIONS[act]})`).join(", ");
      });
      return `| \`${status}\` | ${cells.join(" | ")} |`;
    });
  return [`| status | ${ACTORS.join(" | ")} |`, `|---|${ACTORS.map(() => "---|").join("")}`, ...rows].join("\n");
}

function requiredFieldsOf(procedure: Procedure): string {
  const listOf = (problems: readonly Problem[]) => listFieldNames(problems.map(({ path }) => path));
  const isBasic = procedure.name === "basic";
  return `- to publish: ${listOf(requiredToPublish(procedure))}${isBasic ? "" : "; with lots, `minimalStep` in each lot instead of in the tender"}
- to bid: ${listOf(requiredToBid(procedure))}${isBasic ? "" : "; with lots, `lotValues` instead of `value`"}`;
}

function renderPage(procedure: Procedure): string {
  const transitions = statusTransitions(procedure);
  const { name } = procedure;
  return `# The procedure \`${name}\`

${ABOUT[name]}

<!-- Generated from src/domain/procedures by \`npm run diagrams\`. The website shows ${name}.svg. -->

\`\`\`mermaid
${renderMermaid(Object.keys(procedure.stages), transitions)}
\`\`\`

${renderTransitionsTable(procedure, transitions)}

## Who may do what

${renderActionsTable(procedure)}

The owner has the token of the tender and the key it was created with. Suppliers are all accounts that may create bids and questions;
they change what they created with its own token. Administrators of the registry may also do everything that the owner may.

## Required fields

${requiredFieldsOf(procedure)}

All other fields are optional. With \`?dry_run=1\` the registry checks a request and stores nothing.
`;
}

const INDEX = `# Procedures

A procedure defines who may do what to a tender in each status, and when the status changes by itself. A tender can be published
at once or start as a draft. Its owner and its deadlines change its status; everyone else acts within the current status.

${Object.values(PROCEDURES)
  .map(({ name }) => `- [${name}](${name}.md) ([diagram](${name}.svg)): ${ABOUT[name]}`)
  .join("\n")}
`;

/**
 * Separates transitions that are possible from every status. An arrow from each status would make the diagram unreadable, so
 * it shows them once, as a label. The table lists them at every status.
 */
function splitTransitions(
  { stages }: Procedure,
  transitions: readonly StatusTransition[],
): { readonly own: readonly StatusTransition[]; readonly common: readonly CommonTransition[] } {
  const open = Object.keys(stages).filter((status) => transitions.some(({ from }) => from === status));
  const active = open.filter((status) => status.startsWith("active."));
  const groups = [...Map.groupBy(transitions, ({ to, why }) => JSON.stringify([to, why])).values()];
  const originOf = (group: readonly StatusTransition[]): string | undefined => {
    const from = new Set<string>(group.map((transition) => transition.from));
    const isAll = (statuses: readonly string[]) =>
      statuses.length === from.size && statuses.every((status) => from.has(status));
    if (from.size < 3) return undefined;
    return isAll(open) ? "from any status" : isAll(active) ? "from any active status" : undefined;
  };
  return {
    own: groups.filter((group) => !originOf(group)).flat(),
    common: groups.flatMap((group) => {
      const [first] = group;
      const from = originOf(group);
      return from && first ? [{ to: first.to, why: `${from}: ${first.why}` }] : [];
    }),
  };
}

/** The state diagram of a procedure. */
export function drawProcedure(procedure: Procedure): Drawing {
  const { own, common } = splitTransitions(procedure, statusTransitions(procedure));
  return layOutDrawing(Object.keys(procedure.stages), own, common);
}

/** The files of docs/procedures: the text of each by its name. */
export function renderProcedureFiles(): ReadonlyMap<string, string> {
  const pages = Object.values(PROCEDURES).flatMap((procedure): [string, string][] => {
    const drawing = drawProcedure(procedure);
    const title = `The statuses of the procedure ${procedure.name} and the transitions between them`;
    return [
      [`${procedure.name}.md`, renderPage(procedure)],
      [`${procedure.name}.svg`, renderSvg(title, drawing)],
    ];
  });
  return new Map([["README.md", INDEX], ...pages]);
}

function writeOrCheck(checking: boolean): void {
  mkdirSync(FOLDER, { recursive: true });
  const stale: string[] = [];
  for (const [name, text] of renderProcedureFiles()) {
    const file = `${FOLDER}/${name}`;
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    if (checking) stale.push(file);
    else writeFileSync(file, text);
  }
  if (stale.length > 0) {
    console.error(`Out of date: ${stale.join(", ")}. Review the change and run: npm run diagrams`);
    process.exit(1);
  }
  console.log(checking ? `${FOLDER} is up to date.` : `Wrote ${FOLDER}.`);
}

if (import.meta.main) writeOrCheck(process.argv.includes("--check"));
