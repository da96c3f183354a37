import { type Instant, MINUTE } from "../../domain/time.ts";
import type { NewNote, Note, Store } from "../../store/store.ts";
import { bytesOf, finishedName, openUsage } from "./finished.ts";
import { goneIn } from "./lines.ts";
import { bodiesOf, deliveriesOf, deliveryIn, GONE, STATUSES } from "./model.ts";
import { referencesOf, released } from "./snapshots.ts";

/** Few, as whoever publishes waits for the turn in which they go. */
const AT_ONCE = 100;
const EVERY = MINUTE;

/** A webhook whose deliveries are removed; its owner is not known of what an earlier release removed. */
export type WebhookOwnership = { readonly webhook: string; readonly owner: string };

type Left = { readonly gone: readonly WebhookOwnership[]; readonly isMore: boolean };

/** Removes what was listed for long enough, and what deleted webhooks left. */
export function openSweeping(store: Store) {
  const { notes, clock } = store;
  let next: Instant = Number.NEGATIVE_INFINITY;

  /** Those of them that are still there, each with what is stored for it alone. */
  const remove = (found: readonly Note[], { webhook, owner }: WebhookOwnership): Promise<void> => {
    const names = found.map(({ kind, id }) => ({ kind, id }));
    const besides = [...referencesOf(found.map(deliveryIn)), ...(owner ? [finishedName(owner)] : [])];
    return store.write<void>(
      undefined,
      (_none, { notes: seen }) => {
        const there = seen.slice(0, names.length).filter((note) => note !== undefined);
        const usage = openUsage(seen);
        const finished = there.filter(({ kind }) => kind !== deliveriesOf(webhook, "pending"));
        if (owner) for (const note of finished) usage.add(owner, -bytesOf(deliveryIn(note)));
        const gone = there.flatMap(({ kind, id }): readonly NewNote[] => [
          { kind, id, text: undefined },
          { kind: bodiesOf(webhook), id, text: undefined },
        ]);
        return { answer: undefined, notes: [...gone, ...released(there.map(deliveryIn), seen), ...usage.notes()] };
      },
      [...names, ...besides],
    );
  };

  /** So many at once; true, once there are no more. */
  async function removeSome(swept: WebhookOwnership, found: readonly Note[]): Promise<boolean> {
    if (found.length > 0) await remove(found, swept);
    return found.length < AT_ONCE;
  }

  /** Once nothing is pending nothing can be delivered any more, so the order matters. */
  async function removeGone(swept: WebhookOwnership): Promise<boolean> {
    const { webhook } = swept;
    for (const status of STATUSES) {
      const found = await notes.list({ kind: deliveriesOf(webhook, status), limit: AT_ONCE });
      if (!(await removeSome(swept, found))) return false;
    }
    if (!(await removeBodies(webhook))) return false;
    await store.write<void>(undefined, () => ({
      answer: undefined,
      notes: [{ kind: GONE, id: webhook, text: undefined }],
    }));
    return true;
  }

  /** What an earlier release left. */
  async function removeBodies(webhook: string): Promise<boolean> {
    const found = await notes.list({ kind: bodiesOf(webhook), limit: AT_ONCE });
    const gone = found.map(({ kind, id }) => ({ kind, id, text: undefined }));
    if (gone.length > 0) await store.write<void>(undefined, () => ({ answer: undefined, notes: gone }));
    return found.length < AT_ONCE;
  }

  async function removeOld(webhooks: Iterable<WebhookOwnership>): Promise<boolean> {
    const now = clock();
    if (now < next && now >= next - EVERY) return true;
    let isAll = true;
    for (const swept of webhooks)
      for (const status of ["delivered", "failed"] as const) {
        const old = await notes.due(deliveriesOf(swept.webhook, status), now, AT_ONCE);
        isAll = (await removeSome(swept, old)) && isAll;
      }
    next = isAll ? now + EVERY : now;
    return isAll;
  }

  /** A step of it, as others wait to be told; answers which of those that are gone have left something still. */
  async function sweep(webhooks: Iterable<WebhookOwnership>, gone: readonly WebhookOwnership[]): Promise<Left> {
    const isAll = await removeOld(webhooks);
    const [first, ...others] = gone;
    const left = first === undefined || (await removeGone(first)) ? others : gone;
    return { gone: left, isMore: !isAll || left.length > 0 };
  }

  return { sweep, gone: () => goneIn(notes) };
}
