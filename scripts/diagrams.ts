// Writes docs/procedures from the tables of the procedures and of the auction, and docs/modules.svg from the table of modules, or with --check says
// whether what is committed is current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { segmentFor } from "../src/dialects/dialects.ts";
import type { Problem } from "../src/domain/model/refusals.ts";
import { PROCEDURES } from "../src/domain/procedures/index.ts";
import type { Procedure } from "../src/domain/procedures/procedure.ts";
import { type StatusTransition, statusTransitions } from "../src/domain/procedures/statusGraph.ts";
import { requiredToBid, requiredToPublish } from "../src/domain/tender/requiredFields.ts";
import { listFieldNames } from "../src/openapi/openapiBuilders.ts";
import { ACTORS, actorsOf, OPERATIONS } from "./actors.ts";
import { renderAuctionFiles } from "./auctionDiagram.ts";
import { MODULE_DIAGRAM, renderModuleDiagram } from "./moduleDiagram.ts";
import { type CommonTransition, type Drawing, layOutDrawing, renderSvg } from "./stateDiagram.ts";
import { renderMermaid, renderMovesTable } from "./transitionText.ts";

export const FOLDER = "docs/procedures";

/** The table of roles and actions. Each action links its operation. */
function renderActsTable(procedure: Procedure): string {
  const { name, stages } = procedure;
  const actors = ACTORS.filter((actor) =>
    Object.values(stages).some(({ accepts }) => accepts.some((act) => actorsOf(act, procedure).includes(actor))),
  );
  const rows = Object.entries(stages)
    .filter(([, { accepts }]) => accepts.length > 0)
    .map(([status, { accepts }]) => {
      const cells = actors.map((actor) => {
        const own = accepts.filter((act) => actorsOf(act, procedure).includes(actor));
        return own.map((act) => `[${act}](../api/${segmentFor(name)}.json#${OPERATIONS[act]})`).join(", ");
      });
      return `| \`${status}\` | ${cells.join(" | ")} |`;
    });
  return [`| status | ${actors.join(" | ")} |`, `|---|${actors.map(() => "---|").join("")}`, ...rows].join("\n");
}

function neededFor(procedure: Procedure): string {
  const lineOf = (purpose: string, needed: readonly Problem[], field: string, withLots: string) => {
    const isNeeded = needed.some(({ path }) => path[0] === field);
    return `- ${purpose}: ${listFieldNames(needed.map(({ path }) => path))}${isNeeded ? `; if there are lots, ${withLots}` : ""}`;
  };
  const perLot = "`minimalStep` is required in each of them, and optional in the tender";
  return [
    lineOf("to publish", requiredToPublish(procedure), "minimalStep", perLot),
    ...(procedure.bids ? [lineOf("to bid", requiredToBid(procedure), "value", "`lotValues` instead of `value`")] : []),
  ].join("\n");
}

function accreditationOf({ accreditation, buyerKinds }: Procedure): string {
  const levels = (needed: string) => `level ${[...needed].map((level) => `\`${level}\``).join(" or ")}`;
  const kinds = buyerKinds.map((kind) => `\`${kind}\``).join(", ");
  return `A broker needs the accreditation ${levels(accreditation.publish)} to publish, and ${levels(accreditation.participate)} to take part. The buyer's \`procuringEntity.kind\` is one of ${kinds}.`;
}

function renderPage(procedure: Procedure): string {
  const moves = statusTransitions(procedure);
  const { name, summary } = procedure;
  return `# The procedure \`${name}\`

${summary}

<!-- Drawn from its table in src/domain/procedures by \`npm run diagrams\`; the picture of the site is ${name}.svg. -->

\`\`\`mermaid
${renderMermaid(Object.keys(procedure.stages), moves)}
\`\`\`

${renderMovesTable(Object.keys(procedure.stages), moves)}

## Who may do what

${renderActsTable(procedure)}

The owner has the tender's token and uses the key that the tender was created with. A supplier has a key that may ask and bid, and
changes its own questions, bids and complaints with their tokens. Administrators of the registry may also do what the owner may.

${accreditationOf(procedure)}

## What must be sent

${neededFor(procedure)}

All other fields are optional. Send a request with \`?dry_run=1\` to find out whether something is missing: it stores nothing.
`;
}

