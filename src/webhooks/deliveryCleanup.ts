import { type Instant, MINUTE } from "../domain/values/time.ts";
import type { EntryWrite, KeyValueEntry, Store } from "../store/store.ts";
import { deliveryBytes, finishedUsageKey, openFinishedUsage } from "./finishedUsage.ts";
import { DELETED_WEBHOOK_KIND, DELIVERY_STATUSES, deliveryBodyKind, deliveryKind, parseDelivery } from "./model.ts";
import { referenceKeysOf, releaseReferences } from "./snapshots.ts";
import { loadDeletedWebhooks } from "./subscriptionState.ts";

/** Few, as whoever publishes waits for the turn in which they go. */
const BATCH_SIZE = 100;
const INTERVAL = MINUTE;

/** A webhook whose deliveries are removed; its owner is not known of what an earlier release removed. */
export type WebhookOwnership = { readonly webhook: string; readonly owner: string };

type CleanupProgress = { readonly gone: readonly WebhookOwnership[]; readonly hasMore: boolean };

/** Removes what was listed for long enough, and what deleted webhooks left. */
export function openDeliveryCleanup(store: Store) {
  const { keyValues: notes, clock } = store;
  let next: Instant = Number.NEGATIVE_INFINITY;

  /** Those of them that are still there, each with what is stored for it alone. */
  const remove = (found: readonly KeyValueEntry[], { webhook, owner }: WebhookOwnership): Promise<void> => {
    const names = found.map(({ kind, id }) => ({ kind, id }));
    const otherKeys = [...referenceKeysOf(found.map(parseDelivery)), ...(owner ? [finishedUsageKey(owner)] : [])];
    return store.write<void>(
      undefined,
      (_none, { entries }) => {
        const existing = entries.slice(0, names.length).filter((entry) => entry !== undefined);
        const usage = openFinishedUsage(entries);
        const finished = existing.filter(({ kind }) => kind !== deliveryKind(webhook, "pending"));
        if (owner) for (const entry of finished) usage.add(owner, -deliveryBytes(parseDelivery(entry)));
        const gone = existing.flatMap(({ kind, id }): readonly EntryWrite[] => [
          { kind, id, text: undefined },
          { kind: deliveryBodyKind(webhook), id, text: undefined },
        ]);
        return {
          result: undefined,
          entries: [...gone, ...releaseReferences(existing.map(parseDelivery), entries), ...usage.notes()],
        };
      },
      [...names, ...otherKeys],
    );
  };

  /** So many at once; true, once there are no more. */
  async function removeBatch(ownership: WebhookOwnership, found: readonly KeyValueEntry[]): Promise<boolean> {
    if (found.length > 0) await remove(found, ownership);
    return found.length < BATCH_SIZE;
  }

  /** Once nothing is pending nothing can be delivered any more, so the order matters. */
  async function removeDeleted(ownership: WebhookOwnership): Promise<boolean> {
    const { webhook } = ownership;
    for (const status of DELIVERY_STATUSES) {
      const found = await notes.list({ kind: deliveryKind(webhook, status), limit: BATCH_SIZE });
      if (!(await removeBatch(ownership, found))) return false;
    }
    if (!(await removeBodies(webhook))) return false;
    await store.write<void>(undefined, () => ({
      result: undefined,
      entries: [{ kind: DELETED_WEBHOOK_KIND, id: webhook, text: undefined }],
    }));
    return true;
  }

  /** What an earlier release left. */
  async function removeBodies(webhook: string): Promise<boolean> {
    const found = await notes.list({ kind: deliveryBodyKind(webhook), limit: BATCH_SIZE });
    const gone = found.map(({ kind, id }) => ({ kind, id, text: undefined }));
    if (gone.length > 0) await store.write<void>(undefined, () => ({ result: undefined, entries: gone }));
    return found.length < BATCH_SIZE;
  }

  async function removeExpired(webhooks: Iterable<WebhookOwnership>): Promise<boolean> {
    const now = clock();
    if (now < next && now >= next - INTERVAL) return true;
    let isComplete = true;
    for (const ownership of webhooks)
      for (const status of ["delivered", "failed"] as const) {
        const old = await notes.due(deliveryKind(ownership.webhook, status), now, BATCH_SIZE);
        isComplete = (await removeBatch(ownership, old)) && isComplete;
      }
    next = isComplete ? now + INTERVAL : now;
    return isComplete;
  }

  /** A step of it, as others wait to be told; answers which of those that are gone have left something still. */
  async function sweep(
    webhooks: Iterable<WebhookOwnership>,
    gone: readonly WebhookOwnership[],
  ): Promise<CleanupProgress> {
    const isComplete = await removeExpired(webhooks);
    const [first, ...remaining] = gone;
    const left = first === undefined || (await removeDeleted(first)) ? remaining : gone;
    return { gone: left, hasMore: !isComplete || left.length > 0 };
  }

  return { sweep, gone: () => loadDeletedWebhooks(notes) };
}
