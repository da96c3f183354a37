import { DAY, type Instant } from "../domain/time.ts";
import type { Note, NoteName, NotePut, Store } from "../store/store.ts";
import { type InTurn, openTurns } from "./turns.ts";

/** Clocks of the sandbox, which stand still until somebody moves them. What lives on one lives by it alone. */
export type TestClock = {
  readonly id: string;
  readonly owner: string;
  readonly now: Instant;
  /** Where it was to arrive last. Whoever finds it on its way, because another moves it or died over it, moves it there. */
  readonly to?: Instant;
  /** The latest requests with a key that moved it: asked again after a crash, they move it no further. */
  readonly movedBy?: readonly Moved[];
};

type Moved = { readonly key: string; readonly at: Instant };

export type Clocks = {
  readonly find: (id: string) => Promise<TestClock | undefined>;
  readonly ofOwner: (owner: string) => Promise<readonly TestClock[]>;
  /** Whether an account has as many as it may. */
  readonly hasEnough: (owner: string) => Promise<boolean>;
  /** The next moment at which something on it falls due; what has done so by its time is carried out first. */
  readonly next: (id: string) => Promise<Instant | undefined>;
  /**
   * Moves it to where it is told to go from where it is, and carries out, in order, all that falls due up to there. Of many
   * at once, through any servers, each begins where another has arrived. Answers why not, if it is told so.
   */
  readonly advance: <Refused>(id: string, whereTo: WhereTo<Refused>, by?: string) => Promise<Refused | undefined>;
  readonly inTurn: InTurn;
};

/** It is asked again where the clock was moved meanwhile. */
export type WhereTo<Refused> = (clock: TestClock) => Promise<Instant | Refused>;

export const CLOCK_KIND = "clock";
const OWNED_KIND = "clock of";
/** Nobody needs more to try something; what is beyond it is not listed. */
const LISTED_MAX = 1000;
/** Clocks are never removed. */
export const CLOCKS_MAX = 10_000;
const DUE_AT_ONCE_MAX = 1000;
/** A request is asked again soon after it was lost, or not at all. */
const MOVED_BY_MAX = 50;
/** As long as answers are. */
const KEYS_KEPT = DAY;

export const clockName = (id: string): NoteName => ({ kind: CLOCK_KIND, id });

/** The clock, and its place among those of its owner. */
export const newClock = (id: string, owner: string, now: Instant): readonly NotePut[] => [
  { ...clockName(id), before: 0, text: JSON.stringify({ owner, now }) },
  { kind: OWNED_KIND, id: `${placeOf(owner)}${id}`, before: 0, text: "" },
];

/** No name of an account is the beginning of another's place. */
const placeOf = (owner: string): string => `${JSON.stringify(owner)} `;

export const clockIn = ({ id, text }: Note): TestClock => ({ id, ...JSON.parse(text) });

/** Where a clock is lost, because a registry was moved without it, what lived on it lives by everybody's time. */
export const timeOn = (clock: Note | undefined, real: Instant): Instant => (clock ? clockIn(clock).now : real);

export type ClocksSettings = {
  readonly store: Pick<Store, "notes" | "due" | "nextWake" | "clock">;
  readonly tick: (tender: string) => Promise<void>;
};

export function openClocks({ store, tick }: ClocksSettings): Clocks {
  const { notes } = store;

  async function find(id: string): Promise<TestClock | undefined> {
    const note = await notes.find(clockName(id));
    return note && clockIn(note);
  }

  /** Only if nobody has changed it since. */
  function put({ revision: before }: Note, { id, ...told }: TestClock): Promise<boolean> {
    return notes.put([{ ...clockName(id), before, text: JSON.stringify(told) }]);
  }

  /** Forward only, whoever else moves it meanwhile. */
  async function move(id: string, to: Instant): Promise<void> {
    for (;;) {
      const note = (await notes.find(clockName(id)))!;
      const clock = clockIn(note);
      if (clock.now >= to || (await put(note, { ...clock, now: to }))) return;
    }
  }

  const carryOutDue = async (id: string, by: Instant): Promise<void> => {
    const due = await store.due(by, DUE_AT_ONCE_MAX, id);
    await Promise.all(due.map(tick));
  };

  /** From one deadline to the next, so that each is carried out at its own moment, as it would be had we waited for it. */
  async function moveOn(id: string, end: Instant): Promise<void> {
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
  async function advance<Refused>(id: string, whereTo: WhereTo<Refused>, by?: string): Promise<Refused | undefined> {
    for (;;) {
      const note = (await notes.find(clockName(id)))!;
      const clock = clockIn(note);
      const { now, movedBy = [] } = clock;
      if (clock.to !== undefined && clock.to > now) {
        await moveOn(id, clock.to);
        continue;
      }
      const known = movedBy.filter(({ at }) => at > store.clock() - KEYS_KEPT);
      if (known.some(({ key }) => key === by)) return undefined;
      const to = await whereTo(clock);
      if (typeof to !== "number") return to;
      const asked =
        by === undefined ? {} : { movedBy: [...known, { key: by, at: store.clock() }].slice(-MOVED_BY_MAX) };
      if (!(await put(note, { ...clock, to, ...asked }))) continue;
      await moveOn(id, to);
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
    inTurn: openTurns(),
    next,
    hasEnough: async (owner) => {
      const place = placeOf(owner);
      const listed = await notes.list({ kind: OWNED_KIND, beyond: place, limit: CLOCKS_MAX });
      return listed.length >= CLOCKS_MAX && listed.at(-1)!.id.startsWith(place);
    },
    ofOwner: async (owner) => {
      const place = placeOf(owner);
      const listed = await notes.list({ kind: OWNED_KIND, beyond: place, limit: LISTED_MAX });
      const own = listed.filter(({ id }) => id.startsWith(place)).map(({ id }) => find(id.slice(place.length)));
      return (await Promise.all(own)).filter((clock) => clock !== undefined);
    },
  };
}