const INDEX = `# Procedures

A procedure defines who may do what in each status of a tender, and when time alone moves the tender to the next status. You can publish
a tender at once, or create it as a draft first. [Versions](../versions.md#which-procedure-a-tender-gets) says which procedure a tender gets.

${Object.values(PROCEDURES)
  .map(({ name, summary }) => `- [${name}](${name}.md) ([picture](${name}.svg)): ${summary}`)
  .join("\n")}

Where bids compete, two or more of them go into [the live auction](auction.md) ([picture](auction.svg)), which has phases of its own.
`;

/**
 * What moves a tender on from anywhere would be an arrow from everywhere, and the rest could not be read for it: the picture
 * tells it once. The list of moves and the table have it at every status.
 */
function splitTransitions(
  { stages }: Procedure,
  moves: readonly StatusTransition[],
): { readonly own: readonly StatusTransition[]; readonly common: readonly CommonTransition[] } {
  const open = Object.keys(stages).filter((status) => moves.some(({ from }) => from === status));
  const active = open.filter((status) => status.startsWith("active"));
  const groups = [...Map.groupBy(moves, ({ to, why }) => JSON.stringify([to, why])).values()];
  const originOf = (same: readonly StatusTransition[]): string | undefined => {
    const from = new Set<string>(same.map((move) => move.from));
    const isAll = (statuses: readonly string[]) =>
      statuses.length === from.size && statuses.every((status) => from.has(status));
    if (from.size < 2) return undefined;
    return isAll(open) ? "from any status" : isAll(active) ? "from any active status" : undefined;
  };
  return {
    own: groups.filter((same) => !originOf(same)).flat(),
    common: groups.flatMap((same) => {
      const from = originOf(same);
      return from ? [{ to: same[0]!.to, why: `${from}: ${same[0]!.why}` }] : [];
    }),
  };
}

export function drawProcedure(procedure: Procedure): Drawing {
  const { own, common } = splitTransitions(procedure, statusTransitions(procedure));
  return layOutDrawing(Object.keys(procedure.stages), own, common);
}

/** The files of the folder: the text of each by name. */
export function renderProcedureFiles(): ReadonlyMap<string, string> {
  const pages = Object.values(PROCEDURES).flatMap((procedure): [string, string][] => {
    const drawing = drawProcedure(procedure);
    const title = `The statuses of the procedure ${procedure.name} and the moves between them`;
    return [
      [`${procedure.name}.md`, renderPage(procedure)],
      [`${procedure.name}.svg`, renderSvg(title, drawing)],
    ];
  });
  return new Map([["README.md", INDEX], ...pages, ...renderAuctionFiles()]);
}

function writeOrCheck(checking: boolean): void {
  mkdirSync(FOLDER, { recursive: true });
  const stale: string[] = [];
  const files = [...renderProcedureFiles()].map(([name, text]) => [`${FOLDER}/${name}`, text] as const);
  for (const [file, text] of [...files, [MODULE_DIAGRAM, renderModuleDiagram()] as const]) {
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    if (checking) stale.push(file);
    else writeFileSync(file, text);
  }
  if (stale.length > 0) {
    console.error(`Not current: ${stale.join(", ")}. Look at the change and run: npm run diagrams`);
    process.exit(1);
  }
  console.log(checking ? "The diagrams are current." : `The diagrams are written to ${FOLDER} and ${MODULE_DIAGRAM}.`);
}

if (import.meta.main) writeOrCheck(process.argv.includes("--check"));
