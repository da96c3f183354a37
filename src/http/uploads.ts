import { DAY, HOUR, type Instant } from "../domain/time.ts";
import type { Files, UploadRecord } from "../files/files.ts";
import { type InTurn, openTurns } from "../registry/turns.ts";
import type { Store } from "../store/store.ts";

/** What came by the document service: it waits for a document to name it, and not for longer than a day. */
export type Uploads = {
  /** `isNamed`: a document names it, or did. What has waited too long is not there, whether or not it has been swept. */
  readonly find: (key: string) => Promise<(UploadRecord & { readonly isNamed: boolean }) | undefined>;
  /** One after the other, what is done with the same upload: nobody names what another names or sweeps. */
  readonly inTurn: InTurn;
  /** Removes what has waited too long for a while; answers how many. */
  readonly sweep: () => Promise<number>;
};

export type UploadsSettings = {
  readonly files: Files;
  readonly knownFiles: Store["knownFiles"];
  readonly clock: () => Instant;
};

const WAITING_MAX = DAY;
/** Another server may have begun to name an upload in its last moment, which no turn of ours waits for. */
const SWEPT_AFTER = WAITING_MAX + HOUR;

export function openUploads({ files, knownFiles, clock }: UploadsSettings): Uploads {
  const inTurn = openTurns();
  const isNamed = async (key: string) => (await knownFiles([key])).has(key);

  async function find(key: string) {
    const upload = await files.uploaded(key);
    if (!upload) return undefined;
    const named = await isNamed(key);
    return named || upload.at > clock() - WAITING_MAX ? { ...upload, isNamed: named } : undefined;
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
    return removed;
  }

  return { find, inTurn, sweep };
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
