import { setTimeout as pause } from "node:timers/promises";
import { DAY, HOUR, type Instant, SECOND } from "../domain/time.ts";
import type { Files, UploadRecord } from "../files/files.ts";
import { type InTurn, openTurns } from "../registry/turns.ts";
import type { NoteName, Notes, Store } from "../store/store.ts";
import { forgetDue } from "./once.ts";
import { openUploadQuota, PENDING_UPLOAD, type QuotaLimits, type UploadQuota } from "./uploadQuota.ts";

/** What came by the document service: it waits for a document to name it, and not for longer than a day. */
export type Uploads = {
  /** `isNamed`: a document names it, or did. What has waited too long is not there, whether or not it has been swept. */
  readonly find: (key: string) => Promise<(UploadRecord & { readonly isNamed: boolean }) | undefined>;
  /** One after the other, what is done with the same upload: nobody names what another names or sweeps. */
  readonly inTurn: InTurn;
  /** Unless another does so now, through whichever server: two who send the same file would take away each other's. */
  readonly alone: <Done>(key: string, receive: () => Promise<Done>) => Promise<Done | "taken">;
  readonly quota: UploadQuota;
  /** Removes what has waited too long for a while; answers how many. */
  readonly sweep: () => Promise<number>;
};

export type UploadsSettings = {
  readonly files: Files;
  readonly knownFiles: Store["knownFiles"];
  readonly notes: Notes;
  readonly clock: () => Instant;
  readonly limits: QuotaLimits;
};

const RECEIVING = "receiving";
/** Whoever has not said for so long that it still receives has died over it. */
const HELD = 30 * SECOND;
const HELD_AGAIN_MS = 10_000;
/** A file that is on its way may soon be there; whoever waits for one that stalls is told to come again. */
const PATIENCE_MS = 3000;
const LOOK_MS = 50;

const WAITING_MAX = DAY;
/** Another server may have begun to name an upload in its last moment, which no turn of ours waits for. */
const SWEPT_AFTER = WAITING_MAX + HOUR;

export function openUploads({ files, knownFiles, notes, clock, limits }: UploadsSettings): Uploads {
  const inTurn = openTurns();
  const quota = openUploadQuota({ notes, knownFiles, clock, waits: WAITING_MAX, limits });
  const isNamed = async (key: string) => (await knownFiles([key])).has(key);

  async function find(key: string) {
    const upload = await files.uploaded(key);
    if (!upload) return undefined;
    const named = await isNamed(key);
    return named || upload.at > clock() - WAITING_MAX ? { ...upload, isNamed: named } : undefined;
  }

  /** Not at all, if another holds it for longer than anybody waits. */
  async function takeHold(name: NoteName): Promise<{ before: number } | undefined> {
    const patience = performance.now() + PATIENCE_MS;
    for (;;) {
      const found = await notes.find(name);
      const held = { before: found?.revision ?? 0 };
      if (!(found && found.dueAt! > clock()) && (await hold(name, held))) return held;
      if (performance.now() > patience) return undefined;
      await pause(LOOK_MS);
    }
  }

  async function hold(name: NoteName, held: { before: number }): Promise<boolean> {
    const isHeld = await notes.put([{ ...name, before: held.before, text: "", dueAt: clock() + HELD }]);
    if (isHeld) held.before += 1;
    return isHeld;
  }

  async function alone<Done>(key: string, receive: () => Promise<Done>): Promise<Done | "taken"> {
    const name = { kind: RECEIVING, id: key };
    const held = await takeHold(name);
    if (!held) return "taken";
    let holding = Promise.resolve(true);
    const timer = setInterval(() => {
      holding = hold(name, held).catch(() => false);
    }, HELD_AGAIN_MS);
    try {
      return await receive();
    } finally {
      clearInterval(timer);
      await holding;
      // Where this fails, it is over by itself soon.
      await notes.put([{ ...name, before: held.before, text: undefined }]).catch(() => {});
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
    const old = await files.waitingSince(clock() - SWEPT_AFTER);
    for (const key of old) if (await inTurn(key, () => settle(key))) removed += 1;
    await forgetDue(notes, RECEIVING, clock());
    await forgetDue(notes, PENDING_UPLOAD, clock());
    return removed;
  }

  return { find, inTurn, alone, quota, sweep };
}

const HOUR_MS = 60 * 60 * 1000;

/** Before it resolves, and then every hour until it is stopped. */
export async function keepSweeping(
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
