import type { OwnerCredentials, TokenHash } from "./tender.ts";

/** The groups of the protocol. The group of an account decides what it may do; see `isInGroup`. */
export const ACCOUNT_GROUPS = [
  "brokers",
  "admins",
  "auction",
  "chronograph",
  "Administrator",
  "reviewers",
  "aboveThresholdReviewers",
  "bots",
  "competitive_dialogue",
  "contracting",
  "metrics",
  "tests",
] as const;
export type AccountGroup = (typeof ACCOUNT_GROUPS)[number];

/** The account that an API key belongs to. */
export type Account = {
  readonly name: string;
  readonly group: AccountGroup;
  /** Accreditation levels of a broker, one character each; `t` limits the broker to test tenders. Other groups have none. */
  readonly levels?: string;
  /** The account may act on objects it owns, but not create any. */
  readonly createsNothing?: true;
};

/** The caller of a command or read: the account of its API key, and the hash of the owner token it sent. */
export type Actor = { readonly account?: Account; readonly tokenHash?: TokenHash };

/** The registry itself, when it reports the results of an auction that it has held. */
export const SERVICE_AUCTION: Actor = { account: { name: "auction", group: "auction" } };

/** A caller without an API key. */
export const ANONYMOUS: Actor = {};

/** The name of the caller's account. Throws for an anonymous caller, whom the commands that call this have already refused. */
export function accountName({ account }: Actor): string {
  if (!account) throw new Error("an anonymous actor has no account");
  return account.name;
}

/** Whether the actor owns the object: its token only counts together with the key of the broker that created the object. */
export function owns(actor: Actor, object: OwnerCredentials): boolean {
  return (
    actor.account !== undefined &&
    actor.tokenHash !== undefined &&
    actor.account.name === object.owner &&
    equalInConstantTime(actor.tokenHash, object.tokenHash)
  );
}

function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i % b.length);
  return difference === 0;
}

/** Whether the actor's account is in one of these groups. */
export const isInGroup = (actor: Actor, ...groups: readonly AccountGroup[]): boolean =>
  actor.account !== undefined && groups.includes(actor.account.group);

/** Whether the actor may publish tenders and take part in them. */
export const mayCreate = (actor: Actor): boolean =>
  isInGroup(actor, "brokers", "admins") && !actor.account?.createsNothing;

/** Whether the actor may change anything at all. Accounts of the `metrics` group only read what monitoring needs. */
export const mayAct = (actor: Actor): boolean => actor.account !== undefined && !isInGroup(actor, "metrics");

/**
 * Whether the actor has one of these accreditation levels, one character each. Only brokers need levels; other groups are limited by
 * their group alone. Levels are names without an order: level 2 does not include level 1.
 */
export const hasLevel = ({ account }: Actor, levels: string): boolean =>
  account !== undefined &&
  (account.group !== "brokers" || [...levels].some((level) => (account.levels ?? "").includes(level)));

/** Whether the actor is a broker that may act on test tenders only. */
export const isTestOnly = ({ account }: Actor): boolean =>
  account?.group === "brokers" && (account.levels ?? "").includes("t");
