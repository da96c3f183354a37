import { createHash } from "node:crypto";
import type { LedgerRow, Store } from "../store/store.ts";
import { type ChecksummedHeader, checksummedLines, type FileChecksum } from "./checksummedFile.ts";
import { readNonLedgerData } from "./nonLedgerData.ts";
import type { ProgressStage } from "./progress.ts";

/** Rows of the ledger never change, so an export needs no moment of rest: it is true up to the row that it began at. */

export type ExportOptions = { readonly after: number; readonly upTo: number; readonly withSecrets: boolean };

const ROWS_AT_ONCE = 500;

/** The texts of the file, one after the other. */
export async function exportLedger(
  store: Store,
  { after, upTo, withSecrets }: ExportOptions,
  stage: ProgressStage,
): Promise<AsyncGenerator<string, FileChecksum>> {
  const header: ChecksummedHeader = {
    tenderhall: 1,
    holds: "ledger",
    after,
    upTo,
    follows: await fingerprintAt(store, after),
    ...(withSecrets && { secrets: Object.fromEntries(await readNonLedgerData(store)) }),
  };
  return checksummedLines(header, ledgerLines(store, after, upTo, stage));
}

async function* ledgerLines(store: Store, after: number, upTo: number, stage: ProgressStage): AsyncGenerator<string> {
  for (let from = after; from < upTo; ) {
    const rows = await store.ledger(from, Math.min(ROWS_AT_ONCE, upTo - from));
    for (const row of rows) {
      from += 1;
      if (row.sequence !== from) throw new Error(`row ${from} is missing from the ledger: verify tells more`);
      yield ledgerLine(row);
    }
    if (rows.length === 0) throw new Error(`row ${from + 1} is missing from the ledger: verify tells more`);
    stage.step(rows.length);
  }
}

/** The patch goes over as the text that it is. */
export const ledgerLine = ({ sequence, at, tender, actor, act, patch }: LedgerRow): string =>
  `${JSON.stringify({ sequence, at, tender, actor, act }).slice(0, -1)},"patch":${patch}}`;

const PATCH = ',"patch":';

export function parseLedgerLine(line: string): LedgerRow {
  // Inside of a text its quotes would be escaped, so the first of these is the member itself.
  const at = line.indexOf(PATCH);
  if (at < 0) throw new Error("a line of the file is no row of the ledger");
  const { actor, ...row } = JSON.parse(`${line.slice(0, at)}}`) as LedgerRow;
  return { ...row, actor, patch: line.slice(at + PATCH.length, -1) };
}

/** Tells two histories apart by one of their rows. */
export async function fingerprintAt(store: Store, sequence: number): Promise<string | null> {
  if (sequence === 0) return null;
  const [row] = await store.ledger(sequence - 1, 1);
  if (row?.sequence !== sequence) throw new Error(`row ${sequence} is missing from the ledger: verify tells more`);
  return createHash("sha256").update(ledgerLine(row)).digest("hex");
}
