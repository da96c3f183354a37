import type { New, Sent } from "../domain/commands.ts";
import type { Problem } from "../domain/refusals.ts";
import { PROCUREMENT_METHOD_TYPES, type ProcedureName, TENDER_STATUSES, type TenderStatus } from "../domain/tender.ts";
import { type Change, linksOf, olderShapes, type Step, stepOf } from "./change.ts";
import type { Shape, Shapes } from "./fields.ts";
import { IGNORED_NAMES } from "./ignoredFields.ts";
import { NEWEST, type ShapeName } from "./newest.ts";
import { type Aliases, type ReadingSettings, readerOf } from "./read.ts";
import { to0 } from "./v0.ts";
import { to0_1 } from "./v0_1.ts";
import { to0_2 } from "./v0_2.ts";
import { to2_3 } from "./v2_3.ts";
import { writerOf } from "./write.ts";

/** One version of the wire: what it calls things, in both directions. Nothing below this knows that versions exist. */
export type Dialect = {
  readonly segment: string;
  readonly shapes: Shapes;
  /** What is understood: the same, or more. */
  readonly sentShapes: Shapes;
  readonly manners: Manners;
  /** What bids are called in its paths, the one it speaks of itself first. */
  readonly bidPaths: readonly string[];
  /** Under which procedure a new tender that was sent like this stands. */
  readonly procedureFor: (named: unknown) => ProcedureName | "unknown";
  /** What is to be made of what was sent; `null` is the same as absent. */
  readonly readNew: <Fields>(shape: ShapeName, sent: unknown) => New<Fields>;
  /** What is to be changed in `current`; an old patch must not touch what it cannot name. */
  readonly readPatch: <Fields>(shape: ShapeName, sent: unknown, current: unknown) => Sent<Fields>;
  /** As JSON text; with `only`, no other fields than these. */
  readonly write: (shape: ShapeName, value: unknown, root: string, only?: ReadonlySet<string>) => string;
  /** The same problems under the names that fields have here, each field's own told once. */
  readonly named: (shape: ShapeName, problems: readonly Problem[]) => readonly Problem[];
  readonly statusName: (status: TenderStatus | string) => string;
  /** Which statuses of tenders that name stands for; none, if it is no such name here. */
  readonly statusesNamed: (name: string) => readonly TenderStatus[];
};

/** How a version behaves where it is not only words that differ. */
export type Manners = {
  /** Knows the plain interface only: no lots, contracts, cancellations or claims. */
  readonly plain: boolean;
  readonly errors: "flat" | "nested";
  readonly offsets: "timestamp" | "unix";
  /** What `tenderID` is made of: the day and a number, or the tender's id. */
  readonly numbers: "day" | "id";
  /** What is said of something hidden: that it is not there, or that it may not be seen. */
  readonly hidden: "absent" | "refused";
  /** Whether the auction reports prices with PATCH, or its addresses, and its results with POST. */
  readonly auction: "prices" | "addresses";
  /** Whether the address of a document answers the file itself, or where to get it. */
  readonly downloads: "answered" | "redirected";
  /** The procedure of a tender that names none. */
  readonly unnamed: ProcedureName;
  /** What is said of a JSON body without an object `data`. */
  readonly noData: string;
  /** Whether a query parameter whose value makes no sense is an error, or the default is taken and the response says so. */
  readonly badParameters: "refused" | "ignored";
};

const NO_JSON = "No JSON object could be decoded";
const OLD: Manners = {
  plain: true,
  errors: "flat",
  offsets: "timestamp",
  numbers: "id",
  hidden: "absent",
  auction: "prices",
  downloads: "answered",
  unnamed: "basic",
  noData: NO_JSON,
  badParameters: "ignored",
};
const NEWER: Manners = { ...OLD, plain: false, numbers: "day" };
const TODAY: Manners = {
  plain: false,
  errors: "nested",
  offsets: "unix",
  numbers: "day",
  hidden: "refused",
  auction: "addresses",
  downloads: "redirected",
  unnamed: "belowThreshold",
  noData: "Data not available",
  badParameters: "refused",
};

type Version = {
  readonly manners: Manners;
  readonly segment: string;
  readonly changes: readonly Change[];
  readonly bidPaths: readonly string[];
  /** Old clients may use any of the old names, whichever old version they speak. */
  readonly liberal?: true;
};

/** The versions that are served, oldest first, each with the changes that lead to it from the newest. */
const VERSIONS: readonly Version[] = [
  { segment: "0", changes: [to2_3, to0], bidPaths: ["bids", "bidders"], liberal: true, manners: OLD },
  { segment: "0.1", changes: [to2_3, to0, to0_2, to0_1], bidPaths: ["bidders", "bids"], liberal: true, manners: OLD },
  { segment: "0.2", changes: [to2_3, to0, to0_2], bidPaths: ["bidders", "bids"], liberal: true, manners: OLD },
  { segment: "2.3", changes: [to2_3], bidPaths: ["bids"], manners: NEWER },
  ...["2.0", "2.1", "2.2", "2.4", "2.5"].map((segment) => ({
    segment,
    changes: [],
    bidPaths: ["bids"],
    manners: TODAY,
  })),
];

/** Other names of the newest version. */
export const ALIASES: readonly string[] = ["2.0", "2.1", "2.2", "2.4"];
/** What the oldest version calls bids in its paths; under that name bids are always of its shape. */
export const OLDEST_BIDS = "bidders";

