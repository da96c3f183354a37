import { type Instant, SECOND } from "../../domain/time.ts";
import type { NewNote, Note, NoteName, Store } from "../../store/store.ts";
import { bytesOf, finishedName, openUsage } from "./finished.ts";
import type { Wording } from "./following.ts";
import type { Lease } from "./lease.ts";
import { type Line, nextOf, type Waiting } from "./lines.ts";
import {
  attempted,
  bodiesOf,
  type Delivery,
  deliveriesOf,
  deliveryIn,
  isSuccess,
  LEASE,
  noteOfDelivery,
  type Outcome,
  WEBHOOK,
  type Webhook,
  webhookIn,
} from "./model.ts";
import { type PostingSettings, post } from "./posting.ts";
import type { Signing } from "./signing.ts";
import { referencesName, released, snapshotName } from "./snapshots.ts";

export type SendingSettings = {
  readonly store: Store;
  readonly lease: Lease;
  readonly secretsOf: Signing["secretsOf"];
  readonly wording: Pick<Wording, "entryOf">;
  /** What finished deliveries of an account may take up while they are listed. */
  readonly finishedBytesMax: number;
  readonly posting: PostingSettings;
  readonly isAccount: (name: string) => boolean;
  readonly onAttempt: (outcome: "delivered" | "refused" | "unanswered") => void;
  readonly onFailure: (error: unknown) => void;
};

type Result = {
  readonly line: Line;
  readonly id: string;
  readonly hasSnapshot: boolean;
  readonly outcome: Outcome;
  readonly at: Instant;
};

/** Every webhook has a place of its own; those whose receivers answer well share these besides. */
const SHARED_PLACES = 64;
const PLACES_EACH = 8;
const WRITTEN_AT_ONCE = 100;
const ENDING_MS = 2000;
/** Where something could not be read or written. */
const PAUSE = 5 * SECOND;

