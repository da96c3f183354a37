import { type Instant, SECOND } from "../domain/values/time.ts";
import type { Lease } from "../registry/lease.ts";
import type { EntryKey, EntryWrite, FeedQuery, FeedRow, RequestedEntries, Store } from "../store/store.ts";
import { deliveryEntry, LEASE_KEY, newDelivery, type Webhook, webhookEntry, webhookKey } from "./model.ts";
import { type FollowedChange, referenceKeysOf, withReference } from "./snapshots.ts";
import { pendingBytesOf, type SubscriptionState, UNKNOWN_REVISION } from "./subscriptionState.ts";

/** What depends on the API version of a webhook. */
export type WebhookFormatter = {
  /** The query of the feed for a webhook. Throws if its filter or version is no longer valid. */
  readonly queryOf: (webhook: Webhook) => Pick<FeedQuery, "modes" | "filter">;
  /** The JSON of the public tender; undefined if it has changed since the row was read, because then it is listed again. */
  readonly snapshotOf: (row: FeedRow) => Promise<string | undefined>;
  /** The entry as in the feed, with these fields of the snapshot. */
  readonly entryOf: (webhook: Webhook, row: FeedRow, fields: string, snapshot: string | undefined) => string;
};

export type ChangeFollowerSettings = {
  readonly store: Store;
  readonly lease: Lease;
  readonly formatter: WebhookFormatter;
  /** The limit for the snapshots of an account's pending deliveries. */
  readonly pendingBytesMax: number;
  readonly onFailure: (error: unknown) => void;
};

const ROWS_MAX = 100;
/** Enough to keep a receiver busy. The rest waits in the feed, which lists a tender once however often it changes. */
const PENDING_MAX = 500;
/** The approximate limit of the snapshots in one write, because other writes wait for it. */
const SNAPSHOT_BYTES_AT_ONCE = 4 * 1024 * 1024;
const SUBSCRIPTIONS_AT_ONCE = 16;
const OFFSETS_INTERVAL = 10 * SECOND;
const OFFSETS_AT_ONCE = 100;
const RETRY_PAUSE_MS = 5000;

