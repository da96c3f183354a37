import type { Actor } from "../domain/actors.ts";
import { nextDeadline } from "../domain/clock.ts";
import type { Command, Context, Publication } from "../domain/commands.ts";
import { decide, decideByTime, type Outcome } from "../domain/decide.ts";
import { publish as decidePublication } from "../domain/publishing.ts";
import type { Decided } from "../domain/refusals.ts";
import { notFound, rule } from "../domain/refusals.ts";
import { documentsIn, replaceTender } from "../domain/replacing.ts";
import { ok } from "../domain/result.ts";
import type { SizeLimits } from "../domain/sizeLimits.ts";
import type { Tender } from "../domain/tender.ts";
import type { Instant, Zone } from "../domain/time.ts";
import type { Change, FeedQuery, FeedRow, NewNote, Store } from "../store/store.ts";
import { openChanges } from "./changes.ts";
import { type Clocks, clockName, openClocks, timeOn } from "./clocks.ts";
import {
  type IdempotencyRecord,
  notesSeenFor,
  notesToRecord,
  type OverQuota,
  type RecordKind,
  type Replay,
  replayOf,
} from "./idempotency.ts";
import { type Operation, patchBetween } from "./patch.ts";
import { hashOf, newId } from "./secrets.ts";
import { openTicker } from "./ticker.ts";

export type Done = Outcome & {
  /** The owner token of what was created, told once. */
  readonly token: string;
};

export type RegistrySettings = {
  readonly store: Store;
  readonly zone: Zone;
  readonly sandbox: boolean;
  /** How large a tender may become. */
  readonly limits: SizeLimits;
  readonly onTickFailure: (error: unknown) => void;
  /** How late a deadline was when its turn came, and how long carrying it out took. */
  readonly onTicked?: (late: Instant, took: Instant) => void;
  /** Whether deadlines are carried out by a timer, too, as they are unless it is said otherwise. */
  readonly wakes?: boolean | undefined;
};

/** A whole tender for the one that is kept, by somebody who saw it in that revision. */
export type Replacing = {
  readonly tender: Tender;
  readonly revision: number;
  readonly reason: string;
  readonly force: boolean;
};
/** What it came to; no changes where it was so already. */
export type Replaced = { readonly tender: Tender; readonly changes: readonly Operation[] };

/** How the act of an operator's replacement begins; the reason follows. */
export const REPLACES = "replace: ";

/** Who repairs: at the machine itself, not over the interface. */
const OPERATOR: Actor = { account: { name: "operator", group: "admins" } };

export type Reading = { readonly read: (tender: Tender) => Command };

/** How a change is to be made, where it is not simply made. */
export type Manner = {
  /** The clock of the sandbox that the tender lives on. */
  readonly testClock?: string;
  /** Everything is decided as it would be, and nothing written. */
  readonly isDry?: boolean;
  /** Only to a tender of which this is true. */
  readonly onlyIf?: (tender: Tender) => boolean;
  /** What is answered is written with what is decided; whoever asks again is told the same, and nothing is decided. */
  readonly once?: IdempotencyRecord<Decided<Done>>;
  /** The keys of uploads that this change is the first to name; default: the file of the command. */
  readonly files?: readonly string[];
};

/** What was decided, or what was recorded when it was; or the tender is not the one that was meant, or the record has no room. */
export type Told = Decided<Done> | Replay | OverQuota | "moved";

/** Where the domain meets the ports: everything read is as of now, everything written goes through one `change`. */
export type Registry = {
  readonly tender: (id: string) => Promise<Tender | undefined>;
  /** Tells, as often as it is asked, whether the public view of this tender is still the same; at once, where that is known. */
  readonly watch: (tender: Tender) => () => boolean | Promise<boolean>;
  readonly isReadAgain: Store["isReadAgain"];
  readonly publish: (publication: Publication, actor: Actor, manner?: Manner) => Promise<Told>;
  /** A command may have to be read against the tender that it changes; then it is, at the moment of the decision. */
  readonly change: (id: string, command: Command | Reading, actor: Actor, manner?: Manner) => Promise<Told>;
  /** The operators' repair. */
  readonly replace: (id: string, replacing: Replacing) => Promise<Decided<Replaced>>;
  readonly feed: (query: FeedQuery) => Promise<readonly FeedRow[]>;
  /**
   * Carries out whatever is due by now, so that what is read next is as of now. Answers when anything public last changed: as
   * long as it is that, the feed is the same.
   */
  readonly catchUp: () => Promise<number>;
  /** Whether nothing public has changed since, and nothing is due; at once, where that is known. */
  readonly isStillAt: (position: number) => boolean | Promise<boolean>;
  /** Calls back after what may be a change by this server, once it is stored; answers how to stop that. */
  readonly onChange: (told: () => void) => () => void;
  readonly countByStatus: Store["countByStatus"];
  /** What time it is for a tender, or on a clock of the sandbox. */
  readonly nowFor: (tender: Pick<Tender, "testClock">) => Promise<Instant>;
  readonly clocks: Clocks;
  /** What time alone will have made of a tender by then. */
  readonly foreseen: (tender: Tender, by: Instant) => Tender;
  readonly onClock: Store["onClock"];
  readonly notes: Store["notes"];
  /** Stores the answer to a request that no decision of the registry recorded, together with notes that it made. */
  readonly remember: <Value>(
    once: IdempotencyRecord<Value>,
    value: Value,
    kind: RecordKind,
    made?: readonly NewNote[],
  ) => Promise<Replay | OverQuota | undefined>;
  readonly ping: Store["ping"];
  /** From then on nothing is carried out by itself; the store is its opener's to close. */
  readonly stop: () => Promise<void>;
};

