import { heapBytesOf } from "../base/heapBytes.ts";
import { openLru } from "../base/lru.ts";
import { newId } from "../base/secrets.ts";
import type { ViewSettings } from "../history/publicVersions.ts";
import {
  type EntryKey,
  type EntryWrite,
  type LedgerRow,
  type ReleasePosition,
  releaseEntryId,
  type Store,
  StoreUnavailableError,
} from "../store/store.ts";
import { applyRow, progressBefore, type ReleaseProgress } from "./releaseProgress.ts";

export type BatchSettings = {
  readonly store: Pick<Store, "keyValues" | "ledger" | "ledgerOf" | "write">;
  readonly viewSettings: ViewSettings;
  /** Memory for the states of tenders that changed of late. */
  readonly cacheBytesMax: number;
  /** Called after each batch: the last row of the ledger that was looked at, the last that there is, and the number of new releases. */
  readonly onBatch?: (batch: { readonly done: number; readonly total: number; readonly made: number }) => void;
  /** Called for a row that makes no release because of an error; the work continues with the next one. */
  readonly onBadRow: (error: unknown, row: LedgerRow) => void;
};

const POSITION_KEY: EntryKey<"release position"> = { kind: "release position", id: "position" };
const START: ReleasePosition = { sequence: 0, at: 0 };

const ROWS_AT_ONCE = 64;
/** A batch ends after so many bytes of states in memory, which are some of the largest tenders. */
const BATCH_BYTES_MAX = 64 * 1024 * 1024;
/** A batch ends after this time, so that readers see how far it has come. */
const BATCH_MS = 250;
/** Releases that are removed at once. */
const REMOVED_AT_ONCE = 100;

/** How far the releases of a registry are made. */
export const releasePosition = async ({ find }: Pick<Store["keyValues"], "find">): Promise<ReleasePosition> =>
  (await find(POSITION_KEY))?.value ?? START;

/**
 * Asks for all releases to be made again, for example after a mistake in making them was corrected. The next batches of a maker, in
 * whichever process, remove those that are stored and then start over. Interrupted, they continue.
 */
export const requestRebuild = ({ write }: Pick<Store, "write">): Promise<void> =>
  write<void>(
    undefined,
    () => ({ result: undefined, entries: [{ ...POSITION_KEY, value: { ...newStart(), isRebuilding: true } }] }),
    [POSITION_KEY],
  );

/** The position before the first release of a new generation. */
const newStart = (): ReleasePosition => ({ ...START, generation: newId() });

/** What rows have led to, before it is stored. */
type Batch = {
  readonly releases: EntryWrite[];
  /** The new states of the tenders. */
  readonly changed: Map<string, ReleaseProgress>;
  /** The last row. */
  upTo: ReleasePosition;
  /** The approximate memory that it takes. */
  bytes: number;
};

/**
 * Makes one batch of releases after another. They are written together with the new position: all of them or none. `step` is called
 * after each small piece of work, and waits if it is time for a pause.
 */
export function openReleaseBatches(
  settings: BatchSettings,
  step: () => Promise<void>,
): (lastSequence: number) => Promise<void> {
  const { store, viewSettings, cacheBytesMax, onBatch, onBadRow } = settings;
  const states = openLru<ReleaseProgress>(cacheBytesMax);
  /** The revision of the position that `states` belong to. */
  let knownRevision: number | undefined;

  /** Adds to the batch what a row leads to. */
  async function follow(row: LedgerRow, batch: Batch): Promise<void> {
    const { changed } = batch;
    const { tender, at } = row;
    const cached = changed.get(tender) ?? states.get(tender);
    // A row of a bid changes nothing public. If the tender is needed later, it is read with that bid.
    if (row.kind === "bid" && !cached) return;
    const before = cached ?? (await progressBefore(store, tender, at, step));
    const { progress, template } = applyRow(before, row, viewSettings);
    batch.bytes += progress.bytes - (changed.get(tender)?.bytes ?? 0);
    changed.set(tender, progress);
    if (template === undefined) return;
    batch.releases.push({ kind: "release", id: releaseEntryId(at, tender), value: template });
    batch.bytes += heapBytesOf(template);
  }

  /**
   * Follows the next rows. A row that fails ends the batch before it, so that the releases before it are stored: those after it are made
   * from them. At the beginning of a batch, such a row is skipped.
   */
  async function followRows(from: ReleasePosition): Promise<Batch> {
    const started = performance.now();
    const batch: Batch = { releases: [], changed: new Map(), upTo: from, bytes: 0 };
    for (const row of await store.ledger(from.sequence, ROWS_AT_ONCE)) {
      try {
        await follow(row, batch);
      } catch (error) {
        if (error instanceof StoreUnavailableError) throw error;
        states.drop(row.tender);
        if (batch.upTo !== from) return batch;
        onBadRow(error, row);
      }
      batch.upTo = { ...from, sequence: row.sequence, at: row.at };
      if (batch.bytes > BATCH_BYTES_MAX || performance.now() - started > BATCH_MS) break;
      await step();
    }
    return batch;
  }

  /** Writes the entries and the new position. Returns false, with nothing written, if another process has moved the position meanwhile. */
  const save = (revision: number | undefined, entries: readonly EntryWrite[], upTo: ReleasePosition) =>
    store.write<boolean>(
      undefined,
      (_none, context) =>
        context.entries.find(POSITION_KEY)?.revision === revision
          ? { result: true, entries: [...entries, { ...POSITION_KEY, value: upTo }] }
          : { result: false },
      [POSITION_KEY],
    );

  /**
   * Removes some of the stored releases. The last such batch sets the position to the start, of another generation: what was copied
   * during the removal is not what will be there.
   */
  async function removeBatch(revision: number | undefined, position: ReleasePosition): Promise<void> {
    const stored = await store.keyValues.list({ kind: "release", limit: REMOVED_AT_ONCE });
    const removals = stored.map(({ kind, id }): EntryWrite => ({ kind, id, value: undefined }));
    const isLast = stored.length < REMOVED_AT_ONCE;
    await save(revision, removals, isLast ? newStart() : position);
    await step();
  }

  return async (lastSequence) => {
    const entry = await store.keyValues.find(POSITION_KEY);
    const revision = entry?.revision;
    const from: ReleasePosition = { ...newStart(), ...entry?.value };
    // Otherwise another process made the releases in between.
    if (revision === undefined || revision !== knownRevision) states.clear();
    knownRevision = undefined;
    if (from.isRebuilding) return removeBatch(revision, from);
    const { releases, changed, upTo } = await followRows(from);
    if (!(await save(revision, releases, upTo))) return;
    knownRevision = (revision ?? 0) + 1;
    for (const [tender, progress] of changed) states.put(tender, progress, progress.bytes);
    onBatch?.({ done: upTo.sequence, total: lastSequence, made: releases.length });
  };
}
