/** `fine`, `wrong`, or worth knowing; `then` is what to do about it. */
export type Finding = {
  readonly check: string;
  readonly state: "fine" | "wrong" | "note";
  readonly found: string;
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

export const SKEW_NOTE_MS = 1000;
const SKEW_WRONG_MS = 30_000;

export function clockFinding(check: string, clockName: string, aheadMs: number): Finding {
  const found = `${clockName} is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? "behind" : "ahead of"} this machine's`;
  const then = "deadlines are told by that clock: keep clocks right with NTP";
  if (Math.abs(aheadMs) > SKEW_WRONG_MS) return wrong(check, found, then);
  return Math.abs(aheadMs) > SKEW_NOTE_MS ? note(check, found, then) : fine(check, found);
}
