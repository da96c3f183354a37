import { type KeyedMutex, openKeyedMutex } from "../base/keyedMutex.ts";
import { DAY, type Instant } from "../domain/values/time.ts";
import type { ConditionalEntryWrite, EntryKey, KeyValueEntry, Store } from "../store/store.ts";

/** Clocks of the sandbox, which stand still until somebody moves them. What lives on one lives by it alone. */
export type TestClock = {
  readonly id: string;
  readonly owner: string;
  readonly now: Instant;
  /** Where it was to arrive last. Whoever finds it on its way, because another moves it or died over it, moves it there. */
  readonly to?: Instant;
  /** The latest requests with a key that moved it: asked again after a crash, they move it no further. */
  readonly movedBy?: readonly ClockMove[];
};

type ClockMove = { readonly key: string; readonly at: Instant };

export type TestClocks = {
  readonly find: (id: string) => Promise<TestClock | undefined>;
  readonly listByOwner: (owner: string) => Promise<readonly TestClock[]>;
  /** Whether an account has as many as it may. */
  readonly isAtLimit: (owner: string) => Promise<boolean>;
  /** The next moment at which something on it falls due; what has done so by its time is carried out first. */
  readonly next: (id: string) => Promise<Instant | undefined>;
  /**
   * Moves it to where it is told to go from where it is, and carries out, in order, all that falls due up to there. Of many
   * at once, through any servers, each begins where another has arrived. Answers why not, if it is told so.
   */
  readonly advance: <Refused>(
    id: string,
    targetOf: AdvanceTarget<Refused>,
    by?: string,
  ) => Promise<Refused | undefined>;
  readonly withLock: KeyedMutex;
};

/** It is asked again where the clock was moved meanwhile. */
export type AdvanceTarget<Refused> = (clock: TestClock) => Promise<Instant | Refused>;

export const CLOCK_KIND = "clock";
const OWNED_CLOCK_KIND = "clock of";
/** Nobody needs more to try something; what is beyond it is not listed. */
const LISTED_MAX = 1000;
/** Clocks are never removed. */
export const CLOCKS_MAX = 10_000;
const DUE_AT_ONCE_MAX = 1000;
/** A request is asked again soon after it was lost, or not at all. */
const RECORDED_MOVES_MAX = 50;
/** As long as answers are. */
const KEY_RETENTION = DAY;

export const clockKey = (id: string): EntryKey => ({ kind: CLOCK_KIND, id });

/** The clock, and its place among those of its owner. */
export const newClockEntries = (id: string, owner: string, now: Instant): readonly ConditionalEntryWrite[] => [
  { ...clockKey(id), before: 0, text: JSON.stringify({ owner, now }) },
  { kind: OWNED_CLOCK_KIND, id: `${ownerPrefix(owner)}${id}`, before: 0, text: "" },
];

/** No name of an account is the beginning of another's place. */
const ownerPrefix = (owner: string): string => `${JSON.stringify(owner)} `;

export const parseClock = ({ id, text }: KeyValueEntry): TestClock => ({ id, ...JSON.parse(text) });

/** Where a clock is lost, because a registry was moved without it, what lived on it lives by everybody's time. */
export const timeOnClock = (clock: KeyValueEntry | undefined, realTime: Instant): Instant =>
  clock ? parseClock(clock).now : realTime;

export type TestClocksSettings = {
  readonly store: Pick<Store, "notes" | "due" | "nextWake" | "clock">;
  readonly tick: (tender: string) => Promise<void>;
};

export function openTestClocks({ store, tick }: TestClocksSettings): TestClocks {
  const { notes } = store;

  async function find(id: string): Promise<TestClock | undefined> {
    const entry = await notes.find(clockKey(id));
    return entry && parseClock(entry);
  }

  /** Only if nobody has changed it since. */
  function put({ revision: before }: KeyValueEntry, { id, ...fields }: TestClock): Promise<boolean> {
    return notes.put([{ ...clockKey(id), before, text: JSON.stringify(fields) }]);
  }

  /** Forward only, whoever else moves it meanwhile. */
  async function move(id: string, to: Instant): Promise<void> {
    for (;;) {
      const entry = (await notes.find(clockKey(id)))!;
      const clock = parseClock(entry);
      if (clock.now >= to || (await put(entry, { ...clock, now: to }))) return;
    }
  }

  const carryOutDue = async (id: string, by: Instant): Promise<void> => {
    const due = await store.due(by, DUE_AT_ONCE_MAX, id);
    await Promise.all(due.map(tick));
  };

  /** From one deadline to the next, so that each is carried out at its own moment, as it would be had we waited for it. */
  async function moveThroughDeadlines(id: string, end: Instant): Promise<void> {
    for (;;) {
      const next = await store.nextWake(id);
      if (next === undefined || next > end) return move(id, end);
      await move(id, next);
      await carryOutDue(id, next);
    }
  }

  /**
   * Where it is to arrive is written first, and only when it has arrived where another wanted it: so no two are on their way
   * to different moments. Two that move it to the same do the same, and each step is done by whoever comes first.
   */
  async function advance<Refused>(
    id: string,
    targetOf: AdvanceTarget<Refused>,
    by?: string,
  ): Promise<Refused | undefined> {
    for (;;) {
      const entry = (await notes.find(clockKey(id)))!;
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
      const moment = await store.nextWake(id);
      const now = moment === undefined ? undefined : (await find(id))?.now;
      if (moment === undefined || now === undefined || moment > now) return moment;
      await carryOutDue(id, now);
    }
  }

  return {
    find,
    advance,
    withLock: openKeyedMutex(),
    next,
    isAtLimit: async (owner) => {
      const prefix = ownerPrefix(owner);
      const listed = await notes.list({ kind: OWNED_CLOCK_KIND, beyond: prefix, limit: CLOCKS_MAX });
      return listed.length >= CLOCKS_MAX && listed.at(-1)!.id.startsWith(prefix);
    },
    listByOwner: async (owner) => {
      const prefix = ownerPrefix(owner);
      const listed = await notes.list({ kind: OWNED_CLOCK_KIND, beyond: prefix, limit: LISTED_MAX });
      const ownedClocks = listed
        .filter(({ id }) => id.startsWith(prefix))
        .map(({ id }) => find(id.slice(prefix.length)));
      return (await Promise.all(ownedClocks)).filter((clock) => clock !== undefined);
    },
  };
}
