import { type Instant, SECOND } from "../domain/values/time.ts";
import type { EntryKey, EntryWrite, FeedQuery, FeedRow, KeyValueEntry, Store } from "../store/store.ts";
import type { Lease } from "./lease.ts";
import {
  deliveryEntry,
  LEASE_KEY,
  newDelivery,
  parseWebhook,
  WEBHOOK_KIND,
  type Webhook,
  webhookEntry,
} from "./model.ts";
import { type FollowedChange, referenceKeysOf, withReference } from "./snapshots.ts";
import { pendingBytesOf, type SubscriptionState, UNKNOWN_REVISION } from "./subscriptionState.ts";

/** What the interface knows of a webhook's words. */
export type WebhookFormatter = {
  readonly queryOf: (webhook: Webhook) => Pick<FeedQuery, "modes" | "filter">;
  /** Everything that any webhook may ask for of what is listed; nothing, where it has changed since and comes again. */
  readonly snapshotOf: (row: FeedRow) => Promise<string | undefined>;
  /** The entry as the feed writes it, with these fields of the snapshot. */
  readonly entryOf: (webhook: Webhook, row: FeedRow, fields: string, snapshot: string | undefined) => string;
};

export type ChangeFollowerSettings = {
  readonly store: Store;
  readonly lease: Lease;
  readonly formatter: WebhookFormatter;
  /** What may be stored for what is yet to be delivered to one account. */
  readonly pendingBytesMax: number;
  readonly onFailure: (error: unknown) => void;
};

const ROWS_MAX = 100;
/** Enough to keep a receiver busy; the rest waits in the feed, which tells each tender once however often it changes. */
const PENDING_MAX = 500;
/** What one write stores of changes, about: those who publish wait for it. */
const SNAPSHOT_BYTES_AT_ONCE = 4 * 1024 * 1024;
const SUBSCRIPTIONS_AT_ONCE = 16;
const OFFSETS_INTERVAL = 10 * SECOND;
const OFFSETS_AT_ONCE = 100;
const RETRY_PAUSE_MS = 5000;

