import { setTimeout as pause } from "node:timers/promises";
import { type KeyedMutex, openKeyedMutex } from "../base/keyedMutex.ts";
import { DAY, HOUR, type Instant, SECOND } from "../domain/values/time.ts";
import type { Files, UploadRecord } from "../files/files.ts";
import type { EntryKey, KeyValueStore, Store } from "../store/store.ts";
import { openUploadQuota, type UploadQuota, type UploadQuotaLimits } from "./uploadQuota.ts";

/** The uploads of the document service. An upload expires after a day unless it is attached to a tender as a document. */
export type Uploads = {
  /** Undefined if it does not exist or has expired. `isAttached`: a document uses it, or did. */
  readonly find: (key: string) => Promise<(UploadRecord & { readonly isAttached: boolean }) | undefined>;
  /** Serialises the work of this process on one upload, so that it is not attached twice, or swept while it is attached. */
  readonly withLock: KeyedMutex;
  /**
   * Runs `receive` while holding a lease on the key that all servers see: two concurrent uploads to one key would delete each other's
   * file. Returns "taken" if another request holds the lease for longer than a few seconds.
   */
  readonly receiveExclusively: <Result>(key: string, receive: () => Promise<Result>) => Promise<Result | "taken">;
  readonly quota: UploadQuota;
  /** Removes expired uploads; returns their number. */
  readonly sweep: () => Promise<number>;
};

export type UploadsSettings = {
  readonly files: Files;
  readonly knownFiles: Store["knownFiles"];
  readonly keyValues: KeyValueStore;
  readonly clock: () => Instant;
  readonly limits: UploadQuotaLimits;
};

type LeaseKey = EntryKey<"upload lease">;
/** A lease that was not renewed for this long belongs to a process that has crashed. */
const LEASE_DURATION = 30 * SECOND;
const LEASE_RENEWAL_MS = 10_000;
/** How long to wait for another upload to the same key, before the client is asked to retry. */
const LEASE_WAIT_MS = 3000;
const LEASE_POLL_MS = 50;

const PENDING_MAX = DAY;
/** Later than the expiry, because another server may have started to attach an upload just before it expired. */
const SWEPT_AFTER = PENDING_MAX + HOUR;

export function openUploads({ files, knownFiles, keyValues, clock, limits }: UploadsSettings): Uploads {
  const withLock = openKeyedMutex();
  const quota = openUploadQuota({ keyValues, knownFiles, clock, expiresAfter: PENDING_MAX, limits });
  const isAttached = async (key: string) => (await knownFiles([key])).has(key);

  async function find(key: string) {
    const upload = await files.findUpload(key);
    if (!upload) return undefined;
    const attached = await isAttached(key);
    return attached || upload.at > clock() - PENDING_MAX ? { ...upload, isAttached: attached } : undefined;
  }

  /** Undefined if another request holds the lease for longer than LEASE_WAIT_MS. `before` is the revision of its entry. */
  async function acquireLease(name: LeaseKey): Promise<{ before: number } | undefined> {
    const deadline = performance.now() + LEASE_WAIT_MS;
    for (;;) {
      const current = await keyValues.find(name);
      const lease = { before: current?.revision ?? 0 };
      const isHeld = current?.expiresAt !== undefined && current.expiresAt > clock();
      if (!isHeld && (await renewLease(name, lease))) return lease;
      if (performance.now() > deadline) return undefined;
      await pause(LEASE_POLL_MS);
    }
  }

  async function renewLease(name: LeaseKey, lease: { before: number }): Promise<boolean> {
    const isRenewed = await keyValues.put([
      { ...name, before: lease.before, value: "", expiresAt: clock() + LEASE_DURATION },
    ]);
    if (isRenewed) lease.before += 1;
    return isRenewed;
  }

  async function receiveExclusively<Result>(key: string, receive: () => Promise<Result>): Promise<Result | "taken"> {
    const name: LeaseKey = { kind: "upload lease", id: key };
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
      // If this fails, the lease expires by itself.
      await keyValues.put([{ ...name, before: lease.before, value: undefined }]).catch(() => {});
    }
  }

  /** Removes an expired upload, and returns true; but an attached file that could not be marked as permanent is marked now. */
  const settle = async (key: string): Promise<boolean> => {
    const attached = await isAttached(key);
    await (attached ? files.keep(key) : files.discard(key));
    return !attached;
  };

  async function sweep(): Promise<number> {
    let removed = 0;
    const expiredKeys = await files.waitingSince(clock() - SWEPT_AFTER);
    for (const key of expiredKeys) if (await withLock(key, () => settle(key))) removed += 1;
    return removed;
  }

  return { find, withLock, receiveExclusively, quota, sweep };
}

const HOUR_MS = 60 * 60 * 1000;

/** Sweeps once before it resolves, and then every hour until it is stopped. */
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
