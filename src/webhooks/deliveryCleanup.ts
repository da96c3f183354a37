import { type Instant, MINUTE } from "../domain/values/time.ts";
import type { EntryWrite, KeyValueEntry, Store } from "../store/store.ts";
import { deliveryBytes, finishedUsageKey, openFinishedUsage } from "./finishedUsage.ts";
import { DELIVERY_STATUSES, type WebhookDelivery, webhookOfDelivery } from "./model.ts";
import { referenceKeysOf, releaseReferences } from "./snapshots.ts";
import { loadDeletedWebhooks } from "./subscriptionState.ts";

/** Small, because other writes wait for each batch. */
const BATCH_SIZE = 100;
const INTERVAL = MINUTE;

/** A webhook and its owner. The owner is empty for a webhook that an earlier release deleted. */
export type WebhookOwnership = { readonly webhook: string; readonly owner: string };

type DeliveryEntry = KeyValueEntry<"delivery">;

/** The deleted webhooks that still have entries, and whether there is more to remove at once. */
type CleanupProgress = { readonly deletedWebhooks: readonly WebhookOwnership[]; readonly hasMore: boolean };

/** Removes expired deliveries, and the deliveries of deleted webhooks. */
export function openDeliveryCleanup(store: Store) {
  const { keyValues, clock } = store;
  let next: Instant = Number.NEGATIVE_INFINITY;

  /** Removes those of these deliveries that still exist and may be removed, and the snapshots that only they refer to. */
  const remove = (
    found: readonly DeliveryEntry[],
    { owner }: Pick<WebhookOwnership, "owner">,
    mayRemove: (delivery: WebhookDelivery) => boolean,
  ): Promise<void> => {
    const keys = found.map(({ kind, id }) => ({ kind, id }));
    const references = referenceKeysOf(found.map(({ value }) => value));
    return store.write<void>(
      undefined,
      (_none, { entries }) => {
        const existing = keys.flatMap((key) => entries.find(key) ?? []).filter(({ value }) => mayRemove(value));
        const removed = existing.map(({ value }) => value);
        const usage = openFinishedUsage(entries);
        const finished = removed.filter(({ status }) => status !== "pending");
        if (owner) for (const delivery of finished) usage.add(owner, -deliveryBytes(delivery));
        const removals = existing.map(({ kind, id }): EntryWrite => ({ kind, id, value: undefined }));
        return {
          result: undefined,
          entries: [...removals, ...releaseReferences(removed, entries), ...usage.entries()],
        };
      },
      [...keys, ...references, ...(owner ? [finishedUsageKey(owner)] : [])],
    );
  };

  /** An attempt in flight may change the status of a delivery, so they are removed whatever status they have by then. */
  async function removeDeleted(ownership: WebhookOwnership): Promise<boolean> {
    const { webhook } = ownership;
    for (const status of DELIVERY_STATUSES) {
      const found = await keyValues.list({ kind: "delivery", where: { webhook, status }, limit: BATCH_SIZE });
      if (found.length > 0) await remove(found, ownership, () => true);
      if (found.length === BATCH_SIZE) return false;
    }
    await store.write<void>(undefined, () => ({
      result: undefined,
      entries: [{ kind: "deleted webhook", id: webhook, value: undefined }],
    }));
    return true;
  }

  /** The owner may have resent a delivery since it was read: only finished ones are removed. */
  async function removeExpired(webhooks: readonly WebhookOwnership[]): Promise<boolean> {
    const now = clock();
    if (now < next && now >= next - INTERVAL) return true;
    const expired = await keyValues.expired("delivery", now, BATCH_SIZE);
    const owners = new Map(webhooks.map(({ webhook, owner }) => [webhook, owner]));
    for (const [webhook, found] of Map.groupBy(expired, ({ id }) => webhookOfDelivery(id)))
      await remove(found, { owner: owners.get(webhook) ?? "" }, ({ status }) => status !== "pending");
    const isComplete = expired.length < BATCH_SIZE;
    next = isComplete ? now + INTERVAL : now;
    return isComplete;
  }

  /** Does one small step, so that deliveries do not have to wait for the cleanup. */
  async function sweep(
    webhooks: readonly WebhookOwnership[],
    deletedWebhooks: readonly WebhookOwnership[],
  ): Promise<CleanupProgress> {
    const isComplete = await removeExpired([...webhooks, ...deletedWebhooks]);
    const [first, ...others] = deletedWebhooks;
    const remaining = first === undefined || (await removeDeleted(first)) ? others : deletedWebhooks;
    return { deletedWebhooks: remaining, hasMore: !isComplete || remaining.length > 0 };
  }

  return { sweep, loadDeleted: () => loadDeletedWebhooks(keyValues) };
}
