/** The progress of a long operation: a line that is redrawn on a terminal; elsewhere a line every ten seconds. */
export type Progress = {
  /** Adds to the amount done. */
  readonly step: (by: number) => void;
  /** Prints the final line. */
  readonly end: () => void;
};

/** The part of a stream that progress uses. */
export type OutputStream = {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
};

/** The options of `openProgress`. */
export type ProgressOptions = {
  readonly label: string;
  /** The total amount; 0 if it is unknown. */
  readonly total: number;
  /** The plural noun of what is counted, such as `rows`. */
  readonly unit: string;
  readonly out: OutputStream;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
};

const DRAW_EVERY_MS = 100;
const LOG_EVERY_MS = 10_000;
const BAR_MAX = 30;
/** Room for the `^C` that a terminal prints at the end of the line: the line must not wrap even then. */
const ECHO_WIDTH = 2;
/** Moves the cursor to the start of the line and clears it. */
export const CLEAR_LINE = "\r\u001b[K";

/** Starts to show progress. */
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
    // Off a terminal, an operation that printed no line yet was fast and needs no final line.
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

function progressLine({ label, total, unit, done: exact, seconds, isLast }: ProgressSnapshot): ProgressLine {
  // Steps may be fractions, such as parts of an hour, whose sum is not exact.
  const done = Math.round(exact);
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

/** Shortens the bar first and then cuts the line, because a line that wraps cannot be redrawn. */
function fitToWidth({ before, share, after }: ProgressLine, width: number | undefined): string {
  // Some terminals report a width of 0.
  const columns = Math.max(1, (width || 80) - ECHO_WIDTH);
  const barWidth = Math.min(BAR_MAX, columns - before.length - after.length - 5);
  if (share === undefined || barWidth < 5) return `${before} ${after}`.slice(0, columns - 1);
  const full = Math.round(share * barWidth);
  return `${before} [${"#".repeat(full)}${"-".repeat(barWidth - full)}] ${after}`;
}

/** Separates thousands by spaces. */
const groupDigits = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, " ");

function formatDuration(seconds: number): string {
  const totalSeconds = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(totalSeconds / 3600), Math.floor((totalSeconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${totalSeconds % 60} s` : `${totalSeconds} s`;
}
