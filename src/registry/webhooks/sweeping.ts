import { type Instant, MINUTE } from "../../domain/time.ts";
import type { NewNote, Note, Store } from "../../store/store.ts";
import { goneIn } from "./lines.ts";
import { bodiesOf, deliveriesOf, GONE, STATUSES } from "./model.ts";

/** Few, as whoever publishes waits for the turn in which they go. */
const AT_ONCE = 100;
const EVERY = MINUTE;

type Left = { readonly gone: readonly string[]; readonly isMore: boolean };

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

  /** So many at once; true, once there are no more. */
  async function removeSome(webhook: string, found: readonly Note[]): Promise<boolean> {
    if (found.length > 0) await remove(found, webhook);
    return found.length < AT_ONCE;
  }

  /** Once nothing is pending nothing can be delivered any more, so the order matters. */
  async function removeGone(webhook: string): Promise<boolean> {
    const kinds = [...STATUSES.map((status) => deliveriesOf(webhook, status)), bodiesOf(webhook)];
    for (const kind of kinds)
      if (!(await removeSome(webhook, await notes.list({ kind, limit: AT_ONCE })))) return false;
    await store.write<void>(undefined, () => ({
      answer: undefined,
      notes: [{ kind: GONE, id: webhook, text: undefined }],
    }));
    return true;
  }

  async function removeOld(webhooks: Iterable<string>): Promise<boolean> {
    const now = clock();
    if (now < next && now >= next - EVERY) return true;
    let isAll = true;
    for (const webhook of webhooks)
      for (const status of ["delivered", "failed"] as const) {
        const old = await notes.due(deliveriesOf(webhook, status), now, AT_ONCE);
        isAll = (await removeSome(webhook, old)) && isAll;
      }
    next = isAll ? now + EVERY : now;
    return isAll;
  }

  /** A step of it, as others wait to be told; answers which of those that are gone have left something still. */
  async function sweep(webhooks: Iterable<string>, gone: readonly string[]): Promise<Left> {
    const isAll = await removeOld(webhooks);
    const [first, ...others] = gone;
    const left = first === undefined || (await removeGone(first)) ? others : gone;
    return { gone: left, isMore: !isAll || left.length > 0 };
  }

  return { sweep, gone: () => goneIn(notes) };
}
