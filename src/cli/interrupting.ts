/** Ctrl-C and being told to end, for commands that run until then. Who started us passes the same signal on: it is one. */
export type Interrupt = { readonly signal: AbortSignal; readonly close: () => void };

const SAME_SIGNAL_MS = 500;

export function openInterrupt(): Interrupt {
  const controller = new AbortController();
  let toldAt: number | undefined;
  const stop = () => {
    if (toldAt !== undefined && performance.now() - toldAt > SAME_SIGNAL_MS) process.exit(1);
    toldAt ??= performance.now();
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  return { signal: controller.signal, close: () => SIGNALS.forEach((signal) => void process.off(signal, stop)) };
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
