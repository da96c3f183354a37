import type { OwnerCredentials, TokenHash } from "./tender.ts";

export const ACCOUNT_GROUPS = [
  "brokers",
  "admins",
  "auction",
  "chronograph",
  "Administrator",
  "reviewers",
  "bots",
  "competitive_dialogue",
  "contracting",
  "metrics",
  "tests",
] as const;
export type AccountGroup = (typeof ACCOUNT_GROUPS)[number];

/** Whom an API key stands for. */
export type Account = {
  readonly name: string;
  readonly group: AccountGroup;
  /** Of brokers alone. One character a level; `t` marks a broker that may act on test tenders only. */
  readonly levels?: string;
  /** May act on what it owns, but create nothing. */
  readonly createsNothing?: true;
};

/** Who asks: the account of the key, and the hash of the owner token that came with it. */
export type Actor = { readonly account?: Account; readonly tokenHash?: TokenHash };

export const ANONYMOUS: Actor = {};

/** A token proves ownership only together with the key of the broker that made the object. */
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

export const isInGroup = (actor: Actor, ...groups: readonly AccountGroup[]): boolean =>
  actor.account !== undefined && groups.includes(actor.account.group);

export const mayCreate = (actor: Actor): boolean =>
  isInGroup(actor, "brokers", "admins") && !actor.account?.createsNothing;

/** Accounts of this group read what monitoring needs. They change nothing anywhere, and own nothing. */
export const mayAct = (actor: Actor): boolean => actor.account !== undefined && !isInGroup(actor, "metrics");

/** Accreditation binds brokers: what the other groups may do, their group says. Levels are names, not an order. */
export const hasLevel = ({ account }: Actor, level: string): boolean =>
  account !== undefined && (account.group !== "brokers" || (account.levels ?? "").includes(level));

export const isTestOnly = ({ account }: Actor): boolean =>
  account?.group === "brokers" && (account.levels ?? "").includes("t");
