import type { Instant } from "../../domain/time.ts";
import type { Note, Notes } from "../../store/store.ts";
import { deliveriesOf, deliveryIn, GONE, WEBHOOK, type Webhook, webhookIn } from "./model.ts";

/** A delivery that is to be made; what it says is read when it is. */
export type Waiting = {
  readonly id: string;
  readonly tender: string;
  readonly dueAt: Instant;
  /** Of its snapshot; 0 where there is none. */
  readonly bytes: number;
};

/** What the dispatcher knows of one webhook. */
export type Line = {
  webhook: Webhook;
  /** Of its note, as it was when this was known of it; `UNSURE`, where it may be another by now. */
  revision: number;
  /** Changes up to here were looked at, */
  seen: Instant;
  /** and this is how far its note says so. */
  kept: Instant;
  /** Where the ledger stood when nothing was left to look at. */
  followed: number;
  /** In the order of ids. */
  waiting: readonly Waiting[];
  /** The ids of those that are being made; they stay until what came of them is written. */
  readonly busy: Set<string>;
  /** Whether the last attempt was a success. */
  healthy: boolean;
  /** Where it could not be followed: not before then again, in milliseconds of this process. */
  restsUntil: number;
};

export const UNSURE = -1;

const PAGE = 500;

/** All of a kind, whatever is added meanwhile. */
export async function allOf(notes: Notes, kind: string): Promise<readonly Note[]> {
  const all: Note[] = [];
  for (let beyond: string | undefined; ; ) {
    const page = await notes.list({ kind, beyond, limit: PAGE });
    all.push(...page);
    if (page.length < PAGE) return all;
    beyond = page.at(-1)!.id;
  }
}

export const waitingFor = (note: Note): Waiting => {
  const { id, tender, nextAttempt, snapshot } = deliveryIn(note);
  return { id, tender, dueAt: nextAttempt ?? 0, bytes: snapshot?.bytes ?? 0 };
};

/** The webhooks there are, by their ids. A line stays the same one, as what is on its way belongs to it. */
export async function loadLines(notes: Notes, known: ReadonlyMap<string, Line>): Promise<Map<string, Line>> {
  const lines = new Map<string, Line>();
  for (const note of await allOf(notes, WEBHOOK)) {
    const before = known.get(note.id);
    const same = before ?? { busy: new Set<string>(), healthy: true, restsUntil: 0 };
    if (before?.revision === note.revision) lines.set(note.id, before);
    else lines.set(note.id, Object.assign(same, await readLine(notes, note)));
  }
  return lines;
}

async function readLine(notes: Notes, note: Note): Promise<Omit<Line, "busy" | "healthy" | "restsUntil">> {
  const webhook = webhookIn(note);
  const { offset } = webhook;
  const waiting = (await allOf(notes, deliveriesOf(webhook.id, "pending"))).map(waitingFor);
  return { webhook, revision: note.revision, seen: offset, kept: offset, followed: -1, waiting };
}

export const goneIn = async (notes: Notes): Promise<readonly { readonly webhook: string; readonly owner: string }[]> =>
  (await allOf(notes, GONE)).map(({ id, text }) => ({ webhook: id, owner: text }));

/** What may be sent next: of each tender the earliest alone, and of these the one that is due for longest. */
export function nextOf({ waiting, busy }: Line, now: Instant): Waiting | undefined {
  const tenders = new Set<string>();
  let next: Waiting | undefined;
  for (const one of waiting) {
    if (tenders.has(one.tender)) continue;
    tenders.add(one.tender);
    if (!busy.has(one.id) && one.dueAt <= now && (!next || one.dueAt < next.dueAt)) next = one;
  }
  return next;
}

/** What is stored for what is yet to be delivered to an account: several of its webhooks share what they are told of. */
export function pendingBytesOf(owner: string, lines: Iterable<Line>): number {
  const stored = new Map<string, number>();
  for (const { webhook, waiting } of lines)
    if (webhook.owner === owner) for (const { id, bytes } of waiting) if (bytes > 0) stored.set(id, bytes);
  return stored.values().reduce((sum, bytes) => sum + bytes, 0);
}
