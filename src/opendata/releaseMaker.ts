import { openLru } from "../base/lru.ts";
import type { Instant } from "../domain/values/time.ts";
import type { ViewSettings } from "../history/publicVersions.ts";
import { openLease } from "../registry/lease.ts";
import type { Registry } from "../registry/registry.ts";
import {
  type EntryKey,
  type EntryWrite,
  type LedgerRow,
  type ReleasePosition,
  releaseEntryId,
  type Store,
  StoreUnavailableError,
} from "../store/store.ts";
import { openPacing } from "./pacing.ts";
import { applyRow, progressBefore, type ReleaseProgress } from "./releaseProgress.ts";

export type ReleaseMakerSettings = {
  readonly store: Pick<Store, "clock" | "keyValues" | "ledger" | "ledgerOf" | "position" | "write">;
  readonly registry: Pick<Registry, "onChange">;
  readonly viewSettings: ViewSettings;
  /** No other process serves this registry. */
  readonly isSoleProcess: boolean;
  /** Memory for the states of tenders that changed of late. */
  readonly cacheBytesMax: number;
  /** Called after each batch: the last row of the ledger that was looked at, the last that there is, and the number of new releases. */
  readonly onBatch?: (batch: { readonly done: number; readonly total: number; readonly made: number }) => void;
  /** Called for a row that makes no release because of an error; the work continues with the next one. */
  readonly onBadRow: (error: unknown, row: LedgerRow) => void;
  readonly onFailure: (error: unknown) => void;
  /** Whether the maker wakes up by itself; otherwise it works only while somebody waits for it. */
  readonly runsTimer?: boolean | undefined;
};

/**
 * Makes the OCDS releases of a registry, from its ledger and in its order. It works beside requests, so writes do not wait for it; the
 * same code makes the releases of everything that a registry had before.
 */
export type ReleaseMaker = {
  /** How far releases are made. All up to it are stored, and none after it. */
  readonly position: () => Promise<ReleasePosition>;
  /** Waits until the releases up to an instant are made, for a short time; returns how far they are. */
  readonly waitFor: (at: Instant) => Promise<ReleasePosition>;
  /** Makes all releases that are left, without a limit of time; for commands, which nobody waits for. */
  readonly catchUp: () => Promise<void>;
  /** Stops after the batch in progress. */
  readonly stop: () => Promise<void>;
};

const POSITION_KEY: EntryKey<"release position"> = { kind: "release position", id: "position" };
const LEASE_KEY: EntryKey<"dispatcher lease"> = { kind: "dispatcher lease", id: "releases" };
const START: ReleasePosition = { sequence: 0, at: 0 };

const ROWS_AT_ONCE = 64;
/** A batch ends after so many bytes of states in memory, which are some of the largest tenders. */
const BATCH_BYTES_MAX = 64 * 1024 * 1024;
/** A batch ends after this time, so that readers see how far it has come. */
const BATCH_MS = 250;
/** Changes of other processes are noticed by looking for them. */
const POLL_MS = 500;
/** Changes within this time go into one batch, unless somebody waits for them. */
const COLLECT_MS = 100;
const FAILED_MS = 1000;
/** A reader gets what is there after this time, or at once if more changes than this are waiting. */
const WAIT_MS_MAX = 3000;
const WAIT_ROWS_MAX = 1000;
const WAIT_POLL_MS = 20;

/** How far the releases of a registry are made. */
export const releasePosition = async ({ find }: Store["keyValues"]): Promise<ReleasePosition> =>
  (await find(POSITION_KEY))?.value ?? START;

