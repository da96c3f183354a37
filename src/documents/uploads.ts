import { setTimeout as pause } from "node:timers/promises";
import { type KeyedMutex, openKeyedMutex } from "../base/keyedMutex.ts";
import { DAY, HOUR, type Instant, SECOND } from "../domain/values/time.ts";
import type { Files, UploadRecord } from "../files/files.ts";
import { deleteDueEntries } from "../http/idempotency.ts";
import type { EntryKey, KeyValueStore, Store } from "../store/store.ts";
import { openUploadQuota, PENDING_UPLOAD, type UploadQuota, type UploadQuotaLimits } from "./uploadQuota.ts";

/** What came by the document service: it waits for a document to name it, and not for longer than a day. */
export type Uploads = {
  /** `isNamed`: a document names it, or did. What has waited too long is not there, whether or not it has been swept. */
  readonly find: (key: string) => Promise<(UploadRecord & { readonly isNamed: boolean }) | undefined>;
  /** One after the other, what is done with the same upload: nobody names what another names or sweeps. */
  readonly withLock: KeyedMutex;
  /** Unless another does so now, through whichever server: two who send the same file would take away each other's. */
  readonly receiveExclusively: <Done>(key: string, receive: () => Promise<Done>) => Promise<Done | "taken">;
  readonly quota: UploadQuota;
  /** Removes what has waited too long for a while; answers how many. */
  readonly sweep: () => Promise<number>;
};

export type UploadsSettings = {
  readonly files: Files;
  readonly knownFiles: Store["knownFiles"];
  readonly notes: KeyValueStore;
  readonly clock: () => Instant;
  readonly limits: UploadQuotaLimits;
};

const RECEIVING_KIND = "receiving";
/** Whoever has not said for so long that it still receives has died over it. */
const LEASE_DURATION = 30 * SECOND;
const LEASE_RENEWAL_MS = 10_000;
/** A file that is on its way may soon be there; whoever waits for one that stalls is told to come again. */
const LEASE_WAIT_MS = 3000;
const LEASE_POLL_MS = 50;

const PENDING_MAX = DAY;
/** Another server may have begun to name an upload in its last moment, which no turn of ours waits for. */
const SWEPT_AFTER = PENDING_MAX + HOUR;

export function openUploads({ files, knownFiles, notes, clock, limits }: UploadsSettings): Uploads {
  const withLock = openKeyedMutex();
  const quota = openUploadQuota({ notes, knownFiles, clock, expiresAfter: PENDING_MAX, limits });
  const isNamed = async (key: string) => (await knownFiles([key])).has(key);

  async function find(key: string) {
    const upload = await files.findUpload(key);
    if (!upload) return undefined;
    const named = await isNamed(key);
    return named || upload.at > clock() - PENDING_MAX ? { ...upload, isNamed: named } : undefined;
  }

  /** Not at all, if another holds it for longer than anybody waits. */
  async function acquireLease(name: EntryKey): Promise<{ before: number } | undefined> {
    const deadline = performance.now() + LEASE_WAIT_MS;
    for (;;) {
      const found = await notes.find(name);
      const lease = { before: found?.revision ?? 0 };
      if (!(found && found.dueAt! > clock()) && (await renewLease(name, lease))) return lease;
      if (performance.now() > deadline) return undefined;
      await pause(LEASE_POLL_MS);
    }
  }

  async function renewLease(name: EntryKey, lease: { before: number }): Promise<boolean> {
    const isRenewed = await notes.put([{ ...name, before: lease.before, text: "", dueAt: clock() + LEASE_DURATION }]);
    if (isRenewed) lease.before += 1;
    return isRenewed;
  }

  async function receiveExclusively<Done>(key: string, receive: () => Promise<Done>): Promise<Done | "taken"> {
    const name = { kind: RECEIVING_KIND, id: key };
    const lease = await acquireLease(name);
    if (!lease) return "taken";
    let renewal = Promise.resolve(true);
    const timer = setInterval(() => {
      renewal = renewLease(name, lease).catch(() => false);
    }, LEASE_RENEWAL_MS);
    try {
      return await receive();
    } finally {
      clearInterval(timer);
      await renewal;
      // Where this fails, it is over by itself soon.
      await notes.put([{ ...name, before: lease.before, text: undefined }]).catch(() => {});
    }
  }

  /** What is named but could not be kept when it was, is kept now. */
  const settle = async (key: string): Promise<boolean> => {
    const named = await isNamed(key);
    await (named ? files.keep(key) : files.discard(key));
    return !named;
  };

  async function sweep(): Promise<number> {
    let removed = 0;
    const expiredKeys = await files.waitingSince(clock() - SWEPT_AFTER);
    for (const key of expiredKeys) if (await withLock(key, () => settle(key))) removed += 1;
    await deleteDueEntries(notes, RECEIVING_KIND, clock());
    await deleteDueEntries(notes, PENDING_UPLOAD, clock());
    return removed;
  }

  return { find, withLock, receiveExclusively, quota, sweep };
}

const HOUR_MS = 60 * 60 * 1000;

/** Before it resolves, and then every hour until it is stopped. */
export async function startPeriodicSweep(
  sweep: () => Promise<number>,
  onSwept: (removed: number) => void,
  onFailure: (error: unknown) => void,
): Promise<{ readonly stop: () => Promise<void> }> {
  let running = Promise.resolve();
  const run = () => {
    running = sweep().then((removed) => void (removed > 0 && onSwept(removed)), onFailure);
    return running;
  };
  await run();
  const timer = setInterval(run, HOUR_MS).unref();
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}
