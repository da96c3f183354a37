import type { Registry } from "../registry/registry.ts";
import { type Store, StoreUnavailableError } from "../store/store.ts";
import { openChangeFollower, type WebhookFormatter } from "./changeFollower.ts";
import { openDeliveryCleanup, type WebhookOwnership } from "./deliveryCleanup.ts";
import { type DeliverySenderSettings, openDeliverySender } from "./deliverySender.ts";
import { openLease } from "./lease.ts";
import { CHANGED_KEY } from "./model.ts";
import { loadSubscriptions, type SubscriptionState, UNKNOWN_REVISION } from "./subscriptionState.ts";
import type { WebhookRequestSettings } from "./webhookRequest.ts";

export type DispatcherSettings = {
  readonly store: Store;
  readonly registry: Pick<Registry, "catchUp">;
  readonly secretsOf: DeliverySenderSettings["secretsOf"];
  readonly formatter: WebhookFormatter;
  /** What changes that are yet to be delivered to one account may take up, and what those that are listed afterwards may. */
  readonly bytesMax: number;
  readonly requestSettings: WebhookRequestSettings;
  /** Whoever is none any more is told nothing: what there is for them waits, in case they come back. */
  readonly isAccount: (name: string) => boolean;
  readonly onAttempt: DeliverySenderSettings["onAttempt"];
  /** No other process serves this registry. */
  readonly isSoleProcess: boolean;
  readonly onFailure: (error: unknown) => void;
};

export type Dispatcher = {
  /** How many deliveries wait, and how many are being made, as far as this process makes them. */
  readonly counts: () => { readonly waiting: number; readonly sending: number };
  readonly stop: () => Promise<void>;
};

const POLL_MS = 200;
/** Where there is no webhook at all, or another process delivers. */
const IDLE_MS = 500;
const FAILED_MS = 1000;

/** Tells webhooks of changes: looks often where the ledger stands, and lets what follows from that be done. */
export function openDispatcher(settings: DispatcherSettings): Dispatcher {
  const { store, registry, isAccount, isSoleProcess } = settings;
  // Whoever watches time says that the store is away.
  const onFailure = (error: unknown) => void (error instanceof StoreUnavailableError || settings.onFailure(error));
  const lease = openLease(store, isSoleProcess);
  const deliverySender = openDeliverySender({ ...settings, lease, onFailure, finishedBytesMax: settings.bytesMax });
  const changeFollower = openChangeFollower({ ...settings, lease, onFailure, pendingBytesMax: settings.bytesMax });
  const deliveryCleanup = openDeliveryCleanup(store);
  let subscriptions: ReadonlyMap<string, SubscriptionState> = new Map();
  let deletedWebhooks: readonly WebhookOwnership[] = [];
  /** Of the note that is written when owners change something: as of when we last looked at all. A restored registry has none. */
  let loadedRevision: number | undefined | "never" = "never";
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> = Promise.resolve(0);
  let stopped = false;

  /** Answers how long to wait for the next. */
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
      deletedWebhooks = await deliveryCleanup.gone();
      loadedRevision = changed;
    }
    const hasMore = await deliver([...subscriptions.values()].filter(({ webhook }) => isAccount(webhook.owner)));
    const remaining = await deliveryCleanup.sweep(
      [...subscriptions.values()].map(({ webhook: { id, owner } }) => ({ webhook: id, owner })),
      deletedWebhooks,
    );
    deletedWebhooks = remaining.gone;
    if (subscriptions.size === 0 && deletedWebhooks.length === 0) await lease.release();
    return hasMore || remaining.hasMore ? 0 : POLL_MS;
  }

  async function deliver(accessible: readonly SubscriptionState[]): Promise<boolean> {
    // What is due already needs no feed.
    for (const subscription of accessible) deliverySender.start(subscription);
    if (!accessible.some(({ webhook }) => webhook.status === "active")) return false;
    const hasMore = await changeFollower.follow(accessible, await registry.catchUp());
    for (const subscription of accessible) deliverySender.start(subscription);
    await changeFollower.keepOffsets(accessible);
    return hasMore;
  }

  function wake(): void {
    const started = performance.now();
    running = round().catch((error) => {
      onFailure(error);
      return FAILED_MS;
    });
    void running.then((pause) => {
      // A registry with very many webhooks is to have time for others as well.
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
