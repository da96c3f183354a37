import type { Actor } from "../domain/actors.ts";
import { nextDeadline } from "../domain/clock.ts";
import type { Command, Context, Publication } from "../domain/commands.ts";
import { decide, decideByTime, type Outcome } from "../domain/decide.ts";
import { publish as decidePublication } from "../domain/publishing.ts";
import type { Decided } from "../domain/refusals.ts";
import { notFound, rule } from "../domain/refusals.ts";
import { documentsIn, replaceTender } from "../domain/replacing.ts";
import { ok } from "../domain/result.ts";
import type { Tender } from "../domain/tender.ts";
import type { Zone } from "../domain/time.ts";
import type { Change, FeedQuery, FeedRow, Store } from "../store/store.ts";
import { openChanges } from "./changes.ts";
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
  readonly onTickFailure: (error: unknown) => void;
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
const OPERATOR: Actor = { account: { name: "operator", group: "admins", levels: "" } };

export type Reading = { readonly read: (tender: Tender) => Command };

/** Where the domain meets the ports: everything read is as of now, everything written goes through one `change`. */
export type Registry = {
  readonly tender: (id: string) => Promise<Tender | undefined>;
  /** Tells, as often as it is asked, whether this tender would be told again; at once, where that is known. */
  readonly watch: (tender: Tender) => () => boolean | Promise<boolean>;
  readonly publish: (publication: Publication, actor: Actor) => Promise<Decided<Done>>;
  /** A command may have to be read against the tender that it changes; then it is, at the moment of the decision. */
  readonly change: (id: string, command: Command | Reading, actor: Actor) => Promise<Decided<Done>>;
  /** The operators' repair. */
  readonly replace: (id: string, replacing: Replacing) => Promise<Decided<Replaced>>;
  readonly feed: (query: FeedQuery) => Promise<readonly FeedRow[]>;
  /**
   * Carries out whatever is due by now, so that what is read next is as of now. Answers where the ledger stands: as long as
   * it stands there, the feed is the same.
   */
  readonly catchUp: () => Promise<number>;
  /** Whether the ledger stands there still, and nothing is due; at once, where that is known. */
  readonly isStillAt: (position: number) => boolean | Promise<boolean>;
  /** Calls back after what may be a change by this server, once it is stored; answers how to stop that. */
  readonly onChange: (told: () => void) => () => void;
  readonly countByStatus: Store["countByStatus"];
  readonly ping: Store["ping"];
  readonly close: () => Promise<void>;
};

export function openRegistry({ store, zone, sandbox, onTickFailure }: RegistrySettings): Registry {
  const { clock } = store;
  const ticker = openTicker({ clock, store, tick, onFailure: onTickFailure });
  const changes = openChanges();

  /** The one way to write: decided inside the commit, at the very instant that the commit is stamped with. */
  async function write(
    id: string | undefined,
    actor: Actor,
    act: () => string,
    files: readonly string[],
    decision: (
      current: Tender | undefined,
      context: Context,
      numberOfDay: (day: string) => number,
      revision: number | undefined,
    ) => Decided<Outcome>,
  ): Promise<Decided<Done>> {
    const token = newId();
    const newTokenHash = hashOf(token);
    const decided = await store.write<Decided<Done>>(id, (stored, { at, numberOfDay }) => {
      const before = stored?.tender;
      const answer = decision(before, { actor, at, zone, sandbox, newId, newTokenHash }, numberOfDay, stored?.revision);
      if (!answer.ok) return { answer };
      const { tender } = answer.value;
      const done = ok({ ...answer.value, token });
      return tender === before
        ? { answer: done }
        : { answer: done, change: changeOf(before, tender, actor, act(), files) };
    });
    if (decided.ok) ticker.expect(nextDeadline(decided.value.tender));
    if (decided.ok) changes.tell();
    return decided;
  }

  function publish(publication: Publication, actor: Actor): Promise<Decided<Done>> {
    return write(
      undefined,
      actor,
      () => "publish tender",
      [],
      (_none, context, numberOfDay) => {
        const published = decidePublication(publication, context, numberOfDay);
        return published.ok ? ok({ tender: published.value }) : published;
      },
    );
  }

  function change(id: string, command: Command | Reading, actor: Actor): Promise<Decided<Done>> {
    const files = "file" in command ? [command.file.key] : [];
    let known: Command | undefined = "read" in command ? undefined : command;
    return write(
      id,
      actor,
      () => known!.kind,
      files,
      (tender, context) => {
        if (!tender) return notFound("tender");
        // A decision may have to be taken again, on another state.
        known = "read" in command ? command.read(tender) : command;
        return decide(tender, known, context);
      },
    );
  }

  async function replace(id: string, { tender, revision, reason, force }: Replacing): Promise<Decided<Replaced>> {
    const known = await store.knownFiles(documentsIn(tender).map(({ document }) => document.key));
    let before: Tender | undefined;
    const decided = await write(
      id,
      OPERATOR,
      () => `${REPLACES}${reason}${force ? " (forced)" : ""}`,
      [],
      (current, context, _numberOfDay, found) => {
        if (!current) return notFound("tender");
        if (found !== revision) return rule("changed meanwhile: show it again");
        before = current;
        return replaceTender(current, { tender, force, hasFile: (key) => known.has(key) }, context);
      },
    );
    if (!decided.ok) return decided;
    const after = decided.value.tender;
    return ok({ tender: after, changes: patchBetween(before, after) });
  }

  async function tick(id: string): Promise<void> {
    // Another server may have been quicker; finding that out costs less than a turn of writing.
    const found = (await store.find(id))?.tender;
    const due = found && nextDeadline(found);
    if (due === undefined || due > clock()) return;
    await write(
      id,
      {},
      () => "advance",
      [],
      (tender, context) => (tender ? ok({ tender: decideByTime(tender, context) }) : notFound("tender")),
    );
  }

  /** A deadline that has passed is carried out before anyone is told of the tender, whether or not a timer has run. */
  async function tender(id: string): Promise<Tender | undefined> {
    const found = (await store.find(id))?.tender;
    if (!found) return undefined;
    const due = nextDeadline(found);
    if (due === undefined || due > clock()) return found;
    await tick(id);
    return (await store.find(id))?.tender;
  }

  function watch(told: Tender): () => boolean | Promise<boolean> {
    const due = nextDeadline(told) ?? Number.POSITIVE_INFINITY;
    return () => due > clock() && store.isStill(told);
  }

  return {
    tender,
    watch,
    publish,
    change,
    replace,
    feed: store.feed,
    catchUp: ticker.catchUp,
    isStillAt: ticker.isStillAt,
    onChange: changes.listen,
    countByStatus: store.countByStatus,
    ping: store.ping,
    close: async () => {
      await ticker.stop();
      await store.close();
    },
  };
}

/** What a decision comes to, as it is written. */
export function changeOf(
  before: Tender | undefined,
  tender: Tender,
  actor: Actor,
  act: string,
  files: readonly string[],
): Change {
  const document = JSON.stringify(tender);
  return {
    tender,
    document,
    wakeAt: nextDeadline(tender),
    actor: actor.account?.name,
    act,
    patch: before ? JSON.stringify(patchBetween(before, tender)) : `[{"op":"add","path":"","value":${document}}]`,
    files,
  };
}
