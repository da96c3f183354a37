import { nextDeadline } from "../domain/deadlines.ts";
import type { Tender } from "../domain/model/tender.ts";
import { isSameJson } from "../domain/values/merge.ts";
import { patchBetween } from "../ledger/patch.ts";
import { mayAddFiles, type ReferencedFile, replayTender, type TenderHistory } from "../ledger/tenderHistory.ts";
import { countedStatusOf, type Facets, facetsOf, listingOf, type Scan, type TenderRow } from "../store/store.ts";
import type { BeginProgressStage } from "./progress.ts";
import { joinTenderRecords, type TenderRecords } from "./tenderRecords.ts";

/** Holds everything that is kept to what the ledger tells, in one moment of the registry. */

export type ReportProblem = (problem: string) => void;

export type RecordVerificationOptions = {
  readonly report: ReportProblem;
  readonly begin: BeginProgressStage;
  readonly onTender: () => void;
};

/** Reports whatever is wrong, and hands on every file that a document names or named. */
export async function* verifyRecords(
  scan: Scan,
  { report, begin, onTender }: RecordVerificationOptions,
): AsyncGenerator<ReferencedFile> {
  const stage = begin("records", scan.position.sequence, "rows");
  const days = new Map<string, number>();
  const statuses = new Map<string, number>();
  try {
    await verifyOrder(scan, report);
    for await (const records of joinTenderRecords(scan)) {
      const life = replayTender(records.rows);
      const tender = verifyTender(records, life, report);
      const counted = tender && countedStatusOf(tender);
      if (counted) statuses.set(counted, (statuses.get(counted) ?? 0) + 1);
      if (life.number) days.set(life.number.day, Math.max(days.get(life.number.day) ?? 0, life.number.number));
      for (const { file } of life.references) yield file;
      onTender();
      stage.step(records.rows.length);
    }
    compareCounts(days, await scan.days(), report, (day, is, should) => `day ${day}: last number ${is}, not ${should}`);
    compareCounts(
      statuses,
      await scan.statuses(),
      report,
      (s, is, should) => `status ${s}: ${is} counted, not ${should}`,
    );
  } finally {
    stage.end();
  }
}

async function verifyOrder(scan: Scan, report: ReportProblem): Promise<void> {
  let last = { sequence: 0, at: Number.NEGATIVE_INFINITY };
  for await (const place of scan.positions()) {
    if (place.sequence !== last.sequence + 1)
      report(`ledger: no row between ${last.sequence} and ${place.sequence}, though there should be`);
    if (place.at <= last.at) report(`ledger: row ${place.sequence} is not later than row ${last.sequence}`);
    last = place;
  }
}

/** Answers the tender as it is kept, where that can be read at all. */
function verifyTender(
  { id, rows, stored, files }: TenderRecords,
  life: TenderHistory,
  report: ReportProblem,
): Tender | undefined {
  const reportTender = (problem: string) => report(`tender ${id}: ${problem}`);
  if (life.error) reportTender(life.error);
  verifyFileRows(life, files, reportTender);
  if (!stored) {
    reportTender("it is in the ledger, but is not kept");
    return undefined;
  }
  if (rows.length === 0) reportTender("it is kept, but the ledger has nothing of it");
  else if (stored.revision !== rows.length)
    reportTender(`revision ${stored.revision}, though it has ${rows.length} rows`);
  const tender = tenderIn(stored, reportTender);
  if (!tender) return undefined;
  if (life.tender && !isSameJson(life.tender, tender)) reportTender(differenceOf(life.tender, tender));
  verifyColumns(stored, tender, reportTender);
  return tender;
}

function tenderIn({ document }: TenderRow, tell: ReportProblem): Tender | undefined {
  try {
    return JSON.parse(document) as Tender;
  } catch {
    tell("what is kept is not JSON");
    return undefined;
  }
}

const SHOWN_MAX = 5;

function differenceOf(fromLedger: Tender, stored: Tender): string {
  const paths = patchBetween(fromLedger, stored).map(({ path }) => path || "all of it");
  const shown = paths.slice(0, SHOWN_MAX).join(", ");
  return `what is kept is not what the ledger tells: ${shown}${paths.length > SHOWN_MAX ? " and more" : ""}`;
}

function verifyColumns(stored: TenderRow, tender: Tender, tell: ReportProblem): void {
  const expected = {
    id: tender.id,
    status: tender.status,
    listing: listingOf(tender),
    dateModified: tender.dateModified,
    wakeAt: expectedWake(tender),
    clock: tender.testClock,
    ...withJoinedClassifications(facetsOf(tender)),
  };
  const is: { readonly [name: string]: unknown } = { ...stored, ...withJoinedClassifications(stored.facets) };
  for (const [name, should] of Object.entries(expected))
    if (is[name] !== should) tell(`${name} is kept as ${is[name] ?? "nothing"}, not ${should ?? "nothing"}`);
}

const withJoinedClassifications = ({ classifications, ...facets }: Facets) => ({
  ...facets,
  classifications: classifications.join(", ") || undefined,
});

function expectedWake(tender: Tender): number | string | undefined {
  try {
    return nextDeadline(tender);
  } catch (error) {
    return `what cannot be told (${(error as Error).message})`;
  }
}

/** A file belongs to the tender that was the first to name it. */
function verifyFileRows({ references, error }: TenderHistory, keys: readonly string[], tell: ReportProblem): void {
  const known = new Set(keys);
  const brought = new Set(references.filter(({ row }) => mayAddFiles(row)).map(({ file }) => file.key));
  for (const key of brought) if (!known.has(key)) tell(`file ${key} is named, but is not known as its file`);
  // A ledger that cannot be followed to its end does not tell all files either.
  if (!error) for (const key of known) if (!brought.has(key)) tell(`file ${key} is known as its file, but not named`);
}

type DescribeMismatch = (name: string, is: number, should: number) => string;

function compareCounts(
  should: ReadonlyMap<string, number>,
  is: ReadonlyMap<string, number>,
  report: ReportProblem,
  tell: DescribeMismatch,
): void {
  for (const name of new Set([...should.keys(), ...is.keys()])) {
    const [counted, stored] = [should.get(name) ?? 0, is.get(name) ?? 0];
    if (counted !== stored) report(tell(name, stored, counted));
  }
}
