import { errorMessage } from "../base/errors.ts";
import type { BeginProgressStage } from "../base/progress.ts";
import { nextDeadline } from "../domain/deadlines.ts";
import type { Tender } from "../domain/model/tender.ts";
import { assignedNumber, mayAddFiles, newFileReferences, tenderAfter } from "../ledger/tenderHistory.ts";
import {
  documentOfFirstPatch,
  type LedgerRow,
  type PastChange,
  type Store,
  type StoredTender,
} from "../store/store.ts";
import { type ChecksummedFile, readLines, verifyChecksummedFile } from "./checksummedFile.ts";
import { fingerprintAt, ledgerLine, missingRow, parseLedgerLine } from "./ledgerExport.ts";
import { writeNonLedgerData } from "./nonLedgerData.ts";

/** Importing a ledger: appends its rows, and reconstructs the tenders and everything that is derived from them. */

const ROWS_AT_ONCE = 500;
const TEXT_AT_ONCE = 4 * 1024 * 1024;

/** The number of imported rows, and the last row of the file. */
export type ImportResult = { readonly rows: number; readonly upTo: number };

/**
 * Imports the rows of an exported file that the registry does not have yet. Throws, with nothing written, if the file is damaged or
 * does not continue the registry's own history.
 */
export async function importLedger(store: Store, path: string, begin: BeginProgressStage): Promise<ImportResult> {
  const { header } = await checkLedger(path);
  const position = await store.position();
  if (position < header.after)
    throw new Error(`the registry ends at row ${position}, but ${path} begins after row ${header.after}`);
  await checkSameHistory(store, path, header);
  if (position >= header.upTo) throw new Error(`the registry already has all rows of ${path}`);
  if (position === 0) await writeNonLedgerData(store, Object.entries(header.secrets ?? {}));
  return importRemainingRows(store, path, header, begin);
}

/** Verifies a file with rows of the ledger. Throws if it is damaged or has not the number of rows that its header says. */
export async function checkLedger(path: string): Promise<ChecksummedFile> {
  const checked = await verifyChecksummedFile(path, "ledger");
  const { after, upTo } = checked.header;
  if (checked.lines !== upTo - after) throw new Error(`${path} does not have the rows that its header lists`);
  return checked;
}

/** Throws unless the rows that both the registry and the file have are the same, as after an interrupted import. */
export async function checkSameHistory(
  store: Store,
  path: string,
  { after, upTo, follows }: ChecksummedFile["header"],
) {
  const position = await store.position();
  const message = `the registry and ${path} have different histories: import into an empty registry`;
  if (position < after) return;
  if ((await fingerprintAt(store, after)) !== follows) throw new Error(message);
  const common = Math.min(position, upTo);
  if (common === after) return;
  const lines = readLines(path);
  for (let from = after; from < common; ) {
    const rows = await store.ledger(from, Math.min(ROWS_AT_ONCE, common - from));
    for (const row of rows) if ((await lines.next()).value !== ledgerLine(row)) throw new Error(message);
    if (rows.length === 0) throw missingRow(from + 1);
    from += rows.length;
  }
  await lines.return(undefined);
}

/** Appends the rows of the file that the registry does not have yet. */
export async function importRemainingRows(
  store: Store,
  path: string,
  { upTo }: ChecksummedFile["header"],
  begin: BeginProgressStage,
): Promise<ImportResult> {
  const position = await store.position();
  const stage = begin("importing", Math.max(0, upTo - position), "rows");
  let imported = 0;
  try {
    for await (const rows of batchesIn(path, position)) {
      await store.append(await pastChanges(store, rows));
      imported += rows.length;
      stage.step(rows.length);
    }
  } finally {
    stage.end();
  }
  return { rows: imported, upTo };
}

async function* batchesIn(path: string, after: number): AsyncGenerator<readonly LedgerRow[]> {
  let rows: LedgerRow[] = [];
  let length = 0;
  for await (const line of readLines(path)) {
    const row = parseLedgerLine(line);
    if (row.sequence <= after) continue;
    rows.push(row);
    length += line.length;
    if (rows.length < ROWS_AT_ONCE && length < TEXT_AT_ONCE) continue;
    yield rows;
    rows = [];
    length = 0;
  }
  if (rows.length > 0) yield rows;
}

/** The rows as past changes, each applied to the state that the previous one left. */
async function pastChanges(store: Store, rows: readonly LedgerRow[]): Promise<readonly PastChange[]> {
  const states = await statesBefore(store, rows);
  const steps = rows.map((row) => {
    const before = states.get(row.tender);
    const tender = tenderAfter(before?.tender, row);
    states.set(row.tender, storedAfter(row, tender, before));
    const keys = mayAddFiles(row) ? newFileReferences(before?.tender, tender).map(({ key }) => key) : [];
    return { row, before, tender, keys: [...new Set(keys)] };
  });
  const knownKeys = new Set(await store.knownFiles(steps.flatMap(({ keys }) => keys)));
  return steps.map(({ row, before, tender, keys }): PastChange => {
    const files = keys.filter((key) => !knownKeys.has(key));
    for (const key of files) knownKeys.add(key);
    const assigned = assignedNumber(before?.tender, tender);
    return { sequence: row.sequence, at: row.at, change: changeOf(row, before, tender, files), before, assigned };
  });
}

const storedAfter = ({ kind }: LedgerRow, tender: Tender, before: StoredTender | undefined): StoredTender => ({
  tender,
  revision: (before?.revision ?? 0) + (kind === "bid" ? 0 : 1),
  bids: "all",
  bidChanges: (before?.bidChanges ?? 0) + (kind === "bid" ? 1 : 0),
});

async function statesBefore(store: Store, rows: readonly LedgerRow[]): Promise<Map<string, StoredTender | undefined>> {
  const ids = [...new Set(rows.map(({ tender }) => tender))];
  return new Map(await Promise.all(ids.map(async (id) => [id, await store.find(id)] as const)));
}

function changeOf(
  { sequence, kind, actor, act, patch }: LedgerRow,
  before: StoredTender | undefined,
  tender: Tender,
  files: readonly string[],
) {
  try {
    // A tender that never changed has the JSON of the patch that created it, here as in the registry that it comes from.
    const created = before ? undefined : documentOfFirstPatch(patch);
    const document = created ?? JSON.stringify({ ...tender, bids: undefined });
    return { tender, kind, document, wakeAt: nextDeadline(tender), actor, act, patch, files };
  } catch (error) {
    throw new Error(`row ${sequence}: the next deadline of its tender cannot be computed: ${errorMessage(error)}`);
  }
}
