import type { Instant } from "../domain/time.ts";
import type { Note, NoteName, NotePut, Store } from "../store/store.ts";
import { type InTurn, openTurns } from "./turns.ts";

/** Clocks of the sandbox, which stand still until somebody moves them. What lives on one lives by it alone. */
export type TestClock = {
  readonly id: string;
  readonly owner: string;
  readonly now: Instant;
  /** Where somebody wanted it, and by which request: asked again after a crash, it is moved there and no further. */
  readonly aim?: Aim;
};
export type Aim = { readonly by: string; readonly to: Instant };

export type Clocks = {
  readonly find: (id: string) => Promise<TestClock | undefined>;
  readonly ofOwner: (owner: string) => Promise<readonly TestClock[]>;
  /** The next moment at which something on it falls due. */
  readonly next: (id: string) => Promise<Instant | undefined>;
  /** Carries out, in order, all that falls due up to there; a clock that has been moved further by then stays there. */
  readonly advance: (id: string, to: Instant, by?: string) => Promise<void>;
  readonly inTurn: InTurn;
};

export const CLOCK_KIND = "clock";
const OWNED_KIND = "clock of";
/** Nobody needs more to try something; what is beyond it is not listed. */
const LISTED_MAX = 1000;
const DUE_AT_ONCE_MAX = 1000;

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
  readonly store: Pick<Store, "notes" | "due" | "nextWake">;
  readonly tick: (tender: string) => Promise<void>;
};

export function openClocks({ store, tick }: ClocksSettings): Clocks {
  const { notes } = store;

  async function find(id: string): Promise<TestClock | undefined> {
    const note = await notes.find(clockName(id));
    return note && clockIn(note);
  }

  /** Whoever else changes it meanwhile. */
  async function change(id: string, changed: (clock: TestClock) => TestClock): Promise<void> {
    for (;;) {
      const note = (await notes.find(clockName(id)))!;
      const before = clockIn(note);
      const after = changed(before);
      if (after === before) return;
      const { id: _same, ...told } = after;
      if (await notes.put([{ ...clockName(id), before: note.revision, text: JSON.stringify(told) }])) return;
    }
  }

  /** Forward only. */
  const move = (id: string, to: Instant) => change(id, (clock) => (clock.now >= to ? clock : { ...clock, now: to }));

  /** Where the request aims that came first of all with this key. */
  async function aimed(id: string, aim: Aim): Promise<Instant> {
    await change(id, (clock) => (clock.aim?.by === aim.by ? clock : { ...clock, aim }));
    const { aim: first } = (await find(id))!;
    return first?.by === aim.by ? first.to : aim.to;
  }

  /** From one deadline to the next, so that each is carried out at its own moment, as it would be had we waited for it. */
  async function advance(id: string, to: Instant, by?: string): Promise<void> {
    const end = by === undefined ? to : await aimed(id, { by, to });
    for (;;) {
      const next = await store.nextWake(id);
      if (next === undefined || next > end) return move(id, end);
      await move(id, next);
      const due = await store.due(next, DUE_AT_ONCE_MAX, id);
      await Promise.all(due.map(tick));
    }
  }

  return {
    find,
    advance,
    inTurn: openTurns(),
    next: store.nextWake,
    ofOwner: async (owner) => {
      const place = placeOf(owner);
      const listed = await notes.list({ kind: OWNED_KIND, beyond: place, limit: LISTED_MAX });
      const own = listed.filter(({ id }) => id.startsWith(place)).map(({ id }) => find(id.slice(place.length)));
      return (await Promise.all(own)).filter((clock) => clock !== undefined);
    },
  };
}
