/** Work on the same thing is done one after the other, in the order in which it was asked for. */
export type InTurn = <Answer>(key: string, work: () => Promise<Answer>) => Promise<Answer>;

export function openTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    const over = turn
      .catch(() => {})
      .then(() => {
        if (last.get(key) === over) last.delete(key);
      });
    last.set(key, over);
    return turn;
  };
}
