/** An LRU cache with a limit in bytes: evicts the least recently used entries. */
export type Lru<Value> = {
  /** Whether there is an entry; does not count as a use. */
  readonly has: (key: string) => boolean;
  readonly get: (key: string) => Value | undefined;
  /** Adds or replaces an entry. `bytes` is its size as the caller estimates it; an entry larger than the cache is not stored. */
  readonly put: (key: string, value: Value, bytes: number) => void;
  readonly drop: (key: string) => void;
  readonly clear: () => void;
};

/** Opens an empty cache that holds up to `bytesMax` bytes. */
export function openLru<Value>(bytesMax: number): Lru<Value> {
  const entries = new Map<string, { readonly key: string; readonly value: Value; readonly bytes: number }>();
  let totalBytes = 0;

  function remove(key: string): void {
    totalBytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  return {
    has: (key) => entries.has(key),
    drop: remove,
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      // Reuses the stored key: the caller's key may be a slice of a long URL, and would keep it alive.
      entries.set(entry.key, entry);
      return entry.value;
    },
    put(key, value, bytes) {
      remove(key);
      // An entry that cannot fit must not evict the others first.
      if (bytes > bytesMax) return;
      entries.set(key, { key, value, bytes });
      totalBytes += bytes;
      for (const oldest of entries.keys()) {
        if (totalBytes <= bytesMax) break;
        remove(oldest);
      }
    },
    clear() {
      entries.clear();
      totalBytes = 0;
    },
  };
}

/** Entries larger than this share of the cache would evict too many others. */
const LARGE_SHARE = 1 / 4;

/**
 * As `openLru`, with separate memory for large entries: they are the most expensive to load again, and must neither evict all
 * usual entries nor be evicted by them.
 */
export function openLruBySize<Value>(bytesMax: number, largeBytesMax: number): Lru<Value> {
  const [usual, large] = [openLru<Value>(bytesMax), openLru<Value>(largeBytesMax)];
  return {
    has: (key) => usual.has(key) || large.has(key),
    get: (key) => usual.get(key) ?? large.get(key),
    put(key, value, bytes) {
      const [target, unused] = bytes > bytesMax * LARGE_SHARE ? [large, usual] : [usual, large];
      unused.drop(key);
      target.put(key, value, bytes);
    },
    drop(key) {
      usual.drop(key);
      large.drop(key);
    },
    clear() {
      usual.clear();
      large.clear();
    },
  };
}
