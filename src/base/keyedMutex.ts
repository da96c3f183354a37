/** Work on the same thing is done one after the other, in the order in which it was asked for. */
export type KeyedMutex = <Answer>(key: string, work: () => Promise<Answer>) => Promise<Answer>;

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
