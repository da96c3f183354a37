import type { Document, Tender } from "../domain/model/tender.ts";
import { allDocuments } from "../domain/replacement.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import type { DailyNumber, LedgerRow } from "../store/store.ts";
import { REPLACE_ACT_PREFIX } from "./acts.ts";
import { applyPatch, type PatchOperation } from "./patch.ts";

/** What the ledger alone tells of a tender: its rows, one after the other, make it anew. */

/** The tender after a row; throws where the row does not lead to one. */
export function tenderAfter(before: Tender | undefined, { sequence, tender: id, patch }: LedgerRow): Tender {
  try {
    const after = applyPatch(before, JSON.parse(patch) as readonly PatchOperation[]);
    if (!isPlainObject(after)) throw new Error("it leads to no tender");
    if (after.id !== id) throw new Error("it leads to another tender");
    return after as unknown as Tender;
  } catch (error) {
    throw new Error(`row ${sequence}: ${(error as Error).message}`);
  }
}

/** A file that a document names, with all that is known of it. */
export type ReferencedFile = {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
  readonly md5?: string;
  readonly tender: string;
};

/** The files that a tender names and that it did not name before. */
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

/** An operator's replacement brings no file: whatever it names was there before, or nowhere. */
export const mayAddFiles = ({ act }: LedgerRow): boolean => !act.startsWith(REPLACE_ACT_PREFIX);

/** A tender takes its number when it is made, and keeps it. */
export function assignedNumber(before: Tender | undefined, { tenderID }: Tender): DailyNumber | undefined {
  const [, day, number] = (!before && /^UA-(\d{4,}-\d\d-\d\d)-(\d{6,})$/.exec(tenderID)) || [];
  return day === undefined ? undefined : { day, number: Number(number) };
}

export type TenderHistory = {
  /** As its last row left it; undefined where the rows lead nowhere, and `broken` says why. */
  readonly tender: Tender | undefined;
  readonly error: string | undefined;
  readonly number: DailyNumber | undefined;
  /** All that it ever named, with the row that did. */
  readonly references: readonly { readonly file: ReferencedFile; readonly row: LedgerRow }[];
};

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
    return { tender: undefined, error: (error as Error).message, number, references };
  }
  return { tender, error: undefined, number, references };
}