/** Makes deliveries of changes: those of one page of the feed are written together with the place where the next begins. */
export function openChangeFollower({ store, lease, formatter, pendingBytesMax, onFailure }: ChangeFollowerSettings) {
  let offsetsSavedAt: Instant = Number.NEGATIVE_INFINITY;

  /** True, where more is to be had at once. */
  async function follow(subscriptions: readonly SubscriptionState[], position: number): Promise<boolean> {
    const ready = subscriptions.filter((subscription) => isReady(subscription) && subscription.caughtUpAt !== position);
    if (ready.length === 0) return false;
    const [newest] = await store.feed({ modes: "all", descending: true, beyond: undefined, limit: 1 });
    const head = newest?.dateModified ?? 0;
    const round: FollowRound = {
      head,
      position,
      pages: openPageCache(store),
      snapshotOf: openSnapshotCache(formatter),
      subscriptions,
    };
    let hasMore = false;
    for (let i = 0; i < ready.length; i += SUBSCRIPTIONS_AT_ONCE) {
      const batch = ready.slice(i, i + SUBSCRIPTIONS_AT_ONCE).map(async (subscription) => {
        hasMore =
          (await followSubscription(subscription, round).catch((error) => rest(subscription, error))) || hasMore;
      });
      await Promise.all(batch);
    }
    return hasMore;
  }

  /** One that cannot be followed keeps none of the others. */
  function rest(subscription: SubscriptionState, error: unknown): false {
    subscription.revision = UNKNOWN_REVISION;
    subscription.pausedUntil = performance.now() + RETRY_PAUSE_MS;
    onFailure(error);
    return false;
  }

  async function followSubscription(subscription: SubscriptionState, round: FollowRound): Promise<boolean> {
    const rows = await round.pages({ ...formatter.queryOf(subscription.webhook), beyond: subscription.readUpTo });
    if (rows.length > 0 && isOverQuota(subscription, round)) return hold(subscription);
    // What it waited for may have become none of its affair.
    if (rows.length === 0 && subscription.webhook.heldSince !== undefined)
      await moveOffsets([subscription], { heldSince: undefined });
    const changeBatch = await changesIn(subscription, rows, round);
    if (rows.length > 0 && !(await deliver(subscription, rows, changeBatch))) return false;
    subscription.readUpTo = Math.max(subscription.readUpTo, rows[changeBatch.rowsRead - 1]?.dateModified ?? 0);
    if (changeBatch.rowsRead < rows.length || rows.length === ROWS_MAX) return isReady(subscription);
    // Nothing that was there before the newest change was asked for is left to be looked at.
    subscription.readUpTo = Math.max(subscription.readUpTo, round.head);
    subscription.caughtUpAt = round.position;
    return false;
  }

  const isOverQuota = ({ webhook }: SubscriptionState, { subscriptions }: FollowRound): boolean =>
    webhook.optFields !== undefined && pendingBytesOf(webhook.owner, subscriptions) >= pendingBytesMax;

  /** What waits in the feed is not lost, and its owner can see that it waits. */
  async function hold(subscription: SubscriptionState): Promise<false> {
    if (subscription.webhook.heldSince === undefined) await moveOffsets([subscription], { heldSince: store.clock() });
    return false;
  }

  /** As many of the rows as may be written at once. */
  async function changesIn(
    { webhook }: SubscriptionState,
    rows: readonly FeedRow[],
    { snapshotOf }: FollowRound,
  ): Promise<ChangeBatch> {
    if (webhook.optFields === undefined) return { changes: rows.map((row) => ({ row })), rowsRead: rows.length };
    const changes: FollowedChange[] = [];
    let bytes = 0;
    let rowsRead = 0;
    for (; rowsRead < rows.length && bytes < SNAPSHOT_BYTES_AT_ONCE; rowsRead++) {
      const row = rows[rowsRead]!;
      const snapshot = await snapshotOf(row);
      if (snapshot === undefined) continue;
      changes.push({ row, snapshot });
      bytes += snapshot.length;
    }
    return { changes, rowsRead };
  }

  /** False, where the webhook is not what it was, or others deliver now. */
  async function deliver(
    subscription: SubscriptionState,
    rows: readonly FeedRow[],
    { changes, rowsRead }: ChangeBatch,
  ): Promise<boolean> {
    const { id, optFields: fields = "" } = subscription.webhook;
    const now = store.clock();
    const deliveries = changes.map(({ row, snapshot }) =>
      newDelivery(row, snapshot === undefined ? undefined : { fields, bytes: snapshot.length }, now),
    );
    const isWritten = await moveOffsets(
      [subscription],
      { offset: rows[rowsRead - 1]!.dateModified, heldSince: undefined },
      {
        keys: referenceKeysOf(deliveries),
        notes: (references) =>
          deliveries.flatMap((delivery, i): readonly EntryWrite[] => {
            const { snapshot } = changes[i]!;
            const count = references.find((entry) => entry?.id === delivery.id);
            const stored = snapshot === undefined ? [] : withReference(delivery.id, snapshot, count);
            return [deliveryEntry(id, delivery, now), ...stored];
          }),
      },
    );
    if (!isWritten) return false;
    const waiting = deliveries.map(({ id, tender, snapshot }) => ({
      id,
      tender,
      dueAt: now,
      bytes: snapshot?.bytes ?? 0,
    }));
    subscription.pending = [...subscription.pending, ...waiting];
    return true;
  }

  /** All or none; only of those that nobody has touched. */
  async function moveOffsets(
    subscriptions: readonly SubscriptionState[],
    move: OffsetUpdate | ((subscription: SubscriptionState) => OffsetUpdate),
    extra: ExtraWrites = NO_EXTRA_WRITES,
  ): Promise<boolean> {
    const revisions = subscriptions.map(({ revision }) => revision);
    const moveOf = (subscription: SubscriptionState): OffsetUpdate =>
      typeof move === "function" ? move(subscription) : move;
    // Until it is known what came of it.
    for (const subscription of subscriptions) subscription.revision = UNKNOWN_REVISION;
    const isWritten = await store.write<boolean>(
      undefined,
      (_none, { entries: [leaseEntry, ...seen] }) => {
        const webhookEntries = seen.slice(0, subscriptions.length);
        if (!lease.isOurs(leaseEntry) || webhookEntries.some((entry, i) => entry?.revision !== revisions[i]))
          return { result: false };
        const moved = webhookEntries.map((entry, i) =>
          webhookEntry({ ...parseWebhook(entry!), ...moveOf(subscriptions[i]!) }),
        );
        return { result: true, entries: [...moved, ...extra.notes(seen.slice(subscriptions.length))] };
      },
      [LEASE_KEY, ...subscriptions.map(({ webhook }) => ({ kind: WEBHOOK_KIND, id: webhook.id })), ...extra.keys],
    );
    if (!isWritten) return false;
    for (const [i, subscription] of subscriptions.entries()) {
      const { offset, ...rest } = moveOf(subscription);
      subscription.revision = revisions[i]! + 1;
      subscription.webhook = { ...subscription.webhook, ...rest };
      if (offset !== undefined) subscription.savedOffset = offset;
    }
    return true;
  }

  /** Where nothing was to be delivered the place is only known here; it is written once in a while. */
  async function saveOffsets(subscriptions: readonly SubscriptionState[]): Promise<void> {
    const now = store.clock();
    if (now < offsetsSavedAt + OFFSETS_INTERVAL && now >= offsetsSavedAt) return;
    offsetsSavedAt = now;
    const moved = subscriptions.filter(
      ({ readUpTo: seen, savedOffset, revision }) => seen > savedOffset && revision !== UNKNOWN_REVISION,
    );
    for (let i = 0; i < moved.length; i += OFFSETS_AT_ONCE) {
      const batch = moved.slice(i, i + OFFSETS_AT_ONCE);
      await moveOffsets(batch, (subscription) => ({ offset: subscription.readUpTo }));
    }
  }

  return { follow, keepOffsets: saveOffsets };
}

