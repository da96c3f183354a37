import { type KeyedMutex, openKeyedMutex } from "../base/keyedMutex.ts";
import { DAY, type Instant } from "../domain/values/time.ts";
import type { ConditionalEntryWrite, EntryKey, KeyValueEntry, Store } from "../store/store.ts";

/** A clock of the sandbox, which stands still until its owner advances it. Tenders on it follow this clock alone. */
export type TestClock = {
  readonly id: string;
  readonly owner: string;
  readonly now: Instant;
  /** The last target. If it is later than `now`, an advance is in progress or was interrupted, and the next caller completes it. */
  readonly to?: Instant;
  /** The latest requests with an idempotency key that advanced it: repeated after a crash, they do not advance it again. */
  readonly movedBy?: readonly ClockMove[];
};

type ClockMove = { readonly key: string; readonly at: Instant };

/** The test clocks of a registry. */
export type TestClocks = {
  readonly find: (id: string) => Promise<TestClock | undefined>;
  /** The first clocks of an account, at most 1000. */
  readonly listByOwner: (owner: string) => Promise<readonly TestClock[]>;
  /** Whether an account has `CLOCKS_MAX` clocks. */
  readonly isAtLimit: (owner: string) => Promise<boolean>;
  /** The time of the next deadline on the clock, if any. Applies deadlines that are due first. */
  readonly next: (id: string) => Promise<Instant | undefined>;
  /**
   * Advances a clock to the instant that `targetOf` returns for its current state, and applies all deadlines up to there, in order.
   * Concurrent calls, also through other servers, run one after the other. If `targetOf` returns a refusal, `advance` returns it.
   * `by` is the idempotency key of the request.
   */
  readonly advance: <Refused>(
    id: string,
    targetOf: AdvanceTarget<Refused>,
    by?: string,
  ) => Promise<Refused | undefined>;
  readonly withLock: KeyedMutex;
};

/** Computes the target of an advance; called again if the clock was moved in the meantime. */
export type AdvanceTarget<Refused> = (clock: TestClock) => Promise<Instant | Refused>;

/** The kind of the entries that store clocks. */
export const CLOCK_KIND = "clock";
const OWNED_CLOCK_KIND = "clock of";
const LISTED_MAX = 1000;
/** The number of clocks that an account may create; clocks are never removed. */
export const CLOCKS_MAX = 10_000;
const DUE_AT_ONCE_MAX = 1000;
/** Requests are repeated soon after a failure or not at all, so few moves have to be remembered. */
const RECORDED_MOVES_MAX = 50;
/** As long as idempotency records. */
const KEY_RETENTION = DAY;

/** The key of the entry that stores a clock. */
export const clockKey = (id: string): EntryKey => ({ kind: CLOCK_KIND, id });

/** The entries of a new clock: the clock itself, and the one by which it is listed for its owner. */
export const newClockEntries = (id: string, owner: string, now: Instant): readonly ConditionalEntryWrite[] => [
  { ...clockKey(id), before: 0, text: JSON.stringify({ owner, now }) },
  { kind: OWNED_CLOCK_KIND, id: `${ownerPrefix(owner)}${id}`, before: 0, text: "" },
];

/** Quoted, so that no prefix is the beginning of another account's. */
const ownerPrefix = (owner: string): string => `${JSON.stringify(owner)} `;

/** The clock that an entry stores. */
export const parseClock = ({ id, text }: KeyValueEntry): TestClock => ({ id, ...JSON.parse(text) });

/** The time on a clock. Real time if the clock does not exist, as in a registry that was restored without it. */
export const timeOnClock = (clock: KeyValueEntry | undefined, realTime: Instant): Instant =>
  clock ? parseClock(clock).now : realTime;

export type TestClocksSettings = {
  readonly store: Pick<Store, "keyValues" | "due" | "nextWake" | "clock">;
  readonly tick: (tender: string) => Promise<void>;
};

