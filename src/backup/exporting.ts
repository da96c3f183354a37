import { createHash } from "node:crypto";
import type { LedgerRow, Store } from "../store/store.ts";
import { keptBeside } from "./keeping.ts";
import type { Stage } from "./progress.ts";
import { type Header, type Seal, sealed } from "./sealedLines.ts";

/** Rows of the ledger never change, so an export needs no moment of rest: it is true up to the row that it began at. */

export type Exporting = { readonly after: number; readonly upTo: number; readonly withSecrets: boolean };

const ROWS_AT_ONCE = 500;

/** The texts of the file, one after the other. */
export async function exported(
  store: Store,
  { after, upTo, withSecrets }: Exporting,
  stage: Stage,
): Promise<AsyncGenerator<string, Seal>> {
  const header: Header = {
    tenderhall: 1,
    holds: "ledger",
    after,
    upTo,
    follows: await fingerprintAt(store, after),
    ...(withSecrets && { secrets: Object.fromEntries(await keptBeside(store)) }),
  };
  return sealed(header, ledgerLines(store, after, upTo, stage));
}

async function* ledgerLines(store: Store, after: number, upTo: number, stage: Stage): AsyncGenerator<string> {
  for (let from = after; from < upTo; ) {
    const rows = await store.ledger(from, Math.min(ROWS_AT_ONCE, upTo - from));
    for (const row of rows) {
      from += 1;
      if (row.sequence !== from) throw new Error(`row ${from} is missing from the ledger: verify tells more`);
      yield lineOf(row);
    }
    if (rows.length === 0) throw new Error(`row ${from + 1} is missing from the ledger: verify tells more`);
    stage.step(rows.length);
  }
}

/** The patch goes over as the text that it is. */
export const lineOf = ({ sequence, at, tender, actor, act, patch }: LedgerRow): string =>
  `${JSON.stringify({ sequence, at, tender, actor, act }).slice(0, -1)},"patch":${patch}}`;

const PATCH = ',"patch":';

export function rowIn(line: string): LedgerRow {
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
  return createHash("sha256").update(lineOf(row)).digest("hex");
}
