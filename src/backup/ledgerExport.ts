import { createHash } from "node:crypto";
import { parseOwnJson } from "../base/ownJson.ts";
import type { ProgressStage } from "../base/progress.ts";
import type { LedgerRow, Store } from "../store/store.ts";
import { type ChecksummedHeader, checksummedLines, type FileChecksum } from "./checksummedFile.ts";
import { readNonLedgerData } from "./nonLedgerData.ts";

/** Exporting the ledger. Its rows never change, so a running registry can be exported: the export is complete up to `upTo`. */

/** The rows `after + 1` to `upTo`; `withSecrets` includes the data that is not in the ledger. */
export type ExportOptions = { readonly after: number; readonly upTo: number; readonly withSecrets: boolean };

const ROWS_AT_ONCE = 500;

/** Yields the text of the export file. */
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
      if (row.sequence !== from) throw missingRow(from);
      yield ledgerLine(row);
    }
    if (rows.length === 0) throw missingRow(from + 1);
    stage.step(rows.length);
  }
}

/** The error for a gap in the ledger. */
export const missingRow = (sequence: number): Error =>
  new Error(`row ${sequence} is missing from the ledger: run verify for details`);

/** A row as a line of JSON. The text of the patch is included as it is, so that the export is byte for byte the same. */
export function ledgerLine({ sequence, at, kind, tender, record, actor, act, patch }: LedgerRow): string {
  // A row of a tender has no kind, so that its line, and with it its fingerprint, is the same as before there were other kinds.
  const about = kind === "tender" ? { tender } : { kind, tender, record };
  return `${JSON.stringify({ sequence, at, ...about, actor, act }).slice(0, -1)},"patch":${patch}}`;
}

type LedgerLine = Omit<LedgerRow, "kind" | "record" | "patch"> & Partial<Pick<LedgerRow, "kind" | "record">>;

const PATCH = ',"patch":';

/** The row of a line, with the patch as text. Throws if the line is not one of `ledgerLine`. */
export function parseLedgerLine(line: string): LedgerRow {
  // In a string the quotes would be escaped, so the first match is the property itself.
  const at = line.indexOf(PATCH);
  if (at < 0) throw new Error("a line of the file is not a row of the ledger");
  const { actor, kind = "tender", tender, record = tender, ...row } = parseOwnJson<LedgerLine>(`${line.slice(0, at)}}`);
  return { ...row, kind, tender, record, actor, patch: line.slice(at + PATCH.length, -1) };
}

/** The SHA-256 of a row, which identifies a history up to that row; null for row 0. */
export async function fingerprintAt(store: Store, sequence: number): Promise<string | null> {
  if (sequence === 0) return null;
  const [row] = await store.ledger(sequence - 1, 1);
  if (row?.sequence !== sequence) throw missingRow(sequence);
  return createHash("sha256").update(ledgerLine(row)).digest("hex");
}
