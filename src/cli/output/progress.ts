/** One line that says how far a long work has come, drawn again and again on a terminal; elsewhere a line now and then. */
export type Progress = { readonly step: (by: number) => void; readonly end: () => void };

/** What of a stream is used. */
export type OutputStream = {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
};

export type ProgressOptions = {
  readonly label: string;
  /** How much there is to do; 0 where nobody knows. */
  readonly total: number;
  readonly unit: string;
  readonly out: OutputStream;
  /** Milliseconds that have passed since whenever. */
  readonly now?: () => number;
};

const DRAW_EVERY_MS = 100;
const LOG_EVERY_MS = 10_000;
const BAR_MAX = 30;
/** Room at the end of the line for the `^C` that a terminal prints there: with it, the line must not wrap either. */
const ECHO_WIDTH = 2;
export const CLEAR_LINE = "\r\u001b[K";

export function openProgress({ label, total, unit, out, now = () => performance.now() }: ProgressOptions): Progress {
  const isDrawn = out.isTTY === true;
  const started = now();
  let done = 0;
  let printedAt = isDrawn ? Number.NEGATIVE_INFINITY : started;
  let hasPrinted = false;

  function print(isLast: boolean): void {
    const seconds = (now() - started) / 1000;
    const line = progressLine({ label, total, unit, done, seconds, isLast });
    out.write(
      isDrawn ? `${CLEAR_LINE}${fitToWidth(line, out.columns)}${isLast ? "\n" : ""}` : `${formatPlain(line)}\n`,
    );
    hasPrinted = true;
    printedAt = now();
  }

  return {
    step(by) {
      done += by;
      if (now() - printedAt >= (isDrawn ? DRAW_EVERY_MS : LOG_EVERY_MS)) print(false);
    },
    /** Of what was quick, or nothing at all, nobody has to be told; the result speaks. */
    end() {
      if ((isDrawn && done + total > 0) || hasPrinted) print(true);
    },
  };
}

type ProgressSnapshot = {
  readonly label: string;
  readonly total: number;
  readonly unit: string;
  readonly done: number;
  readonly seconds: number;
  readonly isLast: boolean;
};

type ProgressLine = { readonly before: string; readonly share: number | undefined; readonly after: string };

function progressLine({ label, total, unit, done, seconds, isLast }: ProgressSnapshot): ProgressLine {
  const rate = seconds > 0 ? done / seconds : 0;
  const share = total > 0 ? Math.min(1, done / total) : undefined;
  const percent = share === undefined ? [] : [`${Math.floor(share * 100)} %`];
  const isPart = share !== undefined && !(isLast && share === 1);
  const count = isPart ? `${groupDigits(done)} of ${groupDigits(total)} ${unit}` : `${groupDigits(done)} ${unit}`;
  const speed = done > 0 ? [`${groupDigits(Math.round(rate))}/s`] : [];
  const left = !isLast && share !== undefined && rate > 0 ? [`${formatDuration((total - done) / rate)} left`] : [];
  const took = isLast ? [`in ${formatDuration(seconds)}`] : [];
  return { before: label, share, after: [...percent, count, ...speed, ...left, ...took].join(", ") };
}

const formatPlain = ({ before, after }: ProgressLine): string => `${before}: ${after}`;

/** The bar gives way first; what is still too long is cut, since a line that wraps cannot be drawn again. */
function fitToWidth({ before, share, after }: ProgressLine, width: number | undefined): string {
  // Some terminals do not know their width, and say 0.
  const columns = Math.max(1, (width || 80) - ECHO_WIDTH);
  const barWidth = Math.min(BAR_MAX, columns - before.length - after.length - 5);
  if (share === undefined || barWidth < 5) return `${before} ${after}`.slice(0, columns - 1);
  const full = Math.round(share * barWidth);
  return `${before} [${"#".repeat(full)}${"-".repeat(barWidth - full)}] ${after}`;
}

/** Thousands apart, so that long numbers can be read. */
const groupDigits = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, " ");

function formatDuration(seconds: number): string {
  const totalSeconds = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(totalSeconds / 3600), Math.floor((totalSeconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${totalSeconds % 60} s` : `${totalSeconds} s`;
}
