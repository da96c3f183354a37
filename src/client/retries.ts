/** When to try again, and how to wait for it. */

/** How often, and after which pauses. */
export type RetryOptions = {
  /** How often a request is tried again. */
  readonly max: number;
  /** How often where no answer came at all, as from a wrong address; as often as `max` without this. */
  readonly maxUnanswered?: number | undefined;
  /** The first pause; each further one is twice as long. */
  readonly initialDelayMs: number;
  /** No pause is longer, unless the registry asks for it by `Retry-After`. */
  readonly maxDelayMs: number;
};

export const DEFAULT_RETRIES: RetryOptions = { max: 5, initialDelayMs: 200, maxDelayMs: 10_000 };

/** 0 is an answer that never came. */
const TRANSIENT_STATUSES = [0, 408, 409, 429, 502, 503, 504];

export const isTransient = (status: number): boolean => TRANSIENT_STATUSES.includes(status);

/** Doubling, and at a random place in the upper half, so that many who failed together do not come back together. */
export function retryDelayMs(
  failures: number,
  { initialDelayMs: firstMs, maxDelayMs: longestMs }: RetryOptions,
  minimumMs = 0,
): number {
  const backoffMs = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 30));
  return Math.max(minimumMs, backoffMs * (0.5 + Math.random() / 2));
}

/** `Retry-After` is seconds or a date. */
export function retryAfterMs(headers: Headers): number {
  const text = headers.get("Retry-After")?.trim();
  if (!text) return 0;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

/** Waits; rejects as soon as the signal says so. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

export type Timeout = {
  readonly signal: AbortSignal;
  /** Begins the time anew. */
  readonly restart: () => void;
  /** Lets no time count until it begins anew. */
  readonly suspend: () => void;
  readonly clear: () => void;
};

/** A signal that follows another one, and besides comes by itself after a time; 0 is no time. */
export function openTimeout(ms: number, outer: AbortSignal | undefined): Timeout {
  const controller = new AbortController();
  const abortWithOuter = () => controller.abort(outer!.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = () => {
    clearTimeout(timer);
    if (ms > 0) timer = setTimeout(() => controller.abort(new Error(`Nothing came for ${ms} ms`)), ms);
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