/** Sends what is due, and writes what came of it, for as many at once as there are. */
export function openSending(settings: SendingSettings) {
  const { store, lease, secretsOf, posting, wording, finishedBytesMax, isAccount, onAttempt, onFailure } = settings;
  const ending = new AbortController();
  const sending = new Set<Promise<void>>();
  let results: Result[] = [];
  let writing: Promise<void> | undefined;
  let stopped = false;

  /** A receiver that does not answer keeps one place, its own: it takes none from others. */
  const hasPlace = ({ busy, healthy }: Line): boolean =>
    busy.size === 0 || (healthy && busy.size < PLACES_EACH && sending.size < SHARED_PLACES);

  const mayBeTold = ({ webhook }: Line): boolean => webhook.status === "active" && isAccount(webhook.owner);

  function start(line: Line): void {
    while (!stopped && mayBeTold(line) && lease.isHeld() && hasPlace(line)) {
      const next = nextOf(line, store.clock());
      if (!next) return;
      line.busy.add(next.id);
      const sent = send(line, next)
        .catch((error) => {
          setDue(line, next.id, store.clock() + PAUSE);
          onFailure(error);
        })
        .finally(() => sending.delete(sent));
      sending.add(sent);
    }
  }

  async function send(line: Line, { id, bytes }: Waiting): Promise<void> {
    const webhook = line.webhook.id;
    const names: readonly NoteName[] = [
      { kind: WEBHOOK, id: webhook },
      { kind: deliveriesOf(webhook, "pending"), id },
      { kind: bodiesOf(webhook), id },
      ...(bytes > 0 ? [snapshotName(id)] : []),
    ];
    const [hook, note, stored, snapshot] = await Promise.all(names.map((name) => store.notes.find(name)));
    const known = hook && webhookIn(hook);
    const delivery = note && deliveryIn(note);
    const dueAt = delivery?.nextAttempt;
    const isIncomplete = bytes > 0 && !snapshot;
    // Somebody was quicker than what we know of: the rest will be known before long.
    if (isIncomplete || dueAt === undefined || dueAt > store.clock()) return setDue(line, id, dueAt);
    if (known?.status !== "active") return setDue(line, id, store.clock() + PAUSE);
    const now = store.clock();
    const body = stored?.text ?? bodyOf(known, delivery!, snapshot?.text);
    const letter = { url: known.url, webhook, delivery: id, secrets: await secretsOf(known, now), body };
    const outcome = await post(letter, now, posting, ending.signal);
    // What was cut off by our own end has not been attempted.
    if (ending.signal.aborted && outcome.status === undefined) return;
    line.healthy = isSuccess(outcome);
    onAttempt(line.healthy ? "delivered" : outcome.status === undefined ? "unanswered" : "refused");
    results.push({ line, id, hasSnapshot: bytes > 0, outcome, at: store.clock() });
    await write();
    start(line);
  }

  /** Made anew for each attempt of the same snapshot and fields, so it is the same byte for byte. */
  function bodyOf(webhook: Webhook, { tender, dateModified, snapshot }: Delivery, stored: string | undefined): string {
    const row = { id: tender, dateModified };
    return `{"data":${wording.entryOf(webhook, row, snapshot?.fields ?? "", stored)}}`;
  }

  /** While some are written others come in, and are written together after them. */
  async function write(): Promise<void> {
    while (writing) await writing.catch(() => {});
    if (results.length === 0) return;
    const some = results.slice(0, WRITTEN_AT_ONCE);
    results = results.slice(WRITTEN_AT_ONCE);
    writing = record(some).finally(() => {
      writing = undefined;
    });
    await writing;
  }

  async function record(some: readonly Result[]): Promise<void> {
    const names = some.map(({ line, id }) => ({ kind: deliveriesOf(line.webhook.id, "pending"), id }));
    const owners = new Set(some.map(({ line }) => line.webhook.owner));
    const changes = new Set(some.filter(({ hasSnapshot }) => hasSnapshot).map(({ id }) => id));
    try {
      const recorded = await store.write<readonly (Delivery | undefined)[]>(
        undefined,
        (_none, { notes: [held, ...seen] }) => {
          if (!lease.isOurs(held)) return { answer: [] };
          const after = some.map(({ outcome, at }, i) => seen[i] && attempted(deliveryIn(seen[i]), outcome, at));
          return { answer: after, notes: notesAfter(some, after, seen, finishedBytesMax) };
        },
        [LEASE, ...names, ...[...changes].map(referencesName), ...[...owners].map(finishedName)],
      );
      some.forEach(({ line, id }, i) => {
        setDue(line, id, recorded[i]?.nextAttempt);
      });
    } catch (error) {
      // It will be sent again, but not as fast as a disk that is full refuses.
      for (const { line, id } of some) setDue(line, id, store.clock() + PAUSE);
      throw error;
    }
  }

  return {
    start,
    count: () => sending.size,
    /** What is on its way may arrive within a moment. */
    stop: async () => {
      stopped = true;
      const timer = setTimeout(() => ending.abort(), ENDING_MS);
      while (sending.size > 0) await Promise.allSettled(sending);
      clearTimeout(timer);
    },
  };
}

/**
 * What is finished is listed, as long as there is room for what the account's finished deliveries take up; what is delivered beyond that
 * is not. What failed is listed in any case: there is no more of it than could wait.
 */
function notesAfter(
  some: readonly Result[],
  after: readonly (Delivery | undefined)[],
  seen: readonly (Note | undefined)[],
  finishedBytesMax: number,
): readonly NewNote[] {
  const usage = openUsage(seen);
  const unlisted: Delivery[] = [];
  const notes = some.flatMap(({ line, at }, i): readonly NewNote[] => {
    const [delivery, before] = [after[i], seen[i]];
    if (!delivery || !before) return [];
    const { id: webhook, owner } = line.webhook;
    if (delivery.status === "pending") return [noteOfDelivery(webhook, delivery, at)];
    const moved: NewNote = { kind: before.kind, id: before.id, text: undefined };
    const bytes = bytesOf(delivery);
    if (delivery.status === "delivered" && usage.of(owner) + bytes > finishedBytesMax) {
      unlisted.push(delivery);
      return [moved];
    }
    usage.add(owner, bytes);
    return [moved, noteOfDelivery(webhook, delivery, at)];
  });
  return [...notes, ...released(unlisted, seen), ...usage.notes()];
}

/** When it is to be sent next, if it is; until now it was busy. */
function setDue(line: Line, id: string, dueAt: Instant | undefined): void {
  line.busy.delete(id);
  line.waiting =
    dueAt === undefined
      ? line.waiting.filter((one) => one.id !== id)
      : line.waiting.map((one) => (one.id === id ? { ...one, dueAt } : one));
}
