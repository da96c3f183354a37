import { type Instant, MINUTE } from "../domain/values/time.ts";
import type { EntryWrite, KeyValueEntry, Store } from "../store/store.ts";
import { deliveryBytes, finishedUsageKey, openFinishedUsage } from "./finishedUsage.ts";
import { DELETED_WEBHOOK_KIND, DELIVERY_STATUSES, deliveryBodyKind, deliveryKind, parseDelivery } from "./model.ts";
import { referenceKeysOf, releaseReferences } from "./snapshots.ts";
import { loadDeletedWebhooks } from "./subscriptionState.ts";

/** Small, because other writes wait for each batch. */
const BATCH_SIZE = 100;
const INTERVAL = MINUTE;

/** A webhook and its owner. The owner is empty for a webhook that an earlier release deleted. */
export type WebhookOwnership = { readonly webhook: string; readonly owner: string };

/** The deleted webhooks that still have entries, and whether there is more to remove at once. */
type CleanupProgress = { readonly deletedWebhooks: readonly WebhookOwnership[]; readonly hasMore: boolean };

/** Removes expired deliveries, and the deliveries of deleted webhooks. */
export function openDeliveryCleanup(store: Store) {
  const { keyValues, clock } = store;
  let next: Instant = Number.NEGATIVE_INFINITY;

  /** Removes these deliveries, as far as they still exist, and the snapshots that only they refer to. */
  const remove = (found: readonly KeyValueEntry[], { webhook, owner }: WebhookOwnership): Promise<void> => {
    const keys = found.map(({ kind, id }) => ({ kind, id }));
    const otherKeys = [...referenceKeysOf(found.map(parseDelivery)), ...(owner ? [finishedUsageKey(owner)] : [])];
    return store.write<void>(
      undefined,
      (_none, { entries }) => {
        const existing = entries.slice(0, keys.length).filter((entry) => entry !== undefined);
        const usage = openFinishedUsage(entries);
        const finished = existing.filter(({ kind }) => kind !== deliveryKind(webhook, "pending"));
        if (owner) for (const entry of finished) usage.add(owner, -deliveryBytes(parseDelivery(entry)));
        const removals = existing.flatMap(({ kind, id }): readonly EntryWrite[] => [
          { kind, id, text: undefined },
          { kind: deliveryBodyKind(webhook), id, text: undefined },
        ]);
        return {
          result: undefined,
          entries: [...removals, ...releaseReferences(existing.map(parseDelivery), entries), ...usage.entries()],
        };
      },
      [...keys, ...otherKeys],
    );
  };

  /** Removes a batch; returns whether it was the last one. */
  async function removeBatch(ownership: WebhookOwnership, found: readonly KeyValueEntry[]): Promise<boolean> {
    if (found.length > 0) await remove(found, ownership);
    return found.length < BATCH_SIZE;
  }

  /** Pending deliveries go first: an attempt in flight could otherwise add a finished one afterwards. */
  async function removeDeleted(ownership: WebhookOwnership): Promise<boolean> {
    const { webhook } = ownership;
    for (const status of DELIVERY_STATUSES) {
      const found = await keyValues.list({ kind: deliveryKind(webhook, status), limit: BATCH_SIZE });
      if (!(await removeBatch(ownership, found))) return false;
    }
    if (!(await removeBodies(webhook))) return false;
    await store.write<void>(undefined, () => ({
      result: undefined,
      entries: [{ kind: DELETED_WEBHOOK_KIND, id: webhook, text: undefined }],
    }));
    return true;
  }

  /** Removes the stored bodies of an earlier release. */
  async function removeBodies(webhook: string): Promise<boolean> {
    const found = await keyValues.list({ kind: deliveryBodyKind(webhook), limit: BATCH_SIZE });
    const removals = found.map(({ kind, id }) => ({ kind, id, text: undefined }));
    if (removals.length > 0) await store.write<void>(undefined, () => ({ result: undefined, entries: removals }));
    return found.length < BATCH_SIZE;
  }

  async function removeExpired(webhooks: Iterable<WebhookOwnership>): Promise<boolean> {
    const now = clock();
    if (now < next && now >= next - INTERVAL) return true;
    let isComplete = true;
    for (const ownership of webhooks)
      for (const status of ["delivered", "failed"] as const) {
        const expired = await keyValues.due(deliveryKind(ownership.webhook, status), now, BATCH_SIZE);
        isComplete = (await removeBatch(ownership, expired)) && isComplete;
      }
    next = isComplete ? now + INTERVAL : now;
    return isComplete;
  }

  /** Does one small step, so that deliveries do not have to wait for the cleanup. */
  async function sweep(
    webhooks: Iterable<WebhookOwnership>,
    deletedWebhooks: readonly WebhookOwnership[],
  ): Promise<CleanupProgress> {
    const isComplete = await removeExpired(webhooks);
    const [first, ...others] = deletedWebhooks;
    const remaining = first === undefined || (await removeDeleted(first)) ? others : deletedWebhooks;
    return { deletedWebhooks: remaining, hasMore: !isComplete || remaining.length > 0 };
  }

  return { sweep, loadDeleted: () => loadDeletedWebhooks(keyValues) };
}
