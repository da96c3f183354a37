import type { Account } from "../domain/actors.ts";
import { type Instant, SECOND } from "../domain/time.ts";
import { hashOf } from "../registry/secrets.ts";
import type { Note, NoteName, Notes, Store } from "../store/store.ts";

/**
 * How much one account may have waiting with the document service. An upload counts from its first byte until it becomes a document
 * or expires. All processes share the count: it is in the database, and changes only together with the entry that it counts.
 */
export type UploadQuota = {
  /** Counts an upload of at most this size; false, where the account has too much waiting already. */
  readonly reserve: (owner: string, key: string, bytes: number) => Promise<boolean>;
  /** Whether it would be reserved, for a dry run: nothing is written. */
  readonly hasRoom: (owner: string, bytes: number) => Promise<boolean>;
  /** What was reserved turned out to be this size. */
  readonly settle: (owner: string, key: string, bytes: number) => Promise<void>;
  /** Nothing of the upload is left. */
  readonly release: (owner: string, key: string) => Promise<void>;
  /** Uploads have become documents: whoever is at the limit is counted anew at the next request. */
  readonly freed: () => void;
};

export type QuotaLimits = { readonly files: number; readonly bytes: number };

export type QuotaSettings = {
  readonly notes: Notes;
  readonly knownFiles: Store["knownFiles"];
  readonly clock: () => Instant;
  /** For how long an upload waits. */
  readonly waits: Instant;
  /** 0 is unlimited. */
  readonly limits: QuotaLimits;
};

/** One note for each pending upload, `OWNER/KEY`, with its size. */
export const PENDING_UPLOAD = "pending upload";
/** One note for each account with the sum of those; it may be too high, never too low. */
const PENDING_TOTAL = "pending uploads";

const PAGE = 500;
/** Counting anew reads every entry of an account, so an account that is at its limit does not cause it at will. */
const RECOUNTED_EVERY = SECOND;

/** Whose uploads these are; addresses that are given to others show nothing of the account's name. */
export const uploadOwner = ({ name }: Account): string => hashOf(`uploads\0${name}`).slice(0, 32);

type Total = { readonly files: number; readonly bytes: number };
const NOTHING: Total = { files: 0, bytes: 0 };

export function openUploadQuota({ notes, knownFiles, clock, waits, limits }: QuotaSettings): UploadQuota {
  const recounts = new Map<string, Promise<boolean>>();
  const recountedAt = new Map<string, number>();
  const totalOf = (note: Note | undefined): Total => (note ? JSON.parse(note.text) : NOTHING);
  const fits = ({ files, bytes }: Total): boolean =>
    (limits.files === 0 || files <= limits.files) && (limits.bytes === 0 || bytes <= limits.bytes);

  /** Sets the size of one entry, or removes it, and the total with it; false where `isAllowed` says so. */
  async function change(
    owner: string,
    key: string,
    bytes: number | undefined,
    isAllowed: (after: Total, isCounted: boolean) => boolean,
  ): Promise<boolean> {
    const totalName: NoteName = { kind: PENDING_TOTAL, id: owner };
    const entryName: NoteName = { kind: PENDING_UPLOAD, id: `${owner}/${key}` };
    for (;;) {
      const total = await notes.find(totalName);
      const entry = await notes.find(entryName);
      if (bytes === undefined && !entry) return true;
      const before = totalOf(total);
      const after = {
        files: Math.max(0, before.files + (bytes === undefined ? 0 : 1) - (entry ? 1 : 0)),
        bytes: Math.max(0, before.bytes + (bytes ?? 0) - Number(entry?.text ?? 0)),
      };
      if (!isAllowed(after, entry !== undefined)) return false;
      const done = await notes.put([
        { ...totalName, text: JSON.stringify(after), before: total?.revision ?? 0 },
        {
          ...entryName,
          text: bytes === undefined ? undefined : String(bytes),
          dueAt: entry?.dueAt ?? clock() + waits,
          before: entry?.revision ?? 0,
        },
      ]);
      if (done) return true;
    }
  }

  /** What really waits; entries of what does not may be removed on the way. */
  async function countLive(owner: string, removesOthers: boolean): Promise<Total> {
    let live = NOTHING;
    const prefix = `${owner}/`;
    for (let beyond = prefix; ; ) {
      const page = await notes.list({ kind: PENDING_UPLOAD, beyond, limit: PAGE });
      const own = page.filter(({ id }) => id.startsWith(prefix));
      const named = await knownFiles(own.map(({ id }) => id.slice(prefix.length)));
      const isOver = ({ id, dueAt }: Note) => named.has(id.slice(prefix.length)) || dueAt! <= clock();
      for (const one of own) if (!isOver(one)) live = { files: live.files + 1, bytes: live.bytes + Number(one.text) };
      const over = own
        .filter(isOver)
        .map(({ kind, id, revision }) => ({ kind, id, text: undefined, before: revision }));
      // Where somebody else was quicker, they are gone already.
      if (removesOthers && over.length > 0) await notes.put(over);
      if (own.length < PAGE) return live;
      beyond = own.at(-1)!.id;
    }
  }

  /** Brings the total down to what really waits; false, if it was that already. */
  async function recount(owner: string): Promise<boolean> {
    const name: NoteName = { kind: PENDING_TOTAL, id: owner };
    for (;;) {
      const total = await notes.find(name);
      const text = JSON.stringify(await countLive(owner, true));
      if (text === (total?.text ?? JSON.stringify(NOTHING))) return false;
      // An upload that came or went meanwhile has changed the total: then it is counted once more.
      if (await notes.put([{ ...name, text, before: total?.revision ?? 0 }])) return true;
    }
  }

  /** The same, once for all who ask for it together, and not again at once. */
  function recountOnce(owner: string): Promise<boolean> {
    const underWay = recounts.get(owner);
    if (underWay) return underWay;
    const isRecent = clock() - (recountedAt.get(owner) ?? Number.NEGATIVE_INFINITY) < RECOUNTED_EVERY;
    if (isRecent) return Promise.resolve(false);
    const counting = recount(owner).finally(() => {
      recounts.delete(owner);
      recountedAt.set(owner, clock());
    });
    recounts.set(owner, counting);
    return counting;
  }

  return {
    async reserve(owner, key, bytes) {
      if (limits.files === 0 && limits.bytes === 0) return true;
      while (!(await change(owner, key, bytes, fits))) if (!(await recountOnce(owner))) return false;
      return true;
    },
    async hasRoom(owner, bytes) {
      const withThis = (total: Total): Total => ({ files: total.files + 1, bytes: total.bytes + bytes });
      const counted = totalOf(await notes.find({ kind: PENDING_TOTAL, id: owner }));
      return fits(withThis(counted)) || fits(withThis(await countLive(owner, false)));
    },
    settle: async (owner, key, bytes) => void (await change(owner, key, bytes, (_after, isCounted) => isCounted)),
    release: async (owner, key) => void (await change(owner, key, undefined, () => true)),
    freed: () => recountedAt.clear(),
  };
}
