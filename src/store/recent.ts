/** Keeps what was used last, up to a number of bytes; the longest unused goes first. */
export function openRecent<Kept>(bytesMax: number) {
  const kept = new Map<string, { readonly key: string; readonly value: Kept; readonly bytes: number }>();
  let bytesKept = 0;

  function forget(key: string): void {
    bytesKept -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  return {
    has: (key: string): boolean => kept.has(key),
    drop: forget,
    get(key: string): Kept | undefined {
      const found = kept.get(key);
      if (!found) return undefined;
      kept.delete(key);
      // Under the key it was put under: the one that is asked with may be part of a long address, and would keep it alive.
      kept.set(found.key, found);
      return found.value;
    },
    put(key: string, value: Kept, bytes: number): void {
      forget(key);
      // What will not fit must not push out all the others first.
      if (bytes > bytesMax) return;
      kept.set(key, { key, value, bytes });
      bytesKept += bytes;
      for (const oldest of kept.keys()) {
        if (bytesKept <= bytesMax) break;
        forget(oldest);
      }
    },
    clear(): void {
      kept.clear();
      bytesKept = 0;
    },
  };
}
