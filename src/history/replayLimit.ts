import { openFairQueue } from "../base/fairQueue.ts";
import { StoreUnavailableError } from "../store/store.ts";

/**
 * Limits how many long histories requests can replay at once, whether as versions or as releases, so that they cannot take all processor
 * time and memory.
 */

/** Too many requests for long histories. They may be retried. */
export class TooManyReplaysError extends StoreUnavailableError {}

/** The part of the limit that one replay uses. */
export type ReplayLease = {
  /** To be called before more rows are read, with the number of rows so far. Waits until it may continue once the history is long. */
  readonly beforeRows: (rowsRead: number) => Promise<void>;
  /** The same for stored releases, by the length of their texts so far. */
  readonly beforeCharacters: (charactersRead: number) => Promise<void>;
  /** Lets other work run. Of all replays that pause, one continues in each iteration of the event loop. */
  readonly pause: () => Promise<void>;
  readonly release: () => void;
};

export type ReplayLimit = { readonly open: () => ReplayLease };

/** Most tenders have far fewer changes than this, and their releases are far shorter together. */
const FREE_ROWS = 1000;
const FREE_CHARACTERS = 1024 * 1024;
const WAITING_MAX = 32;

/** Opens a limit: one long replay runs at a time, and a few wait for it. */
export function openReplayLimit(): ReplayLimit {
  const waiting: (() => void)[] = [];
  const pause = openFairQueue();
  let isRunning = false;

  async function acquire(): Promise<void> {
    if (!isRunning) {
      isRunning = true;
      return;
    }
    if (waiting.length >= WAITING_MAX) throw new TooManyReplaysError("too many long histories are being read");
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    await promise;
  }

  /** The next one runs instead, if one waits. */
  function pass(): void {
    const next = waiting.shift();
    if (next) next();
    else isRunning = false;
  }

  return {
    open: () => {
      let holds = false;
      const before = async (isLong: boolean) => {
        if (holds || !isLong) return;
        await acquire();
        holds = true;
      };
      return {
        beforeRows: (rowsRead) => before(rowsRead >= FREE_ROWS),
        beforeCharacters: (charactersRead) => before(charactersRead >= FREE_CHARACTERS),
        pause,
        release: () => {
          if (holds) pass();
          holds = false;
        },
      };
    },
  };
}

/** The limit that all requests of this process share. */
const replayLimit = openReplayLimit();

/** Runs a replay for a request: one of many that want a long history waits, or is rejected. */
export async function withReplayLease<Result>(replay: (lease: ReplayLease) => Promise<Result>): Promise<Result> {
  const lease = replayLimit.open();
  try {
    return await replay(lease);
  } finally {
    lease.release();
  }
}

/** The same for a replay that is read bit by bit. */
export async function* iterateWithReplayLease<Element>(
  replay: (lease: ReplayLease) => AsyncIterable<Element>,
): AsyncGenerator<Element> {
  const lease = replayLimit.open();
  try {
    yield* replay(lease);
  } finally {
    lease.release();
  }
}
