/** One line that says how far a long work has come, drawn again and again on a terminal; elsewhere a line now and then. */
export type Progress = { readonly step: (by: number) => void; readonly end: () => void };

/** What of a stream is used. */
export type Out = { readonly write: (text: string) => unknown; readonly isTTY?: boolean; readonly columns?: number };

export type ProgressSettings = {
  readonly what: string;
  /** How much there is to do; 0 where nobody knows. */
  readonly total: number;
  readonly unit: string;
  readonly out: Out;
  /** Milliseconds that have passed since whenever. */
  readonly now?: () => number;
};

const DRAWN_EVERY_MS = 100;
const SAID_EVERY_MS = 10_000;
const BAR_MAX = 30;
/** Room at the end of the line for the `^C` that a terminal prints there: with it, the line must not wrap either. */
const ECHO_WIDTH = 2;
export const CLEAR_LINE = "\r\u001b[K";

export function openProgress({ what, total, unit, out, now = () => performance.now() }: ProgressSettings): Progress {
  const isDrawn = out.isTTY === true;
  const started = now();
  let done = 0;
  let saidAt = isDrawn ? Number.NEGATIVE_INFINITY : started;
  let said = false;

  function say(isLast: boolean): void {
    const seconds = (now() - started) / 1000;
    const line = lineOf({ what, total, unit, done, seconds, isLast });
    out.write(isDrawn ? `${CLEAR_LINE}${fitted(line, out.columns)}${isLast ? "\n" : ""}` : `${plain(line)}\n`);
    said = true;
    saidAt = now();
  }

  return {
    step(by) {
      done += by;
      if (now() - saidAt >= (isDrawn ? DRAWN_EVERY_MS : SAID_EVERY_MS)) say(false);
    },
    /** Of what was quick, or nothing at all, nobody has to be told; the result speaks. */
    end() {
      if ((isDrawn && done + total > 0) || said) say(true);
    },
  };
}

type Moment = {
  readonly what: string;
  readonly total: number;
  readonly unit: string;
  readonly done: number;
  readonly seconds: number;
  readonly isLast: boolean;
};

type Line = { readonly before: string; readonly share: number | undefined; readonly after: string };

function lineOf({ what, total, unit, done, seconds, isLast }: Moment): Line {
  const rate = seconds > 0 ? done / seconds : 0;
  const share = total > 0 ? Math.min(1, done / total) : undefined;
  const percent = share === undefined ? [] : [`${Math.floor(share * 100)} %`];
  const isPart = share !== undefined && !(isLast && share === 1);
  const count = isPart ? `${digits(done)} of ${digits(total)} ${unit}` : `${digits(done)} ${unit}`;
  const speed = done > 0 ? [`${digits(Math.round(rate))}/s`] : [];
  const left = !isLast && share !== undefined && rate > 0 ? [`${duration((total - done) / rate)} left`] : [];
  const took = isLast ? [`in ${duration(seconds)}`] : [];
  return { before: what, share, after: [...percent, count, ...speed, ...left, ...took].join(", ") };
}

const plain = ({ before, after }: Line): string => `${before}: ${after}`;

/** The bar gives way first; what is still too long is cut, since a line that wraps cannot be drawn again. */
function fitted({ before, share, after }: Line, width: number | undefined): string {
  // Some terminals do not know their width, and say 0.
  const columns = Math.max(1, (width || 80) - ECHO_WIDTH);
  const room = Math.min(BAR_MAX, columns - before.length - after.length - 5);
  if (share === undefined || room < 5) return `${before} ${after}`.slice(0, columns - 1);
  const full = Math.round(share * room);
  return `${before} [${"#".repeat(full)}${"-".repeat(room - full)}] ${after}`;
}

/** Thousands apart, so that long numbers can be read. */
const digits = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, " ");

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