export function openReleaseMaker(settings: ReleaseMakerSettings): ReleaseMaker {
  const { store, registry, isSoleProcess, runsTimer = true } = settings;
  const lease = openLease(store, LEASE_KEY, isSoleProcess);
  let waiting = 0;
  const makeBatch = openBatches(settings, () => waiting > 0);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  const position = () => releasePosition(store.keyValues);

  /** Makes batches until there is nothing left to do for this process. */
  async function run(): Promise<void> {
    for (;;) {
      if (stopped) return;
      const end = await store.position();
      if ((await position()).sequence >= end) return;
      if (!isSoleProcess && (await lease.acquire()) === "another's") return;
      await makeBatch(end);
    }
  }

  function wake(): void {
    clearTimeout(timer);
    if (stopped) return;
    running ??= run()
      .then(
        () => POLL_MS,
        (error) => {
          // The ticker already reports an outage of the store.
          if (!(error instanceof StoreUnavailableError)) settings.onFailure(error);
          return FAILED_MS;
        },
      )
      .then((pauseMs) => {
        running = undefined;
        if (runsTimer) sleep(pauseMs);
      });
  }

  function sleep(ms: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(wake, ms).unref();
  }

  async function waitFor(at: Instant): Promise<ReleasePosition> {
    const started = performance.now();
    const first = await position();
    if (first.at >= at || (await store.position()) - first.sequence > WAIT_ROWS_MAX) return first;
    waiting++;
    try {
      for (;;) {
        const current = await position();
        if (current.at >= at || stopped || performance.now() - started > WAIT_MS_MAX) return current;
        wake();
        await Promise.race([running, new Promise((resolve) => setTimeout(resolve, WAIT_POLL_MS))]);
      }
    } finally {
      waiting--;
    }
  }

  const unsubscribe = registry.onChange(() => {
    if (runsTimer && !running && waiting === 0) sleep(COLLECT_MS);
  });
  if (runsTimer) wake();
  return {
    position,
    waitFor,
    catchUp: async () => {
      waiting++;
      await run().finally(() => {
        waiting--;
      });
    },
    stop: async () => {
      stopped = true;
      unsubscribe();
      clearTimeout(timer);
      await running;
      await lease.release().catch(() => {});
    },
  };
}

/** Makes one batch of releases after another. They are written together with the new position: all of them or none. */
function openBatches(settings: ReleaseMakerSettings, isUrgent: () => boolean) {
  const { store, viewSettings, cacheBytesMax, onBatch, onBadRow } = settings;
  const states = openLru<ReleaseProgress>(cacheBytesMax);
  const pacing = openPacing(isUrgent);
  /** The position that `states` belong to. */
  let known: ReleasePosition = START;

  async function stateOf(row: LedgerRow, changed: ReadonlyMap<string, ReleaseProgress>) {
    return changed.get(row.tender) ?? states.get(row.tender) ?? (await progressBefore(store, row.tender, row.at));
  }

  /** The template of the release that a row leads to, if it does. Adds the new state of the tender to `changed`. */
  async function follow(row: LedgerRow, changed: Map<string, ReleaseProgress>): Promise<string | undefined> {
    // A row of a bid changes nothing public. If the tender is needed later, it is read with that bid.
    if (row.kind === "bid" && !changed.has(row.tender) && !states.has(row.tender)) return undefined;
    try {
      const { progress, template } = applyRow(await stateOf(row, changed), row, viewSettings);
      changed.set(row.tender, progress);
      return template;
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      onBadRow(error, row);
      changed.delete(row.tender);
      states.drop(row.tender);
      return undefined;
    }
  }

  async function makeBatch(end: number): Promise<void> {
    const entry = await store.keyValues.find(POSITION_KEY);
    const from = entry?.value ?? START;
    // Another process made the releases in between.
    if (from.sequence !== known.sequence) states.clear();
    const started = performance.now();
    const releases: EntryWrite[] = [];
    const changed = new Map<string, ReleaseProgress>();
    let upTo = from;
    let bytes = 0;
    for (const row of await store.ledger(from.sequence, ROWS_AT_ONCE)) {
      const template = await follow(row, changed);
      if (template !== undefined)
        releases.push({ kind: "release", id: releaseEntryId(row.at, row.tender), value: template });
      upTo = { sequence: row.sequence, at: row.at };
      bytes += changed.get(row.tender)?.bytes ?? 0;
      if (bytes > BATCH_BYTES_MAX || performance.now() - started > BATCH_MS) break;
      await pacing.step();
    }
    known = START;
    if (!(await save(entry?.revision, releases, upTo))) return states.clear();
    known = upTo;
    for (const [tender, progress] of changed) states.put(tender, progress, progress.bytes);
    onBatch?.({ done: upTo.sequence, total: end, made: releases.length });
  }

  /** Returns false, with nothing written, if another process has moved the position meanwhile. */
  const save = (revision: number | undefined, releases: readonly EntryWrite[], upTo: ReleasePosition) =>
    store.write<boolean>(
      undefined,
      (_none, { entries }) =>
        entries.find(POSITION_KEY)?.revision === revision
          ? { result: true, entries: [...releases, { ...POSITION_KEY, value: upTo }] }
          : { result: false },
      [POSITION_KEY],
    );

  return makeBatch;
}
