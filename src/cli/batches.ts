/** Things as they come, in batches: whatever has come while the last batch was dealt with, and no more than `most`. */
export async function* batchesOf<One>(
  all: AsyncGenerator<One, void>,
  most: number,
): AsyncGenerator<readonly One[], void> {
  let next = nextOf(all);
  for (;;) {
    const first = await next;
    if (first.done) return;
    const batch = [first.value];
    next = nextOf(all);
    while (batch.length < most) {
      // What goes wrong is told after what came before it, and so is the end.
      const more = await Promise.race([next, noMore()]).catch(() => undefined);
      if (more === undefined || more.done) break;
      batch.push(more.value);
      next = nextOf(all);
    }
    yield batch;
  }
}

/** Nobody may look at it for a while: what goes wrong meanwhile is told when somebody does. */
function nextOf<One>(all: AsyncGenerator<One, void>): Promise<IteratorResult<One, void>> {
  const next = all.next();
  next.catch(() => {});
  return next;
}

/** What is there already comes before this. */
const noMore = (): Promise<undefined> => new Promise((resolve) => setImmediate(resolve, undefined));
