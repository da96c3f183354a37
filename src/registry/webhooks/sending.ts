import { type Instant, SECOND } from "../../domain/time.ts";
import type { NewNote, Note, NoteName, Store } from "../../store/store.ts";
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
  webhookIn,
} from "./model.ts";
import { type PostingSettings, post } from "./posting.ts";
import type { Signing } from "./signing.ts";

export type SendingSettings = {
  readonly store: Store;
  readonly lease: Lease;
  readonly secretsOf: Signing["secretsOf"];
  readonly posting: PostingSettings;
  readonly isAccount: (name: string) => boolean;
  readonly onAttempt: (outcome: "delivered" | "refused" | "unanswered") => void;
  readonly onFailure: (error: unknown) => void;
};

type Result = { readonly line: Line; readonly id: string; readonly outcome: Outcome; readonly at: Instant };

/** Every webhook has a place of its own; those whose receivers answer well share these besides. */
const SHARED_PLACES = 64;
const PLACES_EACH = 8;
const WRITTEN_AT_ONCE = 100;
const ENDING_MS = 2000;
/** Where something could not be read or written. */
const PAUSE = 5 * SECOND;

/** Sends what is due, and writes what came of it, for as many at once as there are. */
export function openSending({ store, lease, secretsOf, posting, isAccount, onAttempt, onFailure }: SendingSettings) {
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

  async function send(line: Line, { id }: Waiting): Promise<void> {
    const webhook = line.webhook.id;
    const names: readonly NoteName[] = [
      { kind: WEBHOOK, id: webhook },
      { kind: deliveriesOf(webhook, "pending"), id },
      { kind: bodiesOf(webhook), id },
    ];
    const [hook, delivery, body] = await Promise.all(names.map((name) => store.notes.find(name)));
    const known = hook && webhookIn(hook);
    const dueAt = delivery && deliveryIn(delivery).nextAttempt;
    // Somebody was quicker than what we know of: the rest will be known before long.
    if (!body || dueAt === undefined || dueAt > store.clock()) return setDue(line, id, dueAt);
    if (known?.status !== "active") return setDue(line, id, store.clock() + PAUSE);
    const now = store.clock();
    const letter = { url: known.url, webhook, delivery: id, secrets: await secretsOf(known, now), body: body.text };
    const outcome = await post(letter, now, posting, ending.signal);
    // What was cut off by our own end has not been attempted.
    if (ending.signal.aborted && outcome.status === undefined) return;
    line.healthy = isSuccess(outcome);
    onAttempt(line.healthy ? "delivered" : outcome.status === undefined ? "unanswered" : "refused");
    results.push({ line, id, outcome, at: store.clock() });
    await write();
    start(line);
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
    try {
      const recorded = await store.write<readonly (Delivery | undefined)[]>(
        undefined,
        (_none, { notes: [held, ...seen] }) => {
          if (!lease.isOurs(held)) return { answer: [] };
          const after = seen.map((note, i) => note && attempted(deliveryIn(note), some[i]!.outcome, some[i]!.at));
          return { answer: after, notes: after.flatMap((one, i) => notesOf(some[i]!, one, seen[i])) };
        },
        [LEASE, ...names],
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

function notesOf({ line, at }: Result, after: Delivery | undefined, seen: Note | undefined): readonly NewNote[] {
  if (!after || !seen) return [];
  const moved: readonly NewNote[] =
    after.status === "pending" ? [] : [{ kind: seen.kind, id: seen.id, text: undefined }];
  return [...moved, noteOfDelivery(line.webhook.id, after, at)];
}

/** When it is to be sent next, if it is; until now it was busy. */
function setDue(line: Line, id: string, dueAt: Instant | undefined): void {
  line.busy.delete(id);
  line.waiting =
    dueAt === undefined
      ? line.waiting.filter((one) => one.id !== id)
      : line.waiting.map((one) => (one.id === id ? { ...one, dueAt } : one));
}
