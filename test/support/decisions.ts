import assert from "node:assert/strict";
import { advance } from "../../src/domain/deadlines.ts";
import { decide, decideByTime } from "../../src/domain/decide.ts";
import type { Account, AccountGroup, Actor } from "../../src/domain/model/actors.ts";
import type {
  CommandContext,
  CommandOutcome,
  Publication,
  TenderCommand,
  TimeContext,
} from "../../src/domain/model/commands.ts";
import type { DomainResult, Problem, Refusal, TimeWindow } from "../../src/domain/model/refusals.ts";
import type { Tender } from "../../src/domain/model/tender.ts";
import { publish } from "../../src/domain/tender/publishing.ts";
import { type Instant, openZone } from "../../src/domain/values/time.ts";

/**
 * Domain tests without a server: somebody sends a command at an instant, and the test looks at the new tender or at the
 * refusal. All calls of `decide`, `advance` and `publish` are here, so that a change of their context is made once.
 */

export const zone = openZone("Europe/Kyiv");

let ids = 0;
/** A new id of 32 hexadecimal digits. */
export const newId = (): string => (++ids).toString(16).padStart(32, "0");

/** A broker with an API key of all levels. Whatever it creates is owned by this actor, because the token is the same. */
export const broker = (name: string, levels = "1234", more: Partial<Account> = {}): Actor => ({
  account: { name, group: "brokers", levels, ...more },
  tokenHash: `token of ${name}`,
});

export const member = (group: AccountGroup): Actor => ({ account: { name: group, group } });

export const OWNER = broker("owner");
export const BIDDER = broker("bidder");
export const RIVAL = broker("rival");
/** A broker that owns nothing here. */
export const STRANGER = broker("stranger");
export const ADMIN = member("admins");
export const ADMINISTRATOR = member("Administrator");
export const AUCTION = member("auction");
export const CHRONOGRAPH = member("chronograph");
export const REVIEWER = member("reviewers");
export const BOT = member("bots");

/** One actor of each kind that is neither the owner nor an admin. Most commands are forbidden to all of them. */
export const OTHERS: readonly Actor[] = [
  {},
  BIDDER,
  STRANGER,
  { ...STRANGER, tokenHash: OWNER.tokenHash },
  { account: OWNER.account },
  { ...OWNER, tokenHash: STRANGER.tokenHash },
  AUCTION,
  CHRONOGRAPH,
  ADMINISTRATOR,
  REVIEWER,
  BOT,
];

export type Options = {
  readonly sandbox?: boolean;
  readonly limits?: CommandContext["limits"];
  /** The hash of the token for the created object; by default that of the actor's own token. */
  readonly newTokenHash?: string;
};

export const timeAt = (at: Instant, { sandbox = false }: Options = {}): TimeContext => ({ at, zone, sandbox, newId });

export const contextOf = (actor: Actor, at: Instant, options: Options = {}): CommandContext => ({
  ...timeAt(at, options),
  actor,
  newTokenHash: options.newTokenHash ?? actor.tokenHash ?? `token of ${actor.account?.name}`,
  limits: options.limits,
});

/** A tender at an instant. Nothing changes in place: every step returns a new scene. */
export type Scene = {
  readonly now: Instant;
  /** The tender as it is stored: deadlines since the last command have not been carried out. */
  readonly stored: Tender;
  /** The tender as it is now: whoever reads or writes it sees all deadlines carried out. */
  readonly tender: Tender;
  /** The id of the object that the last command created or changed. */
  readonly id: string;
  readonly removed: CommandOutcome["removed"];
  readonly at: (instant: Instant) => Scene;
  readonly later: (microseconds: number) => Scene;
  /** Sends a command that must be accepted. */
  readonly send: (actor: Actor, command: TenderCommand, options?: Options) => Scene;
  /** Sends a command that must be refused. */
  readonly refusal: (actor: Actor, command: TenderCommand, options?: Options) => Refusal;
  /** "ok", or why the command is refused. */
  readonly outcome: (actor: Actor, command: TenderCommand, options?: Options) => string;
  /** Carries out and stores due deadlines, as the ticker would. From then on, awards that they created keep their ids. */
  readonly tick: () => Scene;
  /** The same tender with other contents, for states that only older data or an operator's repair can bring about. */
  readonly with: (more: Partial<Tender>) => Scene;
};

export function sceneOf(stored: Tender, now: Instant, defaults: Options = {}, outcome?: CommandOutcome): Scene {
  const run = (actor: Actor, command: TenderCommand, options?: Options): DomainResult<CommandOutcome> =>
    decide(stored, command, contextOf(actor, now, { ...defaults, ...options }));
  let advanced: Tender | undefined;
  return {
    now,
    stored,
    get tender() {
      advanced ??= advance(stored, timeAt(now, defaults));
      return advanced;
    },
    get id() {
      assert.ok(outcome?.id !== undefined, "the last command was about the tender itself");
      return outcome.id;
    },
    removed: outcome?.removed,
    at: (instant) => sceneOf(stored, instant, defaults, outcome),
    later: (microseconds) => sceneOf(stored, now + microseconds, defaults, outcome),
    send(actor, command, options) {
      const decided = run(actor, command, options);
      if (!decided.ok) assert.fail(`${command.kind} is refused: ${reasonOf(decided.refused)}`);
      return sceneOf(decided.value.tender, now, defaults, decided.value);
    },
    refusal(actor, command, options) {
      const decided = run(actor, command, options);
      if (decided.ok) assert.fail(`${command.kind} is accepted`);
      return decided.refused;
    },
    outcome(actor, command, options) {
      const decided = run(actor, command, options);
      return decided.ok ? "ok" : reasonOf(decided.refused);
    },
    tick: () => sceneOf(decideByTime(stored, timeAt(now, defaults)), now, defaults, outcome),
    with: (more) => sceneOf({ ...stored, ...more }, now, defaults, outcome),
  };
}

export const tryToPublish = (
  actor: Actor,
  publication: Publication,
  at: Instant,
  options: Options = {},
): DomainResult<Tender> => publish(publication, contextOf(actor, at, options), () => 1);

export const linesOf = (problems: readonly Problem[]): readonly string[] =>
  problems.map(({ path, message }) => `${path.join(".")}: ${message}`);

/** A refusal on one line, with the text that clients get. */
export function reasonOf(refusal: Refusal): string {
  switch (refusal.kind) {
    case "not found":
    case "hidden":
      return `${refusal.kind}: ${refusal.objectName}`;
    case "not accredited":
      return `${refusal.kind}: ${refusal.for} by ${refusal.because}`;
    case "invalid":
      return linesOf(refusal.problems).join("; ");
    case "wrong status": {
      const object = refusal.of === "itself" ? "" : `${refusal.of} `;
      return `Can't ${refusal.action} in current (${refusal.status}) ${object}status`;
    }
    case "rule":
      return refusal.message;
    default:
      return refusal.kind;
  }
}

/** When a refused command would have been allowed, as far as the refusal says. */
export const windowIn = (refusal: Refusal): TimeWindow | undefined =>
  "window" in refusal ? refusal.window : undefined;
