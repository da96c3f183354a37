/** Things as they come, in batches: whatever has come while the last batch was dealt with, and no more than `most`. */
export async function* batchesOf<One>(
  source: AsyncGenerator<One, void>,
  sizeMax: number,
): AsyncGenerator<readonly One[], void> {
  let next = nextOf(source);
  for (;;) {
    const first = await next;
    if (first.done) return;
    const batch = [first.value];
    next = nextOf(source);
    while (batch.length < sizeMax) {
      // What goes wrong is told after what came before it, and so is the end.
      const ready = await Promise.race([next, nothingReady()]).catch(() => undefined);
      if (ready === undefined || ready.done) break;
      batch.push(ready.value);
      next = nextOf(source);
    }
    yield batch;
  }
}

/** Nobody may look at it for a while: what goes wrong meanwhile is told when somebody does. */
function nextOf<One>(source: AsyncGenerator<One, void>): Promise<IteratorResult<One, void>> {
  const next = source.next();
  next.catch(() => {});
  return next;
}

/** What is there already comes before this. */
const nothingReady = (): Promise<undefined> => new Promise((resolve) => setImmediate(resolve, undefined));
