import { type Instant, SECOND } from "../../domain/time.ts";
import type { NewNote, Note, Store } from "../../store/store.ts";
import { newId } from "../secrets.ts";
import { LEASE } from "./model.ts";

/** `taken`: another may have had it before, so nothing that was known counts. */
export type Taking = "held" | "taken" | "another's";

/** Among all processes of a registry one at a time delivers. Whoever writes as the one makes sure in that very turn. */
export type Lease = {
  readonly take: () => Promise<Taking>;
  /** Whether this process may still begin something, as far as it knows. */
  readonly isHeld: () => boolean;
  /** Whether the note of the lease, as a decision sees it, is ours. */
  readonly isOurs: (note: Note | undefined) => boolean;
  readonly release: () => Promise<void>;
};

type Held = { readonly holder: string; readonly until: Instant };

const HELD_FOR = 6 * SECOND;
const RENEWED_BEFORE = 4 * SECOND;

/** `isAlone`: nobody else can be there, so whatever is written there is of a process that has ended. */
export function openLease({ clock, notes, write }: Pick<Store, "clock" | "notes" | "write">, isAlone: boolean): Lease {
  const holder = newId();
  let until: Instant = Number.NEGATIVE_INFINITY;

  const heldIn = (note: Note | undefined): Held | undefined => (note ? (JSON.parse(note.text) as Held) : undefined);
  const isOurs = (note: Note | undefined) => heldIn(note)?.holder === holder;
  /** What ends later than any lease can was written by a clock that was wrong. */
  function isAnothers(note: Note | undefined): boolean {
    const held = heldIn(note);
    const now = clock();
    return !isAlone && !!held && held.holder !== holder && held.until > now && held.until <= now + HELD_FOR;
  }

  async function take(): Promise<Taking> {
    const now = clock();
    if (until - now > RENEWED_BEFORE && until <= now + HELD_FOR) return "held";
    if (isAnothers(await notes.find(LEASE))) return "another's";
    const written = await write<{ readonly taking: Taking; readonly until?: Instant }>(
      undefined,
      (_none, { notes: [seen] }) => {
        if (isAnothers(seen)) return { answer: { taking: "another's" } };
        const mine: Held = { holder, until: clock() + HELD_FOR };
        const taking = isOurs(seen) ? "held" : "taken";
        return { answer: { taking, until: mine.until }, notes: [{ ...LEASE, text: JSON.stringify(mine) }] };
      },
      [LEASE],
    );
    until = written.until ?? Number.NEGATIVE_INFINITY;
    return written.taking;
  }

  async function release(): Promise<void> {
    if (until === Number.NEGATIVE_INFINITY) return;
    until = Number.NEGATIVE_INFINITY;
    const gone: NewNote = { ...LEASE, text: undefined };
    await write(undefined, (_none, { notes: [seen] }) => ({ answer: undefined, notes: isOurs(seen) ? [gone] : [] }), [
      LEASE,
    ]);
  }

  return { take, isOurs, isHeld: () => until > clock(), release };
}
