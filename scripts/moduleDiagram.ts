import { readFileSync } from "node:fs";
import { type Box, type Drawing, renderSvg } from "./stateDiagram.ts";

/** Draws the modules of src/ from the table in ARCHITECTURE.md. */

export const MODULE_DIAGRAM = "docs/modules.svg";

type Cell = { readonly row: number; readonly column: number; readonly label: string };

/** Where each module is drawn. The rows run from the outside in, so that every arrow points down or sideways. */
const CELLS: { readonly [module: string]: Cell } = {
  client: { row: 0, column: 0, label: "typed client" },
  cli: { row: 0, column: 1, label: "commands" },
  app: { row: 0, column: 2, label: "start, stop, workers" },
  server: { row: 0, column: 3, label: "HTTP server, cache" },
  backup: { row: 1, column: 0, label: "backup and restore" },
  api: { row: 1, column: 1, label: "routes, checks" },
  openapi: { row: 1, column: 2, label: "API descriptions" },
  portal: { row: 1, column: 3, label: "pages for people" },
  opendata: { row: 2, column: 5, label: "releases, bulk files" },
  documents: { row: 3, column: 1, label: "uploads, downloads" },
  webhooks: { row: 3, column: 2, label: "signed deliveries" },
  auctions: { row: 3, column: 4, label: "live auctions" },
  feed: { row: 3, column: 3, label: "pages, streams" },
  http: { row: 4, column: 2, label: "parts of a request" },
  config: { row: 5, column: 1, label: "settings" },
  history: { row: 5, column: 2, label: "public versions" },
  ops: { row: 5, column: 3, label: "log, metrics, audit" },
  files: { row: 6, column: 0, label: "disk or S3" },
  accounts: { row: 6, column: 1, label: "keys and groups" },
  registry: { row: 6, column: 2, label: "change(), ticker" },
  dialects: { row: 6, column: 3, label: "API versions" },
  ledger: { row: 7, column: 2, label: "patches, history" },
  views: { row: 7, column: 3, label: "who sees what" },
  ocds: { row: 7, column: 5, label: "open data" },
  store: { row: 8, column: 2, label: "SQLite, PostgreSQL" },
  indexing: { row: 9, column: 2, label: "words, statistics" },
  base: { row: 10, column: 1, label: "ids, LRU, mutex" },
  domain: { row: 10, column: 3, label: "pure rules" },
};

const BOX = { width: 150, height: 46 };
const STEP = { x: 185, y: 88 };
const MARGIN = 28;

type Point = readonly [x: number, y: number];
type Modules = ReadonlyMap<string, readonly string[]>;

/** Every module of the table with the modules that it may import. */
export function moduleTable(text = readFileSync("ARCHITECTURE.md", "utf8")): Modules {
  const table = text.split("\n## Modules\n")[1]!.split("\n## ")[0]!;
  const rows = [...table.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$/gm)];
  return new Map(
    rows.map(([, module, imports]) => [module!, [...imports!.matchAll(/`(\w+)`/g)].map(([, name]) => name!)]),
  );
}

/** The imports that no other import implies: if `api` imports `feed` and `feed` imports `http`, one arrow each is enough. */
export function directImports(modules: Modules): readonly (readonly [from: string, to: string])[] {
  const reaches = (from: string, to: string): boolean =>
    modules.get(from)!.some((next) => next === to || reaches(next, to));
  return [...modules].flatMap(([from, imports]) =>
    imports.filter((to) => !imports.some((via) => via !== to && reaches(via, to))).map((to) => [from, to] as const),
  );
}

function boxOf(module: string): Box {
  const cell = CELLS[module];
  if (!cell) throw new Error(`scripts/moduleDiagram.ts does not say where to draw the module ${module}`);
  return { x: cell.column * STEP.x, y: cell.row * STEP.y, ...BOX };
}

const centreX = ({ x, width }: Box): number => x + width / 2;
const centreY = ({ y, height }: Box): number => y + height / 2;

/** Arrows that would cross a box go around it. */
const DETOURS: { readonly [edge: string]: (from: Box, to: Box) => readonly Point[] } = {
  "backup ledger": (from, to) => [
    [from.x, centreY(from)],
    [from.x - 14, centreY(from)],
    [from.x - 14, centreY(to)],
    [to.x, centreY(to)],
  ],
  "api history": (from, to) => [
    [from.x + from.width, centreY(from) + 12],
    [from.x + from.width + 17, centreY(from) + 12],
    [from.x + from.width + 17, to.y - 16],
    [centreX(to) - 28, to.y],
  ],
  "opendata history": (from, to) => [
    [from.x + 12, from.y + from.height],
    [to.x + to.width + 17, from.y + from.height + 14],
    [to.x + to.width + 17, to.y - 16],
    [to.x + to.width - 20, to.y],
  ],
  "history ledger": (from, to) => [
    [from.x + from.width - 12, from.y + from.height],
    [from.x + from.width + 8, from.y + from.height + 14],
    [from.x + from.width + 8, to.y - 14],
    [to.x + to.width - 12, to.y],
  ],
  "store base": (from, to) => [
    [from.x, centreY(from)],
    [from.x - 18, centreY(from)],
    [from.x - 18, to.y - 16],
    [centreX(to) + 28, to.y],
  ],
  "dialects base": (from, to) => [
    [from.x, centreY(from) + 12],
    [from.x - 18, centreY(from) + 12],
    [from.x - 18, centreY(to)],
    [to.x + to.width, centreY(to)],
  ],
  "ocds base": (from, to) => [
    [centreX(from) + 20, from.y + from.height],
    [centreX(from) + 20, to.y - 22],
    [centreX(to) + 48, to.y - 22],
    [centreX(to) + 48, to.y],
  ],
  "accounts domain": (from, to) => [
    [centreX(from) + 20, from.y + from.height],
    [centreX(from) + 20, to.y - STEP.y + BOX.height + 6],
    [to.x + 20, to.y],
  ],
};

function arrowBetween(from: string, to: string): readonly Point[] {
  const [start, end] = [boxOf(from), boxOf(to)];
  const detour = DETOURS[`${from} ${to}`];
  if (detour) return detour(start, end);
  if (start.y === end.y) {
    const isRightwards = start.x < end.x;
    return [
      [isRightwards ? start.x + start.width : start.x, centreY(start)],
      [isRightwards ? end.x : end.x + end.width, centreY(end)],
    ];
  }
  // Arrows that arrive from the side end beside the middle, so that they do not meet on one point.
  const shift = Math.sign(start.x - end.x) * 28;
  return [
    [centreX(start) - shift, start.y + start.height],
    [centreX(end) + shift, end.y],
  ];
}

export function drawModules(modules: Modules = moduleTable()): Drawing {
  const names = [...modules.keys()];
  const boxes = names.map((name) => ({ ...boxOf(name), name, note: CELLS[name]!.label, ends: name === "domain" }));
  const [right, bottom] = [Math.max(...boxes.map(({ x }) => x)), Math.max(...boxes.map(({ y }) => y))];
  return {
    frame: {
      x: -MARGIN,
      y: -MARGIN,
      width: right + BOX.width + 2 * MARGIN,
      height: bottom + BOX.height + 2 * MARGIN,
    },
    statuses: boxes,
    arrows: directImports(modules).map(([from, to]) => arrowBetween(from, to)),
    labels: [],
  };
}

export const renderModuleDiagram = (): string =>
  renderSvg(
    "The modules of src: an arrow leads to a module that is imported; imports that follow from other arrows are left out",
    drawModules(),
  );
