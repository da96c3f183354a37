import type { Instant } from "../../domain/values/time.ts";
import { utcText } from "../../ocds/content/fieldValues.ts";
import { mergeRelease, type Release, withCompiledHead } from "../../ocds/merge.ts";
import type { OcdsObject } from "../../ocds/ocdsValues.ts";
import { parseRelease } from "../releaseProgress.ts";
import { fillTemplate, type TemplateValues } from "../releaseTemplates.ts";
import type { BulkSource, StoredChange } from "./bulkSource.ts";
import { BULK_KINDS, type BulkFile, type BulkKind, type BulkTask, headerOf, nameOf, tableOf } from "./bulkState.ts";
import { openPartWriter, type PartWriter } from "./parts.ts";
import { linesOf } from "./tables.ts";

/** The bulk files of a month. */

export type MonthSettings = {
  readonly folder: string;
  readonly source: BulkSource;
  readonly values: TemplateValues;
  readonly unpackedBytesMax: number;
  /** The files have releases up to this instant. */
  readonly upTo: Instant;
  /** Called after each release that was read: may wait, or throw to stop. */
  readonly step: () => Promise<void> | undefined;
  /** Called after each release of the month. */
  readonly onRelease: () => void;
};

/** The month of an instant in UTC, as releases write dates. */
export const monthOf = (at: Instant): string => utcText(at).slice(0, "YYYY-MM".length);
export const monthAfter = (month: string): string => Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString();
const startOf = (month: string): Instant => Date.parse(`${month}-01T00:00:00Z`) * 1000;

/** The kinds of files that a task is about. */
export const kindsOf = ({ releases, tenders }: BulkTask): readonly BulkKind[] =>
  BULK_KINDS.filter((kind) => (kind === "releases" ? releases : tenders));

/** Makes the files of a task in one pass. They still have temporary names. */
export async function makeMonthFiles(settings: MonthSettings, task: BulkTask): Promise<readonly BulkFile[]> {
  const { folder, unpackedBytesMax, upTo, source, step, onRelease } = settings;
  const { month, tenders } = task;
  const writers = new Map<BulkKind, PartWriter>(
    kindsOf(task).map((kind) => {
      const ofPart = (part: number) => nameOf(kind, month, part);
      return [kind, openPartWriter({ folder, nameOf: ofPart, header: headerOf(kind), unpackedBytesMax })];
    }),
  );
  const releases = writers.get("releases");
  const dates = { releases: startOf(month), tenders: startOf(month) };
  try {
    for await (const page of source.changes(startOf(month) - 1, Math.min(startOf(monthAfter(month)) - 1, upTo)))
      for (const change of page) {
        const text = fillTemplate(change.template, settings.values);
        await releases?.write(`${text}\n`);
        dates.releases = change.at;
        if (tenders && isFirstRelease(change))
          dates.tenders = Math.max(dates.tenders, await writeTender(settings, change, text, writers));
        onRelease();
        await step();
      }
    const files: BulkFile[] = [];
    for (const [kind, writer] of writers) {
      const date = kind === "releases" ? dates.releases : dates.tenders;
      for (const part of await writer.end()) files.push({ ...part, kind, period: month, date });
    }
    return files;
  } catch (error) {
    for (const writer of writers.values()) await writer.abort().catch(() => {});
    throw error;
  }
}

/** The tag of a first release. Its head is at the beginning of the template: the ids of the tender and of the release, the date, tags. */
const FIRST_TAG = '"tag":["tender"';
const HEAD_LENGTH_MAX = 300;

/** Whether it is the first release of its tender. That is cheaper to see than to ask which one is the first. */
export const isFirstRelease = ({ template }: StoredChange): boolean =>
  template.slice(0, HEAD_LENGTH_MAX).includes(FIRST_TAG);

/** Writes what the releases of a tender say together, from its first one on. Returns the instant of the last one. */
async function writeTender(
  { source, values, upTo, step }: MonthSettings,
  first: StoredChange,
  firstText: string,
  writers: ReadonlyMap<BulkKind, PartWriter>,
): Promise<Instant> {
  let release = parseRelease(firstText);
  let content: OcdsObject = mergeRelease({}, release);
  let { at } = first;
  // One release after another, since a large tender has more of them than fit into memory.
  for await (const page of source.laterChanges(first, upTo))
    for (const change of page) {
      release = parseRelease(fillTemplate(change.template, values));
      content = mergeRelease(content, release);
      ({ at } = change);
      await step();
    }
  const compiled = withCompiledHead(content, release);
  for (const [kind, writer] of writers)
    for (const line of linesFor(kind, compiled)) {
      const written = writer.write(line);
      if (written) await written;
    }
  return at;
}

function linesFor(kind: BulkKind, compiled: Release): readonly string[] {
  if (kind === "releases") return [];
  const table = tableOf(kind);
  return table ? linesOf(table, compiled) : [`${JSON.stringify(compiled)}\n`];
}
