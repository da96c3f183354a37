/** The result of a check of `doctor`. `doctor --json` prints it. */
export type Finding = {
  /** The name of the check. */
  readonly check: string;
  /** `note` is worth knowing, but no problem. */
  readonly state: "fine" | "wrong" | "note";
  /** What the check found. */
  readonly found: string;
  /** What to do about it. */
  readonly then?: string;
};

export const fine = (check: string, found: string): Finding => ({ check, state: "fine", found });

export const note = (check: string, found: string, then?: string): Finding => ({
  check,
  state: "note",
  found,
  ...(then && { then }),
});

export const wrong = (check: string, found: string, then: string): Finding => ({ check, state: "wrong", found, then });

/** A clock that differs by more than this is worth a note. */
export const SKEW_NOTE_MS = 1000;
const SKEW_WRONG_MS = 30_000;

/** Judges a clock that is `aheadMs` ahead of this machine's. */
export function clockFinding(check: string, clockName: string, aheadMs: number): Finding {
  const found = `${clockName} is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? "behind" : "ahead of"} this machine's`;
  const then = "deadlines follow that clock: synchronize clocks with NTP";
  if (Math.abs(aheadMs) > SKEW_WRONG_MS) return wrong(check, found, then);
  return Math.abs(aheadMs) > SKEW_NOTE_MS ? note(check, found, then) : fine(check, found);
}
