/**
 * How a client retries. Lost connections, timeouts and the statuses 408, 409, 429, 502, 503 and 504 are retried, after
 * delays with exponential backoff and jitter.
 *
 * @example
 * openClient({ url, retries: { max: 10, maxUnanswered: 1, maxDelayMs: 30_000 } });
 */
export type RetryOptions = {
  /** How many times a failed request is retried. Default: 5. */
  readonly max: number;
  /** How many retries there are if no response came at all, as from a wrong address. Default: `max`. */
  readonly maxUnanswered?: number | undefined;
  /** The delay before the first retry in milliseconds; each further delay is twice as long. Default: 200. */
  readonly initialDelayMs: number;
  /** The longest delay in milliseconds, unless the registry asks for more by `Retry-After`. Default: 10 000. */
  readonly maxDelayMs: number;
};

/** The retry options of a client that sets none. */
export const DEFAULT_RETRIES: RetryOptions = { max: 5, initialDelayMs: 200, maxDelayMs: 10_000 };

/** 0 stands for no response. */
const TRANSIENT_STATUSES = [0, 408, 409, 429, 502, 503, 504];

/** Whether a retry may succeed after this status. */
export const isTransient = (status: number): boolean => TRANSIENT_STATUSES.includes(status);

/**
 * The delay after so many earlier failures: exponential backoff with jitter in the upper half, so that clients that
 * failed together do not return together. At least `minimumMs`, which may exceed `maxDelayMs`.
 */
export function retryDelayMs(failures: number, { initialDelayMs, maxDelayMs }: RetryOptions, minimumMs = 0): number {
  const backoffMs = Math.min(maxDelayMs, initialDelayMs * 2 ** Math.min(failures, 30));
  return Math.max(minimumMs, backoffMs * (0.5 + Math.random() / 2));
}

/** The header `Retry-After`, which is seconds or a date, in milliseconds from now; 0 if it is missing or invalid. */
export function retryAfterMs(headers: Headers): number {
  const text = headers.get("Retry-After")?.trim();
  if (!text) return 0;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

/** Waits. Rejects with the reason of the signal as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** A running timeout. */
export type Timeout = {
  /** Aborted when the time is up or the outer signal is aborted. */
  readonly signal: AbortSignal;
  /** Starts the time again from 0. */
  readonly restart: () => void;
  /** Stops the time until `restart`. */
  readonly suspend: () => void;
  /** Ends the timeout and stops listening to the outer signal. */
  readonly clear: () => void;
};

/** Starts a timeout of `ms` milliseconds (0 means none) whose signal also follows `outer`. */
export function openTimeout(ms: number, outer: AbortSignal | undefined): Timeout {
  const controller = new AbortController();
  const abortWithOuter = () => controller.abort(outer?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = () => {
    clearTimeout(timer);
    if (ms > 0) timer = setTimeout(() => controller.abort(new Error(`Timed out after ${ms} ms`)), ms);
  };
  if (outer?.aborted) abortWithOuter();
  outer?.addEventListener("abort", abortWithOuter, { once: true });
  restart();
  return {
    signal: controller.signal,
    restart,
    suspend: () => clearTimeout(timer),
    clear: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", abortWithOuter);
    },
  };
}
