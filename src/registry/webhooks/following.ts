import { type Instant, SECOND } from "../../domain/time.ts";
import type { FeedQuery, FeedRow, NewNote, Note, NoteName, Store } from "../../store/store.ts";
import type { Lease } from "./lease.ts";
import { type Line, pendingBytesOf, UNSURE } from "./lines.ts";
import { LEASE, newDelivery, noteOfDelivery, noteOfWebhook, WEBHOOK, type Webhook, webhookIn } from "./model.ts";
import { type FollowedChange, referencesOf, withReference } from "./snapshots.ts";

/** What the interface knows of a webhook's words. */
export type Wording = {
  readonly queryOf: (webhook: Webhook) => Pick<FeedQuery, "modes" | "filter">;
  /** Everything that any webhook may ask for of what is listed; nothing, where it has changed since and comes again. */
  readonly snapshotOf: (row: FeedRow) => Promise<string | undefined>;
  /** The entry as the feed writes it, with these fields of the snapshot. */
  readonly entryOf: (webhook: Webhook, row: FeedRow, fields: string, snapshot: string | undefined) => string;
};

export type FollowingSettings = {
  readonly store: Store;
  readonly lease: Lease;
  readonly wording: Wording;
  /** What may be stored for what is yet to be delivered to one account. */
  readonly pendingBytesMax: number;
  readonly onFailure: (error: unknown) => void;
};

const ROWS_MAX = 100;
/** Enough to keep a receiver busy; the rest waits in the feed, which tells each tender once however often it changes. */
const WAITING_MAX = 500;
/** What one write stores of changes, about: those who publish wait for it. */
const SNAPSHOT_BYTES_AT_ONCE = 4 * 1024 * 1024;
const LINES_AT_ONCE = 16;
const OFFSETS_AFTER = 10 * SECOND;
const OFFSETS_AT_ONCE = 100;
const REST_MS = 5000;

