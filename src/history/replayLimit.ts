import { StoreUnavailableError } from "../store/store.ts";

/** Limits how many long histories requests can replay at once, so that they cannot take all processor time and memory. */

/** Too many requests for long histories. They may be retried. */
export class TooManyReplaysError extends StoreUnavailableError {}

/** The part of the limit that one replay uses. */
export type ReplayLease = {
  /** To be called before more rows are read, with the number of rows so far. Waits for its turn once the history is long. */
  readonly beforeRows: (rowsRead: number) => Promise<void>;
  readonly release: () => void;
};

export type ReplayLimit = { readonly open: () => ReplayLease };

/** Most tenders have far fewer changes than this. */
const FREE_ROWS = 1000;
const WAITING_MAX = 32;

/** Opens a limit: one long replay runs at a time, and a few wait for it. */
export function openReplayLimit(): ReplayLimit {
  const waiting: (() => void)[] = [];
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
      return {
        beforeRows: async (rowsRead) => {
          if (holds || rowsRead < FREE_ROWS) return;
          await acquire();
          holds = true;
        },
        release: () => {
          if (holds) pass();
          holds = false;
        },
      };
    },
  };
}