export function openRegistry({
  store,
  zone,
  sandbox,
  limits,
  onTickFailure,
  onTicked,
  wakes = true,
}: RegistrySettings): Registry {
  const { clock } = store;
  const ticker = openTicker({ clock, store, tick, onFailure: onTickFailure, wakes });
  const clocks = openClocks({ store, tick });
  const changes = openChanges();

  /** The one way to write: decided inside the commit, at the very instant that the commit is stamped with. */
  async function write(
    id: string | undefined,
    { actor, act, files = [], manner = {} }: Writing,
    decision: (
      current: Tender | undefined,
      context: Context,
      numberOfDay: (day: string) => number,
      revision: number | undefined,
    ) => Decided<Outcome>,
  ): Promise<Told> {
    const token = newId();
    const newTokenHash = hashOf(token);
    const { testClock, once, onlyIf, isDry } = manner;
    const seeing = [...(testClock ? [clockName(testClock)] : []), ...notesSeenFor(once)];
    const told = await store.write<Told>(
      id,
      (stored, { at, numberOfDay, notes }) => {
        const replay = replayOf(once, notes, at);
        if (replay) return { answer: replay };
        const before = stored?.tender;
        if (before && onlyIf && !onlyIf(before)) return { answer: "moved" };
        const now = testClock ? timeOn(notes[0], at) : at;
        const context = { actor, at: now, zone, sandbox, newId, newTokenHash, limits };
        // A test clock may have been moved far: what fell due on the way did so at its own moment.
        const reached = before && testClock ? foreseen(before, now) : before;
        const decided = decision(reached, context, numberOfDay, stored?.revision);
        const tender = decided.ok ? placed(before, decided.value.tender, at) : undefined;
        const answer = decided.ok ? ok({ ...decided.value, tender: tender!, token }) : decided;
        if (isDry) return { answer };
        const written = once && notesToRecord(once, answer, notes, at, decided.ok ? "write" : "refusal");
        if (written && "overQuota" in written) return { answer: written };
        return !tender || tender === before
          ? { answer, notes: written }
          : { answer, notes: written, change: changeOf(before, tender, actor, act(), files) };
      },
      seeing,
    );
    if (isDry || typeof told === "string" || !("ok" in told) || !told.ok) return told;
    if (!testClock) ticker.expect(nextDeadline(told.value.tender));
    changes.tell();
    return told;
  }

  const remember: Registry["remember"] = (once, value, kind, made = []) =>
    store.write<Replay | OverQuota | undefined>(
      undefined,
      (_none, { notes }) => {
        // It has no place in the order of changes, so it is dated by the clock alone.
        const now = clock();
        const replay = replayOf(once, notes, now);
        if (replay) return { answer: replay };
        const written = notesToRecord(once, value, notes, now, kind);
        if ("overQuota" in written) return { answer: written };
        return { answer: undefined, notes: [...made, ...written] };
      },
      notesSeenFor(once),
    );

  function publish(publication: Publication, actor: Actor, manner: Manner = {}): Promise<Told> {
    const { testClock } = manner;
    return write(undefined, { actor, act: () => "publish tender", manner }, (_none, context, numberOfDay) => {
      const published = decidePublication(publication, context, numberOfDay);
      return published.ok ? ok({ tender: { ...published.value, ...(testClock && { testClock }) } }) : published;
    });
  }

  function change(id: string, command: Command | Reading, actor: Actor, manner?: Manner): Promise<Told> {
    const files = manner?.files ?? ("file" in command ? [command.file.key] : []);
    let known: Command | undefined = "read" in command ? undefined : command;
    return write(id, { actor, act: () => known!.kind, files, manner }, (tender, context) => {
      if (!tender) return notFound("tender");
      // A decision may have to be taken again, on another state.
      known = "read" in command ? command.read(tender) : command;
      return decide(tender, known, context);
    });
  }

  async function replace(id: string, { tender, revision, reason, force }: Replacing): Promise<Decided<Replaced>> {
    const known = await store.knownFiles(documentsIn(tender).map(({ document }) => document.key));
    let before: Tender | undefined;
    const act = () => `${REPLACES}${reason}${force ? " (forced)" : ""}`;
    const testClock = (await store.find(id))?.tender.testClock;
    const told = await write(
      id,
      { actor: OPERATOR, act, manner: { testClock } },
      (current, context, _numberOfDay, found) => {
        if (!current) return notFound("tender");
        if (found !== revision) return rule("changed-meanwhile", "changed meanwhile: show it again");
        before = current;
        return replaceTender(current, { tender, force, hasFile: (key) => known.has(key) }, context);
      },
    );
    const decided = told as Decided<Done>;
    if (!decided.ok) return decided;
    const after = decided.value.tender;
    return ok({ tender: after, changes: patchBetween(before, after) });
  }

  async function tick(id: string): Promise<void> {
    // Another server may have been quicker; finding that out costs less than a turn of writing.
    const found = (await store.find(id))?.tender;
    const begun = clock();
    const due = found && nextDeadline(found);
    if (due === undefined || due > (await nowFor(found!))) return;
    const { testClock } = found!;
    await write(id, { actor: {}, act: () => "advance", manner: { testClock } }, (tender, context) =>
      tender ? ok({ tender: decideByTime(tender, context) }) : notFound("tender"),
    );
    if (!testClock) onTicked?.(begun - due, clock() - begun);
  }

  /** A deadline that has passed is carried out before anyone is told of the tender, whether or not a timer has run. */
  async function tender(id: string): Promise<Tender | undefined> {
    const found = (await store.find(id))?.tender;
    if (!found || !isDue(found, found.testClock ? await nowFor(found) : clock())) return found;
    await tick(id);
    return (await store.find(id))?.tender;
  }

  function foreseen(tender: Tender, by: Instant): Tender {
    for (let current = tender; ; ) {
      const due = nextDeadline(current);
      if (due === undefined || due > by) return current;
      current = decideByTime(current, { at: due, zone, sandbox, newId });
    }
  }

  async function nowFor({ testClock }: Pick<Tender, "testClock">): Promise<Instant> {
    return testClock ? timeOn(await store.notes.find(clockName(testClock)), clock()) : clock();
  }

  function watch(told: Tender): () => boolean | Promise<boolean> {
    const due = nextDeadline(told) ?? Number.POSITIVE_INFINITY;
    // Whoever asks keeps this for long, and must not keep the whole tender by it.
    const view = { id: told.id, dateModified: told.dateModified };
    return () => due > clock() && store.isStill(view);
  }

  return {
    tender,
    watch,
    isReadAgain: store.isReadAgain,
    publish,
    change,
    replace,
    feed: store.feed,
    catchUp: ticker.catchUp,
    isStillAt: ticker.isStillAt,
    onChange: changes.listen,
    countByStatus: store.countByStatus,
    nowFor,
    clocks,
    foreseen,
    onClock: store.onClock,
    notes: store.notes,
    remember,
    ping: store.ping,
    stop: ticker.stop,
  };
}

type Writing = {
  readonly actor: Actor;
  readonly act: () => string;
  readonly files?: readonly string[];
  readonly manner?: Manner;
};

const isDue = (tender: Tender, now: Instant): boolean => (nextDeadline(tender) ?? Number.POSITIVE_INFINITY) <= now;

/** By whatever clock a tender lives, its last change has its place in the one order of all changes. */
const placed = (before: Tender | undefined, after: Tender, at: Instant): Tender =>
  after.testClock && after.dateModified !== before?.dateModified ? { ...after, dateModified: at } : after;

/** What a decision comes to, as it is written. */
export function changeOf(
  before: Tender | undefined,
  tender: Tender,
  actor: Actor,
  act: string,
  files: readonly string[],
): Change {
  let text: string | undefined;
  const documentText = () => {
    text ??= JSON.stringify(tender);
    return text;
  };
  return {
    tender,
    // Only the last state of a commit is written: of a tender that changes often, the others are never made into text.
    get document() {
      return documentText();
    },
    wakeAt: nextDeadline(tender),
    actor: actor.account?.name,
    act,
    patch: before ? JSON.stringify(patchBetween(before, tender)) : `[{"op":"add","path":"","value":${documentText()}}]`,
    files,
  };
}