/** What is common to all that is followed in one go. */
type FollowRound = {
  readonly head: Instant;
  readonly position: number;
  readonly pages: ReturnType<typeof openPageCache>;
  readonly snapshotOf: WebhookFormatter["snapshotOf"];
  readonly subscriptions: readonly SubscriptionState[];
};

type ChangeBatch = {
  readonly changes: readonly FollowedChange[];
  /** How many rows were looked at. */
  readonly rowsRead: number;
};

type OffsetUpdate = { readonly offset?: Instant; readonly heldSince?: Instant | undefined };
type ExtraWrites = {
  readonly keys: readonly EntryKey[];
  readonly notes: (entries: readonly (KeyValueEntry | undefined)[]) => readonly EntryWrite[];
};
const NO_EXTRA_WRITES: ExtraWrites = { keys: [], notes: () => [] };

const isReady = ({ webhook, pending, revision, pausedUntil }: SubscriptionState): boolean =>
  webhook.status === "active" &&
  pending.length < PENDING_MAX &&
  revision !== UNKNOWN_REVISION &&
  pausedUntil <= performance.now();

/** Those who ask for the same are given the same page. */
function openPageCache({ feed }: Store) {
  const pages = new Map<string, Promise<readonly FeedRow[]>>();
  return (query: Pick<FeedQuery, "modes" | "filter" | "beyond">): Promise<readonly FeedRow[]> => {
    const name = JSON.stringify(query);
    const page = pages.get(name) ?? feed({ ...query, descending: false, limit: ROWS_MAX });
    pages.set(name, page);
    return page;
  };
}

const SNAPSHOTS_MAX = 16;

/** Those who are told of the same change share what is stored of it; most of them ask for it at about the same time. */
function openSnapshotCache({ snapshotOf }: WebhookFormatter): WebhookFormatter["snapshotOf"] {
  const snapshots = new Map<string, Promise<string | undefined>>();
  return (row) => {
    const name = `${row.dateModified} ${row.id}`;
    const snapshot = snapshots.get(name) ?? snapshotOf(row);
    if (snapshots.size >= SNAPSHOTS_MAX && !snapshots.has(name)) snapshots.delete(snapshots.keys().next().value!);
    snapshots.set(name, snapshot);
    return snapshot;
  };
}
