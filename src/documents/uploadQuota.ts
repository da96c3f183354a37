import { hashOf } from "../base/secrets.ts";
import type { Account } from "../domain/model/actors.ts";
import { type Instant, SECOND } from "../domain/values/time.ts";
import type { EntryKey, KeyValueEntry, KeyValueStore, Store, UploadTotal } from "../store/store.ts";

/**
 * Limits the pending uploads of each account in the document service. An upload counts from its first byte until it becomes a
 * document or expires. All processes share the count: it is in the database and changes in the same write as the entry it counts.
 */
export type UploadQuota = {
  /** Counts an upload of at most this size; false if the account is over its limit. */
  readonly reserve: (owner: string, key: string, bytes: number) => Promise<boolean>;
  /** Whether it would be reserved, for a dry run: nothing is written. */
  readonly hasRoom: (owner: string, bytes: number) => Promise<boolean>;
  /** Sets the reserved size to the actual one. */
  readonly settle: (owner: string, key: string, bytes: number) => Promise<void>;
  /** Removes an upload that no longer exists. */
  readonly release: (owner: string, key: string) => Promise<void>;
  /** Uploads have become documents: accounts at their limit are recounted at the next request. */
  readonly allowRecount: () => void;
};

/** For each account; 0 is unlimited. */
export type UploadQuotaLimits = { readonly files: number; readonly bytes: number };

export type UploadQuotaSettings = {
  readonly keyValues: KeyValueStore;
  readonly knownFiles: Store["knownFiles"];
  readonly clock: () => Instant;
  /** How long an upload may wait before it expires. */
  readonly expiresAfter: Instant;
  readonly limits: UploadQuotaLimits;
};

const totalKeyOf = (owner: string): EntryKey<"pending upload total"> => ({ kind: "pending upload total", id: owner });
const uploadKeyOf = (owner: string, key: string): EntryKey<"pending upload"> => ({
  kind: "pending upload",
  id: `${owner}/${key}`,
});

const PAGE_SIZE = 500;
/** A recount reads every entry of the account, so an account at its limit must not trigger one with every request. */
const RECOUNT_INTERVAL = SECOND;

/** The owner of uploads, as a hash: it appears in addresses that others see, which must not show the account's name. */
export const uploadOwner = ({ name }: Account): string => hashOf(`uploads\0${name}`).slice(0, 32);

const EMPTY_TOTAL: UploadTotal = { files: 0, bytes: 0 };

export function openUploadQuota({
  keyValues,
  knownFiles,
  clock,
  expiresAfter,
  limits,
}: UploadQuotaSettings): UploadQuota {
  const recounts = new Map<string, Promise<boolean>>();
  const recountedAt = new Map<string, number>();
  const fits = ({ files, bytes }: UploadTotal): boolean =>
    (limits.files === 0 || files <= limits.files) && (limits.bytes === 0 || bytes <= limits.bytes);

  /**
   * Sets the size of an upload's entry, or removes it if `bytes` is undefined, and updates the total; false if `isAllowed` refuses.
   * Retries if another process has changed one of the two entries in between.
   */
  async function change(
    owner: string,
    key: string,
    bytes: number | undefined,
    isAllowed: (after: UploadTotal, isCounted: boolean) => boolean,
  ): Promise<boolean> {
    const totalKey = totalKeyOf(owner);
    const entryKey = uploadKeyOf(owner, key);
    for (;;) {
      const total = await keyValues.find(totalKey);
      const entry = await keyValues.find(entryKey);
      if (bytes === undefined && !entry) return true;
      const before = total?.value ?? EMPTY_TOTAL;
      const after = {
        files: Math.max(0, before.files + (bytes === undefined ? 0 : 1) - (entry ? 1 : 0)),
        bytes: Math.max(0, before.bytes + (bytes ?? 0) - (entry?.value ?? 0)),
      };
      if (!isAllowed(after, entry !== undefined)) return false;
      const isWritten = await keyValues.put([
        { ...totalKey, value: after, before: total?.revision ?? 0 },
        {
          ...entryKey,
          before: entry?.revision ?? 0,
          ...(bytes === undefined
            ? { value: undefined }
            : { value: bytes, expiresAt: entry?.expiresAt ?? clock() + expiresAfter }),
        },
      ]);
      if (isWritten) return true;
    }
  }

  /** Counts the uploads that are still pending. `removesFinished`: also removes the entries of those that are not. */
  async function countPending(owner: string, removesFinished: boolean): Promise<UploadTotal> {
    let pending = EMPTY_TOTAL;
    const prefix = `${owner}/`;
    for (let beyond: string | undefined; ; ) {
      const own = await keyValues.list({ kind: "pending upload", where: { owner }, beyond, limit: PAGE_SIZE });
      const attachedKeys = await knownFiles(own.map(({ id }) => id.slice(prefix.length)));
      const isFinished = ({ id, expiresAt = Number.POSITIVE_INFINITY }: KeyValueEntry) =>
        attachedKeys.has(id.slice(prefix.length)) || expiresAt <= clock();
      for (const upload of own)
        if (!isFinished(upload)) pending = { files: pending.files + 1, bytes: pending.bytes + upload.value };
      const finished = own
        .filter(isFinished)
        .map(({ kind, id, revision }) => ({ kind, id, value: undefined, before: revision }));
      // If this fails, another process has removed them.
      if (removesFinished && finished.length > 0) await keyValues.put(finished);
      const lastOwn = own.at(-1);
      if (own.length < PAGE_SIZE || !lastOwn) return pending;
      beyond = lastOwn.id;
    }
  }

  /** Corrects the total; false if it was right already. */
  async function recount(owner: string): Promise<boolean> {
    const name = totalKeyOf(owner);
    for (;;) {
      const total = await keyValues.find(name);
      const value = await countPending(owner, true);
      const { files, bytes } = total?.value ?? EMPTY_TOTAL;
      if (value.files === files && value.bytes === bytes) return false;
      // If an upload arrived or ended in between, the total has changed: count again.
      if (await keyValues.put([{ ...name, value, before: total?.revision ?? 0 }])) return true;
    }
  }

  /** Shares one recount between concurrent callers, and skips it shortly after the last one. */
  function recountOnce(owner: string): Promise<boolean> {
    const running = recounts.get(owner);
    if (running) return running;
    const isRecent = clock() - (recountedAt.get(owner) ?? Number.NEGATIVE_INFINITY) < RECOUNT_INTERVAL;
    if (isRecent) return Promise.resolve(false);
    const recounting = recount(owner).finally(() => {
      recounts.delete(owner);
      recountedAt.set(owner, clock());
    });
    recounts.set(owner, recounting);
    return recounting;
  }

  return {
    async reserve(owner, key, bytes) {
      if (limits.files === 0 && limits.bytes === 0) return true;
      while (!(await change(owner, key, bytes, fits))) if (!(await recountOnce(owner))) return false;
      return true;
    },
    async hasRoom(owner, bytes) {
      const withUpload = (total: UploadTotal): UploadTotal => ({ files: total.files + 1, bytes: total.bytes + bytes });
      const counted = (await keyValues.find(totalKeyOf(owner)))?.value ?? EMPTY_TOTAL;
      return fits(withUpload(counted)) || fits(withUpload(await countPending(owner, false)));
    },
    settle: async (owner, key, bytes) => void (await change(owner, key, bytes, (_after, isCounted) => isCounted)),
    release: async (owner, key) => void (await change(owner, key, undefined, () => true)),
    allowRecount: () => recountedAt.clear(),
  };
}
