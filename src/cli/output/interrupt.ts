import { CLEAR_LINE, type OutputStream } from "./progress.ts";

/** Aborts its signal on SIGINT or SIGTERM, for commands that run until then. */
export type Interrupt = { readonly signal: AbortSignal; readonly close: () => void };

/** npm and npx forward a signal that the process also gets itself: a second one within this time is the same. */
const SAME_SIGNAL_MS = 500;

/** Starts to handle SIGINT and SIGTERM until `close`. A second signal ends the process at once. */
export function openInterrupt(): Interrupt {
  const controller = new AbortController();
  let firstSignalAt: number | undefined;
  const stop = () => {
    if (firstSignalAt !== undefined && performance.now() - firstSignalAt > SAME_SIGNAL_MS) process.exit(1);
    firstSignalAt ??= performance.now();
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  return { signal: controller.signal, close: () => SIGNALS.forEach((signal) => void process.off(signal, stop)) };
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** An output stream that knows whether its last line is finished. */
export type TrackedOutput = {
  readonly out: OutputStream;
  /** Finishes an unfinished line. Later writes are dropped. */
  readonly finish: () => void;
};

/** Wraps a stream to track its last line. */
export function trackOutput(output: OutputStream): TrackedOutput {
  let isMidLine = false;
  let isFinished = false;
  return {
    out: {
      write: (text) => {
        if (isFinished) return false;
        isMidLine = !text.endsWith("\n");
        return output.write(text);
      },
      get isTTY() {
        return output.isTTY;
      },
      get columns() {
        return output.columns;
      },
    },
    finish: () => {
      if (isMidLine) output.write("\n");
      else clearEcho(output);
      isFinished = true;
    },
  };
}

/** Clears the `^C` that a terminal printed, so that the next text starts a line. */
export function clearEcho(output: OutputStream): void {
  if (output.isTTY) output.write(CLEAR_LINE);
}

/** The result of `work`, or undefined as soon as a signal arrives. `work` may still be running then: exit the process. */
export async function unlessInterrupted<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  const { signal, close } = openInterrupt();
  const interrupted = new Promise<undefined>((resolve) =>
    signal.addEventListener("abort", () => resolve(undefined), { once: true }),
  );
  try {
    return await Promise.race([work(), interrupted]);
  } finally {
    close();
  }
}
