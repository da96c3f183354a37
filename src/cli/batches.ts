/**
 * Groups items as they arrive: each batch has what arrived while the caller handled the last one, at most `sizeMax` items.
 * If the source throws, the items before the error are yielded first.
 */
export async function* batchesOf<Item>(
  source: AsyncGenerator<Item, void>,
  sizeMax: number,
): AsyncGenerator<readonly Item[], void> {
  let next = nextOf(source);
  for (;;) {
    const first = await next;
    if (first.done) return;
    const batch = [first.value];
    next = nextOf(source);
    while (batch.length < sizeMax) {
      // An error or the end is handled when the loop awaits `next` again.
      const ready = await Promise.race([next, nothingReady()]).catch(() => undefined);
      if (ready === undefined || ready.done) break;
      batch.push(ready.value);
      next = nextOf(source);
    }
    yield batch;
  }
}

/** Requests the next item. Marks the promise as handled, because an error may occur before the caller awaits it. */
function nextOf<Item>(source: AsyncGenerator<Item, void>): Promise<IteratorResult<Item, void>> {
  const next = source.next();
  next.catch(() => {});
  return next;
}

/** Resolves after everything that is ready already. */
const nothingReady = (): Promise<undefined> => new Promise((resolve) => setImmediate(resolve, undefined));
