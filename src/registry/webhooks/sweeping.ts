import { type Instant, MINUTE } from "../../domain/time.ts";
import type { NewNote, Note, Store } from "../../store/store.ts";
import { goneIn } from "./lines.ts";
import { bodiesOf, deliveriesOf, GONE, STATUSES } from "./model.ts";

const AT_ONCE = 200;
const EVERY = MINUTE;

/** Removes what was listed for long enough, and what deleted webhooks left. */
export function openSweeping(store: Store) {
  const { notes, clock } = store;
  let next: Instant = Number.NEGATIVE_INFINITY;

  /** Those of them that are still there, each with its body. */
  const remove = (found: readonly Note[], webhook: string): Promise<void> =>
    store.write<void>(
      undefined,
      (_none, { notes: seen }) => {
        const gone = seen.flatMap((note): readonly NewNote[] =>
          note
            ? [
                { kind: note.kind, id: note.id, text: undefined },
                { kind: bodiesOf(webhook), id: note.id, text: undefined },
              ]
            : [],
        );
        return { answer: undefined, notes: gone };
      },
      found.map(({ kind, id }) => ({ kind, id })),
    );

  async function removeAll(webhook: string, find: () => Promise<readonly Note[]>): Promise<void> {
    for (;;) {
      const found = await find();
      if (found.length > 0) await remove(found, webhook);
      if (found.length < AT_ONCE) return;
    }
  }

  /** Once nothing is pending nothing can be delivered any more, so the order matters. */
  async function removeGone(webhook: string): Promise<void> {
    const kinds = [...STATUSES.map((status) => deliveriesOf(webhook, status)), bodiesOf(webhook)];
    for (const kind of kinds) await removeAll(webhook, () => notes.list({ kind, limit: AT_ONCE }));
    await store.write<void>(undefined, () => ({
      answer: undefined,
      notes: [{ kind: GONE, id: webhook, text: undefined }],
    }));
  }

  /** What webhooks are gone is looked at each time it is asked for; what is old, now and then. */
  async function sweep(webhooks: Iterable<string>, gone: readonly string[]): Promise<void> {
    for (const webhook of gone) await removeGone(webhook);
    const now = clock();
    if (now < next && now >= next - EVERY) return;
    next = now + EVERY;
    for (const webhook of webhooks)
      for (const status of ["delivered", "failed"] as const)
        await removeAll(webhook, () => notes.due(deliveriesOf(webhook, status), now, AT_ONCE));
  }

  return { sweep, gone: () => goneIn(notes) };
}
