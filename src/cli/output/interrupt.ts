import { CLEAR_LINE, type OutputStream } from "./progress.ts";

/** Ctrl-C and being told to end, for commands that run until then. Who started us passes the same signal on: it is one. */
export type Interrupt = { readonly signal: AbortSignal; readonly close: () => void };

const SAME_SIGNAL_MS = 500;

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

/** An output that knows whether its last line is finished, and can be silenced. */
export type TrackedOutput = {
  readonly out: OutputStream;
  /** Finishes a line that was being drawn; whatever is written later is dropped. */
  readonly finish: () => void;
};

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

/** Removes the `^C` that a terminal prints at the start of a line, so that what follows begins a line of its own. */
export function clearEcho(output: OutputStream): void {
  if (output.isTTY) output.write(CLEAR_LINE);
}

/** The result of `work`, or undefined as soon as a signal arrives: `work` may go on then, and the process should end. */
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
