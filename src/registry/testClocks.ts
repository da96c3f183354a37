import { type KeyedMutex, openKeyedMutex } from "../base/keyedMutex.ts";
import { DAY, type Instant } from "../domain/values/time.ts";
import type { ConditionalEntryWrite, EntryKey, KeyValueEntry, Store, TestClock } from "../store/store.ts";

export type { TestClock } from "../store/store.ts";

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

const LISTED_MAX = 1000;
/** The number of clocks that an account may create; clocks are never removed. */
export const CLOCKS_MAX = 10_000;
const DUE_AT_ONCE_MAX = 1000;
/** Requests are repeated soon after a failure or not at all, so few moves have to be remembered. */
const RECORDED_MOVES_MAX = 50;
/** As long as idempotency records. */
const KEY_RETENTION = DAY;

/** The key of the entry that stores a clock. */
export const clockKey = (id: string): EntryKey<"test clock"> => ({ kind: "test clock", id });

/** The write of a new clock. */
export const newClockEntry = (id: string, owner: string, now: Instant): ConditionalEntryWrite => ({
  ...clockKey(id),
  before: 0,
  value: { owner, now },
});

type ClockEntry = KeyValueEntry<"test clock">;

/** The time on a clock. Real time if the clock does not exist, as in a registry that was restored without it. */
export const timeOnClock = (clock: ClockEntry | undefined, realTime: Instant): Instant =>
  clock ? clock.value.now : realTime;

const clockOf = ({ id, value }: ClockEntry): TestClock => ({ id, ...value });

export type TestClocksSettings = {
  readonly store: Pick<Store, "keyValues" | "due" | "nextWake" | "clock">;
  readonly tick: (tender: string) => Promise<void>;
};

export function openTestClocks({ store, tick }: TestClocksSettings): TestClocks {
  const { keyValues } = store;

  async function find(id: string): Promise<TestClock | undefined> {
    const entry = await keyValues.find(clockKey(id));
    return entry && clockOf(entry);
  }

  /** The entry of a clock that exists, as clocks are never removed. */
  async function requireClock(id: string): Promise<ClockEntry> {
    const entry = await keyValues.find(clockKey(id));
    if (!entry) throw new Error(`test clock ${id} does not exist`);
    return entry;
  }

  /** Stores the clock unless it was changed since it was read; returns whether it did. */
  function put({ revision: before }: ClockEntry, { id, ...value }: TestClock): Promise<boolean> {
    return keyValues.put([{ ...clockKey(id), before, value }]);
  }

  /** Moves the clock forward to `to`, unless somebody else has moved it further. */
  async function move(id: string, to: Instant): Promise<void> {
    for (;;) {
      const entry = await requireClock(id);
      const clock = clockOf(entry);
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
      const clock = clockOf(entry);
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
    isAtLimit: async (owner) =>
      (await keyValues.count({ kind: "test clock", where: { owner }, limit: CLOCKS_MAX })) >= CLOCKS_MAX,
    listByOwner: async (owner) =>
      (await keyValues.list({ kind: "test clock", where: { owner }, limit: LISTED_MAX })).map(clockOf),
  };
}
