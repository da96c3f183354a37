import { errorMessage } from "../base/errors.ts";
import { parseOwnJson } from "../base/ownJson.ts";
import type { BeginProgressStage } from "../base/progress.ts";
import { nextDeadline } from "../domain/deadlines.ts";
import type { Bid, Tender } from "../domain/model/tender.ts";
import { bidBytes, bidTotalsOf } from "../domain/tender/sizeRules.ts";
import { isSameJson } from "../domain/values/merge.ts";
import { patchBetween } from "../ledger/patch.ts";
import { mayAddFiles, type ReferencedFile, replayTender, type TenderHistory } from "../ledger/tenderHistory.ts";
import {
  type BidRow,
  type BidTotalRow,
  countedStatusOf,
  type Facets,
  facetsOf,
  listingOf,
  type Scan,
  type TenderRow,
} from "../store/store.ts";
import { openIndexVerification } from "./indexVerification.ts";
import { joinTenderRecords, type TenderRecords } from "./tenderRecords.ts";

/** Checks a snapshot of the registry against its ledger. */

/** Called for each problem, with a sentence for the operator. */
export type ReportProblem = (problem: string) => void;

export type RecordVerificationOptions = {
  readonly report: ReportProblem;
  readonly begin: BeginProgressStage;
  readonly onTender: () => void;
};

/** Reports all differences between the stored data and the ledger, and yields every file that a document refers or referred to. */
export async function* verifyRecords(
  scan: Scan,
  { report, begin, onTender }: RecordVerificationOptions,
): AsyncGenerator<ReferencedFile> {
  const stage = begin("records", scan.position.sequence, "rows");
  const days = new Map<string, number>();
  const statuses = new Map<string, number>();
  try {
    await verifyOrder(scan, report);
    const index = await openIndexVerification(scan);
    for await (const records of joinTenderRecords(scan)) {
      const history = replayTender(records.rows);
      const tender = verifyTender(records, history, report);
      if (tender && records.stored)
        await index.verifyTender(tender, records.stored, records.rows, (problem) =>
          report(`tender ${records.id}: ${problem}`),
        );
      const counted = tender && countedStatusOf(tender);
      if (counted) statuses.set(counted, (statuses.get(counted) ?? 0) + 1);
      const { number } = history;
      if (number) days.set(number.day, Math.max(days.get(number.day) ?? 0, number.number));
      for (const { file } of history.references) yield file;
      onTender();
      stage.step(records.rows.length);
    }
    for (const { name, expected, actual } of differences(days, await scan.days()))
      report(`day ${name}: the last number is ${actual}, not ${expected}`);
    for (const { name, expected, actual } of differences(statuses, await scan.statuses()))
      report(`status ${name}: the count is ${actual}, not ${expected}`);
    await index.verifyCounts(report);
  } finally {
    stage.end();
  }
}

async function verifyOrder(scan: Scan, report: ReportProblem): Promise<void> {
  let last = { sequence: 0, at: Number.NEGATIVE_INFINITY };
  for await (const position of scan.positions()) {
    if (position.sequence !== last.sequence + 1)
      report(`ledger: rows are missing between ${last.sequence} and ${position.sequence}`);
    if (position.at <= last.at) report(`ledger: row ${position.sequence} is not later than row ${last.sequence}`);
    last = position;
  }
}

/** Returns the stored tender, if it can be read. */
function verifyTender(
  { id, rows, stored, bids, bidTotals, files }: TenderRecords,
  history: TenderHistory,
  report: ReportProblem,
): Tender | undefined {
  const reportTender = (problem: string) => report(`tender ${id}: ${problem}`);
  if (history.error) reportTender(history.error);
  verifyFileRows(history, files, reportTender);
  if (!stored) {
    reportTender("is in the ledger, but not stored");
    return undefined;
  }
  if (rows.length === 0) reportTender("is stored, but not in the ledger");
  const ownRows = rows.filter(({ kind }) => kind === "tender").length;
  if (rows.length > 0 && stored.revision !== ownRows)
    reportTender(`has revision ${stored.revision}, but ${ownRows} rows in the ledger`);
  const tender = parseTender(stored, bids, reportTender);
  if (!tender) return undefined;
  if (history.tender && !isSameJson(history.tender, tender)) reportTender(differenceOf(history.tender, tender));
  verifyColumns(stored, tender, reportTender);
  verifyBidColumns(bids, tender, reportTender);
  verifyBidTotals(bidTotals, tender, rows.length - ownRows, reportTender);
  return tender;
}