export function openTestClocks({ store, tick }: TestClocksSettings): TestClocks {
  const { keyValues } = store;

  async function find(id: string): Promise<TestClock | undefined> {
    const entry = await keyValues.find(clockKey(id));
    return entry && parseClock(entry);
  }

  /** The entry of a clock that exists, as clocks are never removed. */
  async function requireClock(id: string): Promise<KeyValueEntry> {
    const entry = await keyValues.find(clockKey(id));
    if (!entry) throw new Error(`test clock ${id} does not exist`);
    return entry;
  }

  /** Stores the clock unless it was changed since it was read; returns whether it did. */
  function put({ revision: before }: KeyValueEntry, { id, ...fields }: TestClock): Promise<boolean> {
    return keyValues.put([{ ...clockKey(id), before, text: JSON.stringify(fields) }]);
  }

  /** Moves the clock forward to `to`, unless somebody else has moved it further. */
  async function move(id: string, to: Instant): Promise<void> {
    for (;;) {
      const entry = await requireClock(id);
      const clock = parseClock(entry);
      if (clock.now >= to || (await put(entry, { ...clock, now: to }))) return;
    }
  }

  const applyDue = async (id: string, by: Instant): Promise<void> => {
    const due = await store.due(by, DUE_AT_ONCE_MAX, id);
    await Promise.all(due.map(tick));
  };

  /** Moves from one deadline to the next, so that each is applied at its own time, as in real time. */
  async function moveThroughDeadlines(id: string, end: Instant): Promise<void> {
    for (;;) {
      const next = await store.nextWake(id);
      if (next === undefined || next > end) return move(id, end);
      await move(id, next);
      await applyDue(id, next);
    }
  }

  /**
   * Stores the target first, and only when the previous target is reached, so that there is at most one target at a time. Several
   * callers may move the clock to the same target: they do the same steps, each of which takes effect once.
   */
  async function advance<Refused>(
    id: string,
    targetOf: AdvanceTarget<Refused>,
    by?: string,
  ): Promise<Refused | undefined> {
    for (;;) {
      const entry = await requireClock(id);
      const clock = parseClock(entry);
      const { now, movedBy = [] } = clock;
      if (clock.to !== undefined && clock.to > now) {
        await moveThroughDeadlines(id, clock.to);
        continue;
      }
      const recentMoves = movedBy.filter(({ at }) => at > store.clock() - KEY_RETENTION);
      if (recentMoves.some(({ key }) => key === by)) return undefined;
      const to = await targetOf(clock);
      if (typeof to !== "number") return to;
      const recordedMove =
        by === undefined
          ? {}
          : { movedBy: [...recentMoves, { key: by, at: store.clock() }].slice(-RECORDED_MOVES_MAX) };
      if (!(await put(entry, { ...clock, to, ...recordedMove }))) continue;
      await moveThroughDeadlines(id, to);
      return undefined;
    }
  }

  async function next(id: string): Promise<Instant | undefined> {
    for (;;) {
      const deadline = await store.nextWake(id);
      const now = deadline === undefined ? undefined : (await find(id))?.now;
      if (deadline === undefined || now === undefined || deadline > now) return deadline;
      await applyDue(id, now);
    }
  }

  return {
    find,
    advance,
    withLock: openKeyedMutex(),
    next,
    isAtLimit: async (owner) => {
      const prefix = ownerPrefix(owner);
      const listed = await keyValues.list({ kind: OWNED_CLOCK_KIND, beyond: prefix, limit: CLOCKS_MAX });
      return listed.length >= CLOCKS_MAX && listed.at(-1)?.id.startsWith(prefix) === true;
    },
    listByOwner: async (owner) => {
      const prefix = ownerPrefix(owner);
      const listed = await keyValues.list({ kind: OWNED_CLOCK_KIND, beyond: prefix, limit: LISTED_MAX });
      const ownedClocks = listed
        .filter(({ id }) => id.startsWith(prefix))
        .map(({ id }) => find(id.slice(prefix.length)));
      return (await Promise.all(ownedClocks)).filter((clock) => clock !== undefined);
    },
  };
}
