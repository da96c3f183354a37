import { openLease } from "../registry/lease.ts";
import type { Registry } from "../registry/registry.ts";
import { type Store, StoreUnavailableError } from "../store/store.ts";
import { openChangeFollower, type WebhookFormatter } from "./changeFollower.ts";
import { openDeliveryCleanup, type WebhookOwnership } from "./deliveryCleanup.ts";
import { type DeliverySenderSettings, openDeliverySender } from "./deliverySender.ts";
import { CHANGED_KEY, LEASE_KEY } from "./model.ts";
import { loadSubscriptions, type SubscriptionState, UNKNOWN_REVISION } from "./subscriptionState.ts";
import type { WebhookRequestSettings } from "./webhookRequest.ts";

export type DispatcherSettings = {
  readonly store: Store;
  readonly registry: Pick<Registry, "catchUp">;
  readonly secretsOf: DeliverySenderSettings["secretsOf"];
  readonly formatter: WebhookFormatter;
  /** The limit for the snapshots of an account's pending deliveries, and the same again for its finished ones. */
  readonly bytesMax: number;
  readonly requestSettings: WebhookRequestSettings;
  /** Whether the account exists. Nothing is sent for a deleted account; its deliveries wait in case it is created again. */
  readonly isAccount: (name: string) => boolean;
  readonly onAttempt: DeliverySenderSettings["onAttempt"];
  /** No other process serves this registry. */
  readonly isSoleProcess: boolean;
  readonly onFailure: (error: unknown) => void;
};

export type Dispatcher = {
  /** The deliveries that wait and those in flight; 0 if another process delivers. */
  readonly counts: () => { readonly waiting: number; readonly sending: number };
  /** Waits for the requests in flight, for a short time. */
  readonly stop: () => Promise<void>;
};

const POLL_MS = 200;
/** The interval if there are no webhooks, or if another process delivers. */
const IDLE_MS = 500;
const FAILED_MS = 1000;

/**
 * Delivers changes to webhooks. In short rounds it turns new changes of the feed into deliveries, sends those that are due, and removes
 * old ones. All processes of a registry run a dispatcher, but only the one that holds the lease delivers.
 */
export function openDispatcher(settings: DispatcherSettings): Dispatcher {
  const { store, registry, isAccount, isSoleProcess } = settings;
  // The ticker already reports an outage of the store.
  const onFailure = (error: unknown) => void (error instanceof StoreUnavailableError || settings.onFailure(error));
  const lease = openLease(store, LEASE_KEY, isSoleProcess);
  const deliverySender = openDeliverySender({ ...settings, lease, onFailure, finishedBytesMax: settings.bytesMax });
  const changeFollower = openChangeFollower({ ...settings, lease, onFailure, pendingBytesMax: settings.bytesMax });
  const deliveryCleanup = openDeliveryCleanup(store);
  let subscriptions: ReadonlyMap<string, SubscriptionState> = new Map();
  let deletedWebhooks: readonly WebhookOwnership[] = [];
  /** The revision of the change marker when the subscriptions were last loaded. It is undefined in a registry without the marker. */
  let loadedRevision: number | undefined | "never" = "never";
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> = Promise.resolve(0);
  let stopped = false;

  /** Returns the time until the next round, in milliseconds. */
  async function round(): Promise<number> {
    const changed = (await store.keyValues.find(CHANGED_KEY))?.revision;
    const isEmpty = subscriptions.size === 0 && deletedWebhooks.length === 0;
    if (changed === loadedRevision && isEmpty) return IDLE_MS;
    const leaseStatus = await lease.acquire();
    if (leaseStatus !== "held") {
      subscriptions = new Map();
      deletedWebhooks = [];
      loadedRevision = "never";
    }
    if (leaseStatus === "another's") return IDLE_MS;
    if (changed !== loadedRevision || subscriptions.values().some(({ revision }) => revision === UNKNOWN_REVISION)) {
      subscriptions = await loadSubscriptions(store.keyValues, subscriptions);
      deletedWebhooks = await deliveryCleanup.loadDeleted();
      loadedRevision = changed;
    }
    const hasMore = await deliver([...subscriptions.values()].filter(({ webhook }) => isAccount(webhook.owner)));
    const remaining = await deliveryCleanup.sweep(
      [...subscriptions.values()].map(({ webhook: { id, owner } }) => ({ webhook: id, owner })),
      deletedWebhooks,
    );
    deletedWebhooks = remaining.deletedWebhooks;
    if (subscriptions.size === 0 && deletedWebhooks.length === 0) await lease.release();
    return hasMore || remaining.hasMore ? 0 : POLL_MS;
  }

  /** Returns whether the feed has more changes that can be followed at once. */
  async function deliver(ownedSubscriptions: readonly SubscriptionState[]): Promise<boolean> {
    // Pending deliveries do not depend on the feed, so they are sent first.
    for (const subscription of ownedSubscriptions) deliverySender.start(subscription);
    if (!ownedSubscriptions.some(({ webhook }) => webhook.status === "active")) return false;
    const hasMore = await changeFollower.follow(ownedSubscriptions, await registry.catchUp());
    for (const subscription of ownedSubscriptions) deliverySender.start(subscription);
    await changeFollower.saveOffsets(ownedSubscriptions);
    return hasMore;
  }

  function wake(): void {
    const started = performance.now();
    running = round().catch((error) => {
      onFailure(error);
      return FAILED_MS;
    });
    void running.then((pause) => {
      // At most half of the time is spent on rounds, even with very many webhooks.
      if (!stopped) timer = setTimeout(wake, Math.max(pause, performance.now() - started));
    });
  }

  wake();
  return {
    counts: () => {
      const waiting = [...subscriptions.values()].reduce((sum, subscription) => sum + subscription.pending.length, 0);
      return { waiting, sending: deliverySender.count() };
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
      await deliverySender.stop();
      await lease.release().catch(() => {});
    },
  };
}
