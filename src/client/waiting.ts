/** When to try again, and how to wait for it. */

/** How often, and after which pauses. */
export type Retries = {
  /** How often a request is tried again. */
  readonly max: number;
  /** How often where no answer came at all, as from a wrong address; as often as `max` without this. */
  readonly unanswered?: number | undefined;
  /** The first pause; each further one is twice as long. */
  readonly firstMs: number;
  /** No pause is longer, unless the registry asks for it by `Retry-After`. */
  readonly longestMs: number;
};

export const RETRIES: Retries = { max: 5, firstMs: 200, longestMs: 10_000 };

/** 0 is an answer that never came. */
const TRANSIENT = [0, 408, 409, 429, 502, 503, 504];

export const isTransient = (status: number): boolean => TRANSIENT.includes(status);

/** Doubling, and at a random place in the upper half, so that many who failed together do not come back together. */
export function pauseMs(failures: number, { firstMs, longestMs }: Retries, askedForMs = 0): number {
  const grown = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 30));
  return Math.max(askedForMs, grown * (0.5 + Math.random() / 2));
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
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

export type Limit = {
  readonly signal: AbortSignal;
  /** Begins the time anew. */
  readonly renew: () => void;
  /** Lets no time count until it begins anew. */
  readonly rest: () => void;
  readonly end: () => void;
};

/** A signal that follows another one, and besides comes by itself after a time; 0 is no time. */
export function openLimit(ms: number, outer: AbortSignal | undefined): Limit {
  const controller = new AbortController();
  const follow = () => controller.abort(outer!.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const renew = () => {
    clearTimeout(timer);
    if (ms > 0) timer = setTimeout(() => controller.abort(new Error(`Nothing came for ${ms} ms`)), ms);
  };
  if (outer?.aborted) follow();
  outer?.addEventListener("abort", follow, { once: true });
  renew();
  return {
    signal: controller.signal,
    renew,
    rest: () => clearTimeout(timer),
    end: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", follow);
    },
  };
}
