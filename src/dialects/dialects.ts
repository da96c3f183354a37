import { required } from "../base/required.ts";
import type { ParsedObject, ParsedPatch } from "../domain/model/commands.ts";
import type { Problem } from "../domain/model/refusals.ts";
import { TENDER_STATUSES, type TenderStatus } from "../domain/model/tender.ts";
import { PROCUREMENT_METHOD_TYPES, type ProcedureName, UNTYPED_PROCEDURE } from "../domain/procedures/names.ts";
import type { AbsentFields } from "../domain/procedures/optionalFields.ts";
import type { DescribedShape, DescribedShapes } from "./fields.ts";
import { IGNORED_NAMES } from "./ignoredFields.ts";
import { NEWEST, SHAPE_DESCRIPTIONS, type ShapeName } from "./newestShapes.ts";
import { type Aliases, createReader, type InputReaderSettings } from "./reader.ts";
import { to0 } from "./v0.ts";
import { to0_1 } from "./v0_1.ts";
import { to0_2 } from "./v0_2.ts";
import { to2_3 } from "./v2_3.ts";
import {
  converterFor,
  linksOf,
  olderDescriptions,
  olderShapes,
  type ShapeDescriptions,
  type VersionChange,
  type VersionConverter,
} from "./versionChange.ts";
import { createWriter } from "./writer.ts";

/** One version of the wire: what it calls things, in both directions. Nothing below this knows that versions exist. */
export type Dialect = {
  readonly segment: string;
  readonly shapes: DescribedShapes;
  /** What is understood: the same, or more. */
  readonly inputShapes: DescribedShapes;
  /** What each of its shapes is, for readers. */
  readonly shapeDescriptions: ShapeDescriptions;
  readonly behaviour: VersionBehaviour;
  /** What bids are called in its paths, the one it speaks of itself first. */
  readonly bidPaths: readonly string[];
  /** Under which procedure a new tender that was sent like this stands. */
  readonly procedureFor: (named: unknown) => ProcedureName | "unknown";
  /** The procedures of which tenders can be published in this version. */
  readonly procedures: readonly ProcedureName[];
  /** What is to be made of what was sent; `null` is the same as absent. Fields in `absent` are unknown to the procedure. */
  readonly readNew: <Fields>(shape: ShapeName, sent: unknown, absent?: AbsentFields) => ParsedObject<Fields>;
  /** What is to be changed in `current`; an old patch must not touch what it cannot name. */
  readonly readPatch: <Fields>(
    shape: ShapeName,
    sent: unknown,
    current: unknown,
    absent?: AbsentFields,
  ) => ParsedPatch<Fields>;
  /** As JSON text; with `only`, no other fields than these. */
  readonly write: (shape: ShapeName, value: unknown, root: string, only?: ReadonlySet<string>) => string;
  /** The same problems under the names that fields have here, each field's own told once. */
  readonly renameProblems: (shape: ShapeName, problems: readonly Problem[]) => readonly Problem[];
  readonly statusName: (status: TenderStatus | string) => string;
  /** Which statuses of tenders that name stands for; none, if it is no such name here. */
  readonly statusesNamed: (name: string) => readonly TenderStatus[];
};

/** How a version behaves where it is not only words that differ. */
export type VersionBehaviour = {
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
  /** Whether it has the auctions that the service itself holds. */
  readonly liveAuctions: boolean;
  /** Whether the address of a document answers the file itself, or where to get it. */
  readonly downloads: "answered" | "redirected";
  /** The procedure of a tender that names none. */
  readonly defaultProcedure: ProcedureName;
  /** What is said of a JSON body without an object `data`. */
  readonly noDataMessage: string;
  /** Whether a query parameter whose value makes no sense is an error, or the default is taken and the response says so. */
  readonly badParameters: "refused" | "ignored";
};

const NO_JSON = "No JSON object could be decoded";
const OLD_BEHAVIOUR: VersionBehaviour = {
  plain: true,
  errors: "flat",
  offsets: "timestamp",
  numbers: "id",
  hidden: "absent",
  auction: "prices",
  liveAuctions: false,
  downloads: "answered",
  defaultProcedure: UNTYPED_PROCEDURE,
  noDataMessage: NO_JSON,
  badParameters: "ignored",
};
const V2_3_BEHAVIOUR: VersionBehaviour = { ...OLD_BEHAVIOUR, plain: false, numbers: "day" };
const CURRENT_BEHAVIOUR: VersionBehaviour = {
  plain: false,
  errors: "nested",
  offsets: "unix",
  numbers: "day",
  hidden: "refused",
  auction: "addresses",
  liveAuctions: true,
  downloads: "redirected",
  defaultProcedure: "belowThreshold",
  noDataMessage: "Data not available",
  badParameters: "refused",
};

