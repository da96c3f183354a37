/** An LRU cache with a limit in bytes: evicts the least recently used entries. */
export type Lru<Kept> = {
  readonly has: (key: string) => boolean;
  readonly get: (key: string) => Kept | undefined;
  readonly put: (key: string, value: Kept, bytes: number) => void;
  readonly drop: (key: string) => void;
  readonly clear: () => void;
};

export function openLru<Kept>(bytesMax: number): Lru<Kept> {
  const kept = new Map<string, { readonly key: string; readonly value: Kept; readonly bytes: number }>();
  let bytesKept = 0;

  function forget(key: string): void {
    bytesKept -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  return {
    has: (key) => kept.has(key),
    drop: forget,
    get(key) {
      const found = kept.get(key);
      if (!found) return undefined;
      kept.delete(key);
      // Reuses the stored key: the caller's key may be a slice of a long URL, and would keep it alive.
      kept.set(found.key, found);
      return found.value;
    },
    put(key, value, bytes) {
      forget(key);
      // An entry that cannot fit must not evict the others first.
      if (bytes > bytesMax) return;
      kept.set(key, { key, value, bytes });
      bytesKept += bytes;
      for (const oldest of kept.keys()) {
        if (bytesKept <= bytesMax) break;
        forget(oldest);
      }
    },
    clear() {
      kept.clear();
      bytesKept = 0;
    },
  };
}

/** Entries larger than this share of the cache would evict too many others. */
const LARGE_PART = 1 / 4;

/**
 * As `openLru`, with separate memory for large entries: they are the most expensive to load again, and must neither evict all
 * the usual ones nor be evicted by them.
 */
export function openLruBySize<Kept>(bytesMax: number, largeBytesMax: number): Lru<Kept> {
  const [usual, large] = [openLru<Kept>(bytesMax), openLru<Kept>(largeBytesMax)];
  return {
    has: (key) => usual.has(key) || large.has(key),
    get: (key) => usual.get(key) ?? large.get(key),
    put(key, value, bytes) {
      const [place, other] = bytes > bytesMax * LARGE_PART ? [large, usual] : [usual, large];
      other.drop(key);
      place.put(key, value, bytes);
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
