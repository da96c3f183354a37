import { type Instant, SECOND } from "../../domain/time.ts";
import type { FeedQuery, FeedRow, NewNote, Store } from "../../store/store.ts";
import type { Lease } from "./lease.ts";
import { type Line, UNSURE } from "./lines.ts";
import {
  bodiesOf,
  LEASE,
  newDelivery,
  noteOfDelivery,
  noteOfWebhook,
  WEBHOOK,
  type Webhook,
  webhookIn,
} from "./model.ts";

/** What the interface knows of a webhook's words. */
export type Wording = {
  readonly queryOf: (webhook: Webhook) => Pick<FeedQuery, "modes" | "filter">;
  /** As the feed writes them; those that have changed since they were listed are left out, as they come again. */
  readonly entriesOf: (webhook: Webhook, rows: readonly FeedRow[]) => Promise<readonly Written[]>;
};

export type Written = { readonly row: FeedRow; readonly text: string };

export type FollowingSettings = {
  readonly store: Store;
  readonly lease: Lease;
  readonly wording: Wording;
  readonly onFailure: (error: unknown) => void;
};

const ROWS_MAX = 100;
/** Enough to keep a receiver busy; the rest waits in the feed, which tells each tender once however often it changes. */
const WAITING_MAX = 500;
const LINES_AT_ONCE = 16;
const OFFSETS_AFTER = 10 * SECOND;
const OFFSETS_AT_ONCE = 100;
const REST_MS = 5000;

/** Makes deliveries of changes: those of one page of the feed are written together with the place where the next begins. */
export function openFollowing({ store, lease, wording, onFailure }: FollowingSettings) {
  let offsetsAt: Instant = Number.NEGATIVE_INFINITY;

  /** True, where more is to be had at once. */
  async function follow(lines: readonly Line[], position: number): Promise<boolean> {
    const open = lines.filter((line) => isOpen(line) && line.followed !== position);
    if (open.length === 0) return false;
    const [newest] = await store.feed({ modes: "all", descending: true, beyond: undefined, limit: 1 });
    const head = newest?.dateModified ?? 0;
    const pages = openPages(store);
    let isMore = false;
    for (let i = 0; i < open.length; i += LINES_AT_ONCE) {
      const some = open.slice(i, i + LINES_AT_ONCE).map(async (line) => {
        isMore = (await followOne(line, pages, head, position).catch((error) => rest(line, error))) || isMore;
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

  async function followOne(
    line: Line,
    pages: ReturnType<typeof openPages>,
    head: Instant,
    position: number,
  ): Promise<boolean> {
    const rows = await pages({ ...wording.queryOf(line.webhook), beyond: line.seen });
    if (rows.length > 0 && !(await deliver(line, rows))) return false;
    line.seen = Math.max(line.seen, rows.at(-1)?.dateModified ?? 0);
    if (rows.length === ROWS_MAX) return isOpen(line);
    // Nothing that was there before the newest change was asked for is left to be looked at.
    line.seen = Math.max(line.seen, head);
    line.followed = position;
    return false;
  }

  /** False, where the webhook is not what it was, or others deliver now. */
  async function deliver(line: Line, rows: readonly FeedRow[]): Promise<boolean> {
    const { webhook } = line;
    const written = await wording.entriesOf(webhook, rows);
    const now = store.clock();
    const made = written.map(({ row: { id, dateModified } }) => newDelivery(id, dateModified, now));
    const notes: readonly NewNote[] = made.flatMap((delivery, i) => [
      noteOfDelivery(webhook.id, delivery, now),
      { kind: bodiesOf(webhook.id), id: delivery.id, text: `{"data":${written[i]!.text}}` },
    ]);
    const isWritten = await moveOffsets([line], () => rows.at(-1)!.dateModified, notes);
    if (isWritten) line.waiting = [...line.waiting, ...made.map(({ id, tender }) => ({ id, tender, dueAt: now }))];
    return isWritten;
  }

  /** All or none; only of those that nobody has touched. */
  async function moveOffsets(
    lines: readonly Line[],
    offsetOf: (line: Line) => Instant,
    more: readonly NewNote[],
  ): Promise<boolean> {
    const revisions = lines.map(({ revision }) => revision);
    // Until it is known what came of it.
    for (const line of lines) line.revision = UNSURE;
    const isWritten = await store.write<boolean>(
      undefined,
      (_none, { notes: [held, ...seen] }) => {
        if (!lease.isOurs(held) || seen.some((note, i) => note?.revision !== revisions[i])) return { answer: false };
        const moved = seen.map((note, i) => noteOfWebhook({ ...webhookIn(note!), offset: offsetOf(lines[i]!) }));
        return { answer: true, notes: [...moved, ...more] };
      },
      [LEASE, ...lines.map(({ webhook }) => ({ kind: WEBHOOK, id: webhook.id }))],
    );
    if (!isWritten) return false;
    for (const [i, line] of lines.entries()) {
      line.revision = revisions[i]! + 1;
      line.kept = offsetOf(line);
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
      await moveOffsets(some, (line) => line.seen, []);
    }
  }

  return { follow, keepOffsets };
}

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