/** The versions that are different from each other, the newest last: the more changes lead to one, the older it is. */
export const SEGMENTS = VERSIONS.filter(({ segment }) => !ALIASES.includes(segment))
  .toSorted((a, b) => b.changes.length - a.changes.length)
  .map(({ segment }) => segment);
/** The newest one under which a tender that names no procedure is of this one. */
export const segmentFor = (procedure: ProcedureName): string =>
  SEGMENTS.findLast((segment) => VERSIONS.some((one) => one.segment === segment && one.manners.unnamed === procedure))!;
/** The one that always speaks the oldest shape of bids, whatever version it is asked under. */
export const OLDEST = "0.1";

const shapesOf = (changes: readonly Change[]): Shapes => changes.reduce<Shapes>(olderShapes, NEWEST);
const LINKS = linksOf([NEWEST, ...VERSIONS.map(({ changes }) => shapesOf(changes))]);
const LIBERAL = VERSIONS.filter(({ liberal }) => liberal);
const LIBERAL_CHANGES = LIBERAL.map(({ changes }) => changes).reduce((a, b) => (a.length >= b.length ? a : b));

export function openDialects(settings: ReadingSettings): ReadonlyMap<string, Dialect> {
  return new Map(VERSIONS.map((version) => [version.segment, openDialect(version, settings)]));
}

function openDialect(version: Version, settings: ReadingSettings): Dialect {
  const { segment, changes, bidPaths, liberal, manners } = version;
  const shapes = shapesOf(changes);
  const steps = changes.map((change) => stepOf(change, LINKS));
  const stepsBack = liberal ? LIBERAL_CHANGES.map((change) => stepOf(change, LINKS)) : steps;
  const sentShapes = liberal ? united(LIBERAL.map((one) => shapesOf(one.changes))) : shapes;
  const aliases = liberal ? aliasesOf(LIBERAL_CHANGES) : {};
  const parse = readerOf(sentShapes, settings, { aliases, ignored: IGNORED_NAMES });
  const print = writerOf(shapes, settings.zone, (path) => path.replace("/bids/", `/${bidPaths[0]}/`));
  const older = (shape: string, value: unknown) => steps.reduce((current, step) => step.older(shape, current), value);
  const statusName = (status: string) => (older("Tender", { status }) as { status: string }).status;
  return {
    segment,
    shapes,
    sentShapes,
    manners,
    bidPaths,
    procedureFor: manners.plain ? () => "basic" : (named) => procedureNamed(named, manners),
    readNew: <Fields>(shape: ShapeName, sent: unknown) => {
      const { fields, problems } = parse(shape, sent, false);
      return { fields: newerOf(stepsBack, shape, fields, undefined) as Fields, problems };
    },
    readPatch: <Fields>(shape: ShapeName, sent: unknown, current: unknown) => {
      const { fields, problems } = parse(shape, sent, true);
      return { fields: newerOf(stepsBack, shape, fields, current), problems } as Sent<Fields>;
    },
    write: (shape, value, root, only) => print(shape, older(shape, value), root, only),
    named: (shape, problems) =>
      toldOnce(
        problems.map((one) =>
          one.asSent ? one : { ...one, path: steps.reduce((path, step) => step.olderPath(shape, path), one.path) },
        ),
      ),
    statusName,
    statusesNamed: (name) => TENDER_STATUSES.filter((status) => statusName(status) === name),
  };
}

/** From the oldest step to the newest; each sees what is there now in the form it leads to. */
function newerOf(steps: readonly Step[], shape: string, value: unknown, current: unknown): unknown {
  const [step, ...rest] = steps;
  if (!step) return value;
  const older = current === undefined ? undefined : step.older(shape, current);
  return step.newer(shape, newerOf(rest, shape, value, older), current);
}

/** What could not be read, the reader has told; a check of the same field, or of what holds it, would only repeat it. */
function toldOnce(problems: readonly Problem[]): readonly Problem[] {
  const told = new Set<string>();
  const holders = new Set<string>();
  for (const { path } of problems.filter(({ asSent }) => asSent)) {
    told.add(path.join("."));
    for (let i = 1; i < path.length; i++) holders.add(path.slice(0, i).join("."));
  }
  return problems.filter(({ path, asSent }) => {
    const isTold = path.some((_, i) => told.has(path.slice(0, i + 1).join(".")));
    return asSent || !(isTold || holders.has(path.join(".")));
  });
}

/** Today's clients mean the open procedure when they name none. */
function procedureNamed(named: unknown, { unnamed }: Manners): ProcedureName | "unknown" {
  if (named === undefined || named === null) return unnamed;
  return PROCUREMENT_METHOD_TYPES.find((type) => type === named) ?? "unknown";
}

/** Every name that any of these versions has for a shape's fields. */
function united(versions: readonly Shapes[]): Shapes {
  const all: { [name: string]: Shape } = {};
  for (const shapes of versions)
    for (const [name, shape] of Object.entries(shapes)) all[name] = { ...shape, ...all[name] };
  return all;
}

function aliasesOf(changes: readonly Change[]): Aliases {
  const pairs = changes.flatMap((change) =>
    Object.entries(change.shapes).map(([shape, { rename = {}, standsFor = {} }]) => {
      const stood = Object.entries(standsFor).flatMap(([older, newer]) => newer.map((name) => [name, older] as const));
      return [shape, [...Object.entries(rename), ...stood]] as const;
    }),
  );
  return Object.fromEntries(
    Object.entries(Object.groupBy(pairs, ([shape]) => shape)).map(([shape, all]) => [
      shape,
      all!.flatMap(([, renames]) => renames),
    ]),
  );
}