function parseTender({ document }: TenderRow, bids: readonly BidRow[], report: ReportProblem): Tender | undefined {
  try {
    const parsedBids = bids.map((bid) => parseOwnJson<Bid>(bid.document));
    return { ...parseOwnJson<Tender>(document), bids: parsedBids };
  } catch {
    report("the stored document is not JSON");
    return undefined;
  }
}

function verifyBidColumns(rows: readonly BidRow[], { bids }: Tender, report: ReportProblem): void {
  for (const [i, bid] of bids.entries()) {
    const row = rows[i];
    const columns = [
      ["id", row?.id, bid.id],
      ["owner", row?.owner, bid.owner],
      ["bytes", row?.bytes, bidBytes(bid)],
    ] as const;
    for (const [name, stored, expected] of columns)
      if (stored !== expected) report(`bid ${bid.id}: ${name} is stored as ${stored ?? "nothing"}, not ${expected}`);
  }
}

/** An account whose bids are all removed has an empty total, because it still counts their changes. */
function verifyBidTotals(
  rows: readonly BidTotalRow[],
  { bids }: Tender,
  bidChanges: number,
  report: ReportProblem,
): void {
  const stored = new Map(rows.map((row) => [row.owner, row]));
  const expected = bidTotalsOf(bids);
  for (const owner of new Set([...stored.keys(), ...expected.keys()])) {
    const { count = 0, bytes = 0 } = expected.get(owner) ?? {};
    const { count: storedCount = 0, bytes: storedBytes = 0 } = stored.get(owner) ?? {};
    if (count !== storedCount || bytes !== storedBytes)
      report(
        `the bids of ${owner} are counted as ${storedCount} with ${storedBytes} bytes, not ${count} with ${bytes}`,
      );
  }
  const storedChanges = rows.reduce((sum, { changes }) => sum + changes, 0);
  if (storedChanges !== bidChanges)
    report(`${storedChanges} changes of its bids are counted, but ${bidChanges} are in the ledger`);
}

const SHOWN_MAX = 5;

function differenceOf(fromLedger: Tender, stored: Tender): string {
  const paths = patchBetween(fromLedger, stored).map(({ path }) => path || "the whole document");
  const shown = paths.slice(0, SHOWN_MAX).join(", ");
  return `the stored document differs from the ledger: ${shown}${paths.length > SHOWN_MAX ? " and more" : ""}`;
}

function verifyColumns(stored: TenderRow, tender: Tender, report: ReportProblem): void {
  const expected = {
    id: tender.id,
    status: tender.status,
    listing: listingOf(tender),
    dateModified: tender.dateModified,
    wakeAt: expectedWake(tender),
    clock: tender.testClock,
    ...withJoinedClassifications(facetsOf(tender)),
  };
  const actual: { readonly [name: string]: unknown } = { ...stored, ...withJoinedClassifications(stored.facets) };
  for (const [name, value] of Object.entries(expected))
    if (actual[name] !== value) report(`${name} is stored as ${actual[name] ?? "nothing"}, not ${value ?? "nothing"}`);
}

const withJoinedClassifications = ({ classifications, ...facets }: Facets) => ({
  ...facets,
  classifications: classifications.join(", ") || undefined,
});

function expectedWake(tender: Tender): number | string | undefined {
  try {
    return nextDeadline(tender);
  } catch (error) {
    return `a deadline that cannot be computed (${errorMessage(error)})`;
  }
}

/** A file belongs to the tender that was the first to refer to it. */
function verifyFileRows({ references, error }: TenderHistory, keys: readonly string[], report: ReportProblem): void {
  const stored = new Set(keys);
  const expected = new Set(references.filter(({ row }) => mayAddFiles(row)).map(({ file }) => file.key));
  for (const key of expected) if (!stored.has(key)) report(`file ${key} is in the ledger, but not stored as its file`);
  // If the ledger cannot be replayed to its end, not all files are known.
  if (!error)
    for (const key of stored)
      if (!expected.has(key)) report(`file ${key} is stored as its file, but not in the ledger`);
}

/** The names whose numbers differ; an absent one counts as 0. */
function differences(expected: ReadonlyMap<string, number>, actual: ReadonlyMap<string, number>) {
  return [...new Set([...expected.keys(), ...actual.keys()])]
    .map((name) => ({ name, expected: expected.get(name) ?? 0, actual: actual.get(name) ?? 0 }))
    .filter((numbers) => numbers.expected !== numbers.actual);
}