/** Creates deliveries from changes of the feed. Those of a page are written together with the new offset of the webhook. */
export function openChangeFollower({ store, lease, formatter, pendingBytesMax, onFailure }: ChangeFollowerSettings) {
  let offsetsSavedAt: Instant = Number.NEGATIVE_INFINITY;

  /** Reads the next page for each subscription that is not caught up; returns whether there are more changes to read at once. */
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
          (await followSubscription(subscription, round).catch((error) => pauseAfter(error, subscription))) || hasMore;
      });
      await Promise.all(batch);
    }
    return hasMore;
  }

  /** A failing subscription must not block the others: it is paused for RETRY_PAUSE_MS. */
  function pauseAfter(error: unknown, subscription: SubscriptionState): false {
    subscription.revision = UNKNOWN_REVISION;
    subscription.pausedUntil = performance.now() + RETRY_PAUSE_MS;
    onFailure(error);
    return false;
  }

  async function followSubscription(subscription: SubscriptionState, round: FollowRound): Promise<boolean> {
    const rows = await round.pages({ ...formatter.queryOf(subscription.webhook), beyond: subscription.readUpTo });
    if (rows.length > 0 && isOverQuota(subscription, round)) return hold(subscription);
    // The changes that waited may no longer match the filter.
    if (rows.length === 0 && subscription.webhook.heldSince !== undefined)
      await moveOffsets([subscription], { heldSince: undefined });
    const changeBatch = await changesIn(subscription, rows, round);
    const lastRow = rows[changeBatch.rowsRead - 1];
    if (lastRow) {
      if (!(await deliver(subscription, changeBatch, lastRow.dateModified))) return false;
      subscription.readUpTo = Math.max(subscription.readUpTo, lastRow.dateModified);
    }
    if (changeBatch.rowsRead < rows.length || rows.length === ROWS_MAX) return isReady(subscription);
    // The page was read after the newest change, so it includes all matching changes up to that one.
    subscription.readUpTo = Math.max(subscription.readUpTo, round.head);
    subscription.caughtUpAt = round.position;
    return false;
  }

  const isOverQuota = ({ webhook }: SubscriptionState, { subscriptions }: FollowRound): boolean =>
    webhook.optFields !== undefined && pendingBytesOf(webhook.owner, subscriptions) >= pendingBytesMax;

  /** The changes wait in the feed, where they are not lost; the owner sees `heldSince`. */
  async function hold(subscription: SubscriptionState): Promise<false> {
    if (subscription.webhook.heldSince === undefined) await moveOffsets([subscription], { heldSince: store.clock() });
    return false;
  }

  /** The changes of as many rows as one write may store. */
  async function changesIn(
    { webhook }: SubscriptionState,
    rows: readonly FeedRow[],
    { snapshotOf }: FollowRound,
  ): Promise<ChangeBatch> {
    if (webhook.optFields === undefined) return { changes: rows.map((row) => ({ row })), rowsRead: rows.length };
    const changes: FollowedChange[] = [];
    let bytes = 0;
    let rowsRead = 0;
    for (const row of rows) {
      if (bytes >= SNAPSHOT_BYTES_AT_ONCE) break;
      rowsRead += 1;
      const snapshot = await snapshotOf(row);
      if (snapshot === undefined) continue;
      changes.push({ row, snapshot });
      bytes += snapshot.length;
    }
    return { changes, rowsRead };
  }

  /** Writes the deliveries and the new offset; false if the webhook has changed or the lease is lost. */
  async function deliver(subscription: SubscriptionState, { changes }: ChangeBatch, offset: Instant): Promise<boolean> {
    const { id, optFields: fields = "" } = subscription.webhook;
    const now = store.clock();
    const planned = changes.map(({ row, snapshot }) => ({
      delivery: newDelivery(row, snapshot === undefined ? undefined : { fields, bytes: snapshot.length }, now),
      snapshot,
    }));
    const deliveries = planned.map(({ delivery }) => delivery);
    const isWritten = await moveOffsets(
      [subscription],
      { offset, heldSince: undefined },
      {
        keys: referenceKeysOf(deliveries),
        entriesFor: (entries) =>
          planned.flatMap(({ delivery, snapshot }): readonly EntryWrite[] => {
            const stored = snapshot === undefined ? [] : withReference(delivery.id, snapshot, entries);
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

  /** Updates all of these webhooks, or none if one of them has changed or the lease is lost. */
  async function moveOffsets(
    subscriptions: readonly SubscriptionState[],
    move: OffsetUpdate | ((subscription: SubscriptionState) => OffsetUpdate),
    extra: ExtraWrites = NO_EXTRA_WRITES,
  ): Promise<boolean> {
    const moving = subscriptions.map((subscription) => ({ subscription, revision: subscription.revision }));
    const moveOf = (subscription: SubscriptionState): OffsetUpdate =>
      typeof move === "function" ? move(subscription) : move;
    // If the write fails, it is not known whether it was committed.
    for (const subscription of subscriptions) subscription.revision = UNKNOWN_REVISION;
    const isWritten = await store.write<boolean>(
      undefined,
      (_none, { entries }) => {
        if (!lease.isOwnEntry(entries.find(LEASE_KEY))) return { result: false };
        const moved: EntryWrite[] = [];
        for (const { subscription, revision } of moving) {
          const entry = entries.find(webhookKey(subscription.webhook.id));
          if (entry?.revision !== revision) return { result: false };
          moved.push(webhookEntry({ ...entry.value, ...moveOf(subscription) }));
        }
        return { result: true, entries: [...moved, ...extra.entriesFor(entries)] };
      },
      [LEASE_KEY, ...subscriptions.map(({ webhook }) => webhookKey(webhook.id)), ...extra.keys],
    );
    if (!isWritten) return false;
    for (const { subscription, revision } of moving) {
      const { offset, ...rest } = moveOf(subscription);
      subscription.revision = revision + 1;
      subscription.webhook = { ...subscription.webhook, ...rest };
      if (offset !== undefined) subscription.savedOffset = offset;
    }
    return true;
  }

  /** Changes that do not match only move the offset in memory; it is saved from time to time. */
  async function saveOffsets(subscriptions: readonly SubscriptionState[]): Promise<void> {
    const now = store.clock();
    if (now < offsetsSavedAt + OFFSETS_INTERVAL && now >= offsetsSavedAt) return;
    offsetsSavedAt = now;
    const moved = subscriptions.filter(
      ({ readUpTo, savedOffset, revision }) => readUpTo > savedOffset && revision !== UNKNOWN_REVISION,
    );
    for (let i = 0; i < moved.length; i += OFFSETS_AT_ONCE) {
      const batch = moved.slice(i, i + OFFSETS_AT_ONCE);
      await moveOffsets(batch, (subscription) => ({ offset: subscription.readUpTo }));
    }
  }

  return { follow, saveOffsets };
}

/** What all subscriptions of a round share. */
type FollowRound = {
  readonly head: Instant;
  readonly position: number;
  readonly pages: ReturnType<typeof openPageCache>;
  readonly snapshotOf: WebhookFormatter["snapshotOf"];
  readonly subscriptions: readonly SubscriptionState[];
};

type ChangeBatch = {
  readonly changes: readonly FollowedChange[];
  /** The number of rows that were read, also those that have changed since. */
  readonly rowsRead: number;
};

type OffsetUpdate = { readonly offset?: Instant; readonly heldSince?: Instant | undefined };
type ExtraWrites = {
  readonly keys: readonly EntryKey[];
  readonly entriesFor: (entries: RequestedEntries) => readonly EntryWrite[];
};
const NO_EXTRA_WRITES: ExtraWrites = { keys: [], entriesFor: () => [] };

const isReady = ({ webhook, pending, revision, pausedUntil }: SubscriptionState): boolean =>
  webhook.status === "active" &&
  pending.length < PENDING_MAX &&
  revision !== UNKNOWN_REVISION &&
  pausedUntil <= performance.now();

/** Subscriptions with the same query and offset share a page. */
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

/** Caches the last snapshots, because subscriptions of a round need those of the same changes at about the same time. */
function openSnapshotCache({ snapshotOf }: WebhookFormatter): WebhookFormatter["snapshotOf"] {
  const snapshots = new Map<string, Promise<string | undefined>>();
  return (row) => {
    const name = `${row.dateModified} ${row.id}`;
    const snapshot = snapshots.get(name) ?? snapshotOf(row);
    const [oldest] = snapshots.keys();
    if (snapshots.size >= SNAPSHOTS_MAX && !snapshots.has(name) && oldest !== undefined) snapshots.delete(oldest);
    snapshots.set(name, snapshot);
    return snapshot;
  };
}