/** Makes deliveries of changes: those of one page of the feed are written together with the place where the next begins. */
export function openFollowing({ store, lease, wording, pendingBytesMax, onFailure }: FollowingSettings) {
  let offsetsAt: Instant = Number.NEGATIVE_INFINITY;

  /** True, where more is to be had at once. */
  async function follow(lines: readonly Line[], position: number): Promise<boolean> {
    const open = lines.filter((line) => isOpen(line) && line.followed !== position);
    if (open.length === 0) return false;
    const [newest] = await store.feed({ modes: "all", descending: true, beyond: undefined, limit: 1 });
    const head = newest?.dateModified ?? 0;
    const round: Round = { head, position, pages: openPages(store), snapshotOf: openSnapshots(wording), lines };
    let isMore = false;
    for (let i = 0; i < open.length; i += LINES_AT_ONCE) {
      const some = open.slice(i, i + LINES_AT_ONCE).map(async (line) => {
        isMore = (await followOne(line, round).catch((error) => rest(line, error))) || isMore;
      });
      await Promise.all(some);
    }
    return isMore;
  }

  /** One that cannot be followed keeps none of the others. */
  function rest(line: Line, error: unknown): false {
    line.revision = UNSURE;
    line.restsUntil = performance.now() + REST_MS;
    onFailure(error);
    return false;
  }

  async function followOne(line: Line, round: Round): Promise<boolean> {
    const rows = await round.pages({ ...wording.queryOf(line.webhook), beyond: line.seen });
    if (rows.length > 0 && hasNoRoom(line, round)) return hold(line);
    // What it waited for may have become none of its affair.
    if (rows.length === 0 && line.webhook.heldSince !== undefined) await moveOffsets([line], { heldSince: undefined });
    const changes = await changesIn(line, rows, round);
    if (rows.length > 0 && !(await deliver(line, rows, changes))) return false;
    line.seen = Math.max(line.seen, rows[changes.looked - 1]?.dateModified ?? 0);
    if (changes.looked < rows.length || rows.length === ROWS_MAX) return isOpen(line);
    // Nothing that was there before the newest change was asked for is left to be looked at.
    line.seen = Math.max(line.seen, round.head);
    line.followed = round.position;
    return false;
  }

  const hasNoRoom = ({ webhook }: Line, { lines }: Round): boolean =>
    webhook.optFields !== undefined && pendingBytesOf(webhook.owner, lines) >= pendingBytesMax;

  /** What waits in the feed is not lost, and its owner can see that it waits. */
  async function hold(line: Line): Promise<false> {
    if (line.webhook.heldSince === undefined) await moveOffsets([line], { heldSince: store.clock() });
    return false;
  }

  /** As many of the rows as may be written at once. */
  async function changesIn({ webhook }: Line, rows: readonly FeedRow[], { snapshotOf }: Round): Promise<Changes> {
    if (webhook.optFields === undefined) return { made: rows.map((row) => ({ row })), looked: rows.length };
    const made: FollowedChange[] = [];
    let bytes = 0;
    let looked = 0;
    for (; looked < rows.length && bytes < SNAPSHOT_BYTES_AT_ONCE; looked++) {
      const row = rows[looked]!;
      const snapshot = await snapshotOf(row);
      if (snapshot === undefined) continue;
      made.push({ row, snapshot });
      bytes += snapshot.length;
    }
    return { made, looked };
  }

  /** False, where the webhook is not what it was, or others deliver now. */
  async function deliver(line: Line, rows: readonly FeedRow[], { made, looked }: Changes): Promise<boolean> {
    const { id, optFields: fields = "" } = line.webhook;
    const now = store.clock();
    const deliveries = made.map(({ row, snapshot }) =>
      newDelivery(row, snapshot === undefined ? undefined : { fields, bytes: snapshot.length }, now),
    );
    const isWritten = await moveOffsets(
      [line],
      { offset: rows[looked - 1]!.dateModified, heldSince: undefined },
      {
        seeing: referencesOf(deliveries),
        notes: (references) =>
          deliveries.flatMap((delivery, i): readonly NewNote[] => {
            const { snapshot } = made[i]!;
            const count = references.find((note) => note?.id === delivery.id);
            const stored = snapshot === undefined ? [] : withReference(delivery.id, snapshot, count);
            return [noteOfDelivery(id, delivery, now), ...stored];
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
    line.waiting = [...line.waiting, ...waiting];
    return true;
  }

  /** All or none; only of those that nobody has touched. */
  async function moveOffsets(
    lines: readonly Line[],
    move: Move | ((line: Line) => Move),
    more: More = NO_MORE,
  ): Promise<boolean> {
    const revisions = lines.map(({ revision }) => revision);
    const moveOf = (line: Line): Move => (typeof move === "function" ? move(line) : move);
    // Until it is known what came of it.
    for (const line of lines) line.revision = UNSURE;
    const isWritten = await store.write<boolean>(
      undefined,
      (_none, { notes: [held, ...seen] }) => {
        const hooks = seen.slice(0, lines.length);
        if (!lease.isOurs(held) || hooks.some((note, i) => note?.revision !== revisions[i])) return { answer: false };
        const moved = hooks.map((note, i) => noteOfWebhook({ ...webhookIn(note!), ...moveOf(lines[i]!) }));
        return { answer: true, notes: [...moved, ...more.notes(seen.slice(lines.length))] };
      },
      [LEASE, ...lines.map(({ webhook }) => ({ kind: WEBHOOK, id: webhook.id })), ...more.seeing],
    );
    if (!isWritten) return false;
    for (const [i, line] of lines.entries()) {
      const { offset, ...rest } = moveOf(line);
      line.revision = revisions[i]! + 1;
      line.webhook = { ...line.webhook, ...rest };
      if (offset !== undefined) line.kept = offset;
    }
    return true;
  }

  /** Where nothing was to be delivered the place is only known here; it is written once in a while. */
  async function keepOffsets(lines: readonly Line[]): Promise<void> {
    const now = store.clock();
    if (now < offsetsAt + OFFSETS_AFTER && now >= offsetsAt) return;
    offsetsAt = now;
    const moved = lines.filter(({ seen, kept, revision }) => seen > kept && revision !== UNSURE);
    for (let i = 0; i < moved.length; i += OFFSETS_AT_ONCE) {
      const some = moved.slice(i, i + OFFSETS_AT_ONCE);
      await moveOffsets(some, (line) => ({ offset: line.seen }));
    }
  }

  return { follow, keepOffsets };
}

/** What is common to all that is followed in one go. */
type Round = {
  readonly head: Instant;
  readonly position: number;
  readonly pages: ReturnType<typeof openPages>;
  readonly snapshotOf: Wording["snapshotOf"];
  readonly lines: readonly Line[];
};

type Changes = {
  readonly made: readonly FollowedChange[];
  /** How many rows were looked at. */
  readonly looked: number;
};

type Move = { readonly offset?: Instant; readonly heldSince?: Instant | undefined };
type More = {
  readonly seeing: readonly NoteName[];
  readonly notes: (seen: readonly (Note | undefined)[]) => readonly NewNote[];
};
const NO_MORE: More = { seeing: [], notes: () => [] };

const isOpen = ({ webhook, waiting, revision, restsUntil }: Line): boolean =>
  webhook.status === "active" && waiting.length < WAITING_MAX && revision !== UNSURE && restsUntil <= performance.now();

/** Those who ask for the same are given the same page. */
function openPages({ feed }: Store) {
  const asked = new Map<string, Promise<readonly FeedRow[]>>();
  return (query: Pick<FeedQuery, "modes" | "filter" | "beyond">): Promise<readonly FeedRow[]> => {
    const name = JSON.stringify(query);
    const page = asked.get(name) ?? feed({ ...query, descending: false, limit: ROWS_MAX });
    asked.set(name, page);
    return page;
  };
}

const SNAPSHOTS_KEPT = 16;

/** Those who are told of the same change share what is stored of it; most of them ask for it at about the same time. */
function openSnapshots({ snapshotOf }: Wording): Wording["snapshotOf"] {
  const made = new Map<string, Promise<string | undefined>>();
  return (row) => {
    const name = `${row.dateModified} ${row.id}`;
    const snapshot = made.get(name) ?? snapshotOf(row);
    if (made.size >= SNAPSHOTS_KEPT && !made.has(name)) made.delete(made.keys().next().value!);
    made.set(name, snapshot);
    return snapshot;
  };
}
