import { isPlain } from "../domain/merge.ts";
import { documentsIn } from "../domain/replacing.ts";
import type { Document, Tender } from "../domain/tender.ts";
import { type Operation, patched } from "../registry/patch.ts";
import { REPLACES } from "../registry/registry.ts";
import type { LedgerRow, NumberOfDay } from "../store/store.ts";

/** What the ledger alone tells of a tender: its rows, one after the other, make it anew. */

/** The tender after a row; throws where the row does not lead to one. */
export function tenderAfter(before: Tender | undefined, { sequence, tender: id, patch }: LedgerRow): Tender {
  try {
    const after = patched(before, JSON.parse(patch) as readonly Operation[]);
    if (!isPlain(after)) throw new Error("it leads to no tender");
    if (after.id !== id) throw new Error("it leads to another tender");
    return after as unknown as Tender;
  } catch (error) {
    throw new Error(`row ${sequence}: ${(error as Error).message}`);
  }
}

/** A file that a document names, with all that is known of it. */
export type NamedFile = {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
  readonly md5?: string;
  readonly tender: string;
};

/** The files that a tender names and that it did not name before. */
export function newlyNamed(before: Tender | undefined, after: Tender): readonly NamedFile[] {
  const seen = new Set(before && documentsIn(before).map(({ document }) => identityOf(document)));
  return documentsIn(after).flatMap(({ document }) => {
    if (seen.has(identityOf(document))) return [];
    seen.add(identityOf(document));
    const { key, size, sha256, hash } = document;
    const md5 = hash?.startsWith("md5:") ? hash.slice("md5:".length) : undefined;
    return [{ key, size, sha256, ...(md5 && { md5 }), tender: after.id }];
  });
}

const identityOf = ({ key, size, sha256, hash }: Document): string => [key, size, sha256, hash].join();

/** An operator's replacement brings no file: whatever it names was there before, or nowhere. */
export const bringsFiles = ({ act }: LedgerRow): boolean => !act.startsWith(REPLACES);

/** A tender takes its number when it is made, and keeps it. */
export function numberTaken(before: Tender | undefined, { tenderID }: Tender): NumberOfDay | undefined {
  const [, day, number] = (!before && /^UA-(\d{4,}-\d\d-\d\d)-(\d{6,})$/.exec(tenderID)) || [];
  return day === undefined ? undefined : { day, number: Number(number) };
}

export type Life = {
  /** As its last row left it; undefined where the rows lead nowhere, and `broken` says why. */
  readonly tender: Tender | undefined;
  readonly broken: string | undefined;
  readonly taken: NumberOfDay | undefined;
  /** All that it ever named, with the row that did. */
  readonly named: readonly { readonly file: NamedFile; readonly row: LedgerRow }[];
};

export function lifeOf(rows: readonly LedgerRow[]): Life {
  let tender: Tender | undefined;
  let taken: NumberOfDay | undefined;
  const named: { file: NamedFile; row: LedgerRow }[] = [];
  try {
    for (const row of rows) {
      const after = tenderAfter(tender, row);
      taken ??= numberTaken(tender, after);
      for (const file of newlyNamed(tender, after)) named.push({ file, row });
      tender = after;
    }
  } catch (error) {
    return { tender: undefined, broken: (error as Error).message, taken, named };
  }
  return { tender, broken: undefined, taken, named };
}
