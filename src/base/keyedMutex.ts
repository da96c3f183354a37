/**
 * Runs `work` while holding the lock of `key`, and returns its result. Calls with the same key run one at a time, in the order in
 * which they were made; calls with different keys run concurrently.
 */
export type KeyedMutex = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>;

/** Opens a mutex with a lock for each key. A key takes memory only while somebody holds or waits for its lock. */
export function openKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const run = (tails.get(key) ?? Promise.resolve()).then(work);
    const settled = run
      .catch(() => {})
      .then(() => {
        if (tails.get(key) === settled) tails.delete(key);
      });
    tails.set(key, settled);
    return run;
  };
}
