import { errorMessage } from "../base/errors.ts";
import { parseOwnJson } from "../base/ownJson.ts";
import type { Document, Tender } from "../domain/model/tender.ts";
import { allDocuments } from "../domain/tender/replacement.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import type { DailyNumber, LedgerRow } from "../store/store.ts";
import { parseAct } from "./acts.ts";
import { applyPatch, type PatchOperation } from "./patch.ts";
import { bidPath } from "./tenderPatch.ts";

/** Replaying the ledger: its rows, in order, reconstruct a tender and everything it refers to. */

/** The tender after a row. Throws if the patch does not fit or does not result in this tender. */
export function tenderAfter(before: Tender | undefined, row: LedgerRow): Tender {
  return replayRow(before, row, ({ kind, record }, operations) =>
    kind === "bid" ? operations.map(atBid(record)) : operations,
  );
}

/**
 * The tender without its bids after a row of the tender itself: what the row does to bids is left out. For a replay that must not depend
 * on sealed bids.
 */
export function tenderWithoutBidsAfter(before: Tender | undefined, row: LedgerRow): Tender {
  const after = replayRow(before, row, (_row, operations) => operations.filter(({ path }) => !isInBids(path)));
  return { ...after, bids: [] };
}

const isInBids = (path: string): boolean => path === "/bids" || path.startsWith("/bids/");

type Operations = readonly PatchOperation[];

function replayRow(
  before: Tender | undefined,
  row: LedgerRow,
  operationsOnTender: (row: LedgerRow, operations: Operations) => Operations,
): Tender {
  try {
    const after = applyPatch(before, operationsOnTender(row, parseOwnJson<Operations>(row.patch)));
    if (!isPlainObject(after)) throw new Error("the patch does not result in a tender");
    if (after.id !== row.tender) throw new Error("the patch results in another tender");
    // The registry only ever writes patches between tenders. That of a new tender has no bids.
    return { bids: [], ...after } as unknown as Tender;
  } catch (error) {
    throw new Error(`row ${row.sequence}: ${errorMessage(error)}`);
  }
}

/** The operation on a bid as one on its tender. */
const atBid =
  (id: string) =>
  (operation: PatchOperation): PatchOperation => ({ ...operation, path: `${bidPath(id)}${operation.path}` });

/** A file that a document of a tender refers to. `size` is in bytes, hashes are in hex; `tender` is the id of the tender. */
export type ReferencedFile = {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
  readonly md5?: string;
  readonly tender: string;
};

/** The files that `after` refers to and `before` did not. */
export function newFileReferences(before: Tender | undefined, after: Tender): readonly ReferencedFile[] {
  const known = new Set(before && allDocuments(before).map(({ document }) => identityOf(document)));
  return allDocuments(after).flatMap(({ document }) => {
    if (known.has(identityOf(document))) return [];
    known.add(identityOf(document));
    const { key, size, sha256, hash } = document;
    const md5 = hash?.startsWith("md5:") ? hash.slice("md5:".length) : undefined;
    return [{ key, size, sha256, ...(md5 && { md5 }), tender: after.id }];
  });
}

const identityOf = ({ key, size, sha256, hash }: Document): string => [key, size, sha256, hash].join();

/** Whether a row may add files. An operator's replacement may not: it can only refer to files that exist already. */
export const mayAddFiles = ({ act }: LedgerRow): boolean => parseAct(act).kind !== "replace tender";

/** The daily number that the tender was given in this step, which is the one that created it; `undefined` in later steps. */
export function assignedNumber(before: Tender | undefined, { tenderID }: Tender): DailyNumber | undefined {
  const [, day, number] = (!before && /^UA-(\d{4,}-\d\d-\d\d)-(\d{6,})$/.exec(tenderID)) || [];
  return day === undefined ? undefined : { day, number: Number(number) };
}

/** The result of replaying all rows of a tender. */
export type TenderHistory = {
  /** The tender after its last row; undefined if a row does not fit, which `error` describes. */
  readonly tender: Tender | undefined;
  readonly error: string | undefined;
  readonly number: DailyNumber | undefined;
  /** All files that the tender ever referred to, with the first row that did. */
  readonly references: readonly { readonly file: ReferencedFile; readonly row: LedgerRow }[];
};

/** Replays the rows of one tender, which must be complete and in order. Does not throw: see `TenderHistory.error`. */
export function replayTender(rows: readonly LedgerRow[]): TenderHistory {
  let tender: Tender | undefined;
  let number: DailyNumber | undefined;
  const references: { file: ReferencedFile; row: LedgerRow }[] = [];
  try {
    for (const row of rows) {
      const after = tenderAfter(tender, row);
      number ??= assignedNumber(tender, after);
      for (const file of newFileReferences(tender, after)) references.push({ file, row });
      tender = after;
    }
  } catch (error) {
    return { tender: undefined, error: errorMessage(error), number, references };
  }
  return { tender, error: undefined, number, references };
}