const proceduresOf = ({ plain, defaultProcedure }: VersionBehaviour): readonly ProcedureName[] =>
  plain ? [UNTYPED_PROCEDURE] : [...new Set([defaultProcedure, ...PROCUREMENT_METHOD_TYPES])];

type Version = {
  readonly behaviour: VersionBehaviour;
  readonly segment: string;
  readonly changes: readonly VersionChange[];
  readonly bidPaths: readonly string[];
  /** Old clients may use any of the old names, whichever old version they speak. */
  readonly lenient?: true;
};

/** The versions that are served, oldest first, each with the changes that lead to it from the newest. */
const VERSIONS: readonly Version[] = [
  { segment: "0", changes: [to2_3, to0], bidPaths: ["bids", "bidders"], lenient: true, behaviour: OLD_BEHAVIOUR },
  {
    segment: "0.1",
    changes: [to2_3, to0, to0_2, to0_1],
    bidPaths: ["bidders", "bids"],
    lenient: true,
    behaviour: OLD_BEHAVIOUR,
  },
  {
    segment: "0.2",
    changes: [to2_3, to0, to0_2],
    bidPaths: ["bidders", "bids"],
    lenient: true,
    behaviour: OLD_BEHAVIOUR,
  },
  { segment: "2.3", changes: [to2_3], bidPaths: ["bids"], behaviour: V2_3_BEHAVIOUR },
  ...["2.0", "2.1", "2.2", "2.4", "2.5"].map((segment) => ({
    segment,
    changes: [],
    bidPaths: ["bids"],
    behaviour: CURRENT_BEHAVIOUR,
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
/** The version that new clients should use. */
export const CURRENT_SEGMENT = required(SEGMENTS.at(-1), "a version");
/** The procedure that a tender gets in that version if it names none. */
export const CURRENT_PROCEDURE: ProcedureName = CURRENT_BEHAVIOUR.defaultProcedure;
/** The newest one in which tenders of this procedure can be published. */
export const segmentFor = (procedure: ProcedureName): string =>
  required(
    SEGMENTS.findLast((segment) =>
      VERSIONS.some(({ segment: name, behaviour }) => name === segment && proceduresOf(behaviour).includes(procedure)),
    ),
    `a version for ${procedure}`,
  );
/** The one that always speaks the oldest shape of bids, whatever version it is asked under. */
export const OLDEST = "0.1";

const shapesOf = (changes: readonly VersionChange[]): DescribedShapes =>
  changes.reduce<DescribedShapes>(olderShapes, NEWEST);
const descriptionsOf = (changes: readonly VersionChange[]): ShapeDescriptions =>
  changes.reduce<ShapeDescriptions>(olderDescriptions, SHAPE_DESCRIPTIONS);
/** Made once: every version that understands others' names needs theirs as well. */
const SHAPES: ReadonlyMap<string, DescribedShapes> = new Map(
  VERSIONS.map(({ segment, changes }) => [segment, shapesOf(changes)]),
);
const shapesIn = (segment: string): DescribedShapes => required(SHAPES.get(segment), `version ${segment}`);
const LINKS = linksOf([NEWEST, ...SHAPES.values()]);
const LENIENT_VERSIONS = VERSIONS.filter(({ lenient }) => lenient);
const LENIENT_CHANGES = LENIENT_VERSIONS.map(({ changes }) => changes).reduce((a, b) => (a.length >= b.length ? a : b));

export function openDialects(settings: InputReaderSettings): ReadonlyMap<string, Dialect> {
  return new Map(VERSIONS.map((version) => [version.segment, openDialect(version, settings)]));
}

/** The dialect of a version that there is. */
export const dialectNamed = (dialects: ReadonlyMap<string, Dialect>, segment: string): Dialect =>
  required(dialects.get(segment), `version ${segment}`);

function openDialect(version: Version, settings: InputReaderSettings): Dialect {
  const { segment, changes, bidPaths, lenient, behaviour } = version;
  const shapes = shapesIn(segment);
  const converters = changes.map((change) => converterFor(change, LINKS));
  const inputConverters = lenient ? LENIENT_CHANGES.map((change) => converterFor(change, LINKS)) : converters;
  const inputShapes = lenient
    ? uniteShapes(LENIENT_VERSIONS.map((lenientVersion) => shapesIn(lenientVersion.segment)))
    : shapes;
  const aliases = lenient ? aliasesOf(LENIENT_CHANGES) : {};
  const parse = createReader(inputShapes, settings, { aliases, ignored: IGNORED_NAMES });
  const print = createWriter(shapes, settings.zone, (path) => path.replace("/bids/", `/${bidPaths[0]}/`));
  const older = (shape: string, value: unknown) =>
    converters.reduce((current, step) => step.downgrade(shape, current), value);
  // Every version has the status of a tender as a text.
  const statusName = (status: string) => (older("Tender", { status }) as { readonly status: string }).status;
  return {
    segment,
    shapes,
    inputShapes,
    shapeDescriptions: descriptionsOf(changes),
    behaviour,
    bidPaths,
    procedureFor: behaviour.plain ? () => UNTYPED_PROCEDURE : (named) => procedureNamed(named, behaviour),
    procedures: proceduresOf(behaviour),
    // `Fields` is the canonical form of the shape: what is read and upgraded has its fields, or `problems` says what has not.
    readNew: <Fields>(shape: ShapeName, sent: unknown, absent?: AbsentFields) => {
      const { fields, problems } = parse(shape, sent, false, absent);
      return { fields: upgradeAll(inputConverters, shape, fields, undefined) as Fields, problems };
    },
    readPatch: <Fields>(shape: ShapeName, sent: unknown, current: unknown, absent?: AbsentFields) => {
      const { fields, problems } = parse(shape, sent, true, absent);
      return { fields: upgradeAll(inputConverters, shape, fields, current), problems } as ParsedPatch<Fields>;
    },
    write: (shape, value, root, only) => print(shape, older(shape, value), root, only),
    renameProblems: (shape, problems) =>
      withoutRepeats(
        problems.map((lenientVersion) =>
          lenientVersion.hasWirePath
            ? lenientVersion
            : {
                ...lenientVersion,
                path: converters.reduce((path, step) => step.downgradePath(shape, path), lenientVersion.path),
              },
        ),
      ),
    statusName,
    statusesNamed: (name) => TENDER_STATUSES.filter((status) => statusName(status) === name),
  };
}

/** From the oldest step to the newest; each sees what is there now in the form it leads to. */
function upgradeAll(converters: readonly VersionConverter[], shape: string, value: unknown, current: unknown): unknown {
  const [converter, ...rest] = converters;
  if (!converter) return value;
  const older = current === undefined ? undefined : converter.downgrade(shape, current);
  return converter.upgrade(shape, upgradeAll(rest, shape, value, older), current);
}

/** What could not be read, the reader has told; a check of the same field, or of what holds it, would only repeat it. */
function withoutRepeats(problems: readonly Problem[]): readonly Problem[] {
  const reported = new Set<string>();
  const holders = new Set<string>();
  for (const { path } of problems.filter(({ hasWirePath: asSent }) => asSent)) {
    reported.add(path.join("."));
    for (let i = 1; i < path.length; i++) holders.add(path.slice(0, i).join("."));
  }
  return problems.filter(({ path, hasWirePath: asSent }) => {
    const isReported = path.some((_, i) => reported.has(path.slice(0, i + 1).join(".")));
    return asSent || !(isReported || holders.has(path.join(".")));
  });
}

/** Today's clients mean the open procedure when they name none. */
function procedureNamed(named: unknown, { defaultProcedure }: VersionBehaviour): ProcedureName | "unknown" {
  if (named === undefined || named === null) return defaultProcedure;
  return PROCUREMENT_METHOD_TYPES.find((type) => type === named) ?? "unknown";
}

/** Every name that any of these versions has for a shape's fields. */
function uniteShapes(versions: readonly DescribedShapes[]): DescribedShapes {
  const result: { [name: string]: DescribedShape } = {};
  for (const shapes of versions)
    for (const [name, shape] of Object.entries(shapes)) result[name] = { ...shape, ...result[name] };
  return result;
}

function aliasesOf(changes: readonly VersionChange[]): Aliases {
  const pairs = changes.flatMap((change) =>
    Object.entries(change.shapes).map(([shape, { rename = {}, standsFor = {} }]) => {
      const replaced = Object.entries(standsFor).flatMap(([older, newer]) =>
        newer.map((name) => [name, older] as const),
      );
      return [shape, [...Object.entries(rename), ...replaced]] as const;
    }),
  );
  return Object.fromEntries(
    Array.from(
      Map.groupBy(pairs, ([shape]) => shape),
      ([shape, all]) => [shape, all.flatMap(([, renames]) => renames)],
    ),
  );
}
