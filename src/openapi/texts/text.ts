import type { VersionBehaviour } from "../../dialects/dialects.ts";

/**
 * What an operation does, who may do it, when it is refused and what comes next. Where versions differ, a function of how the
 * version behaves.
 */
export type OperationText = string | ((version: VersionBehaviour) => string);

/** By method and path, as the table of routes has them. */
export type OperationTexts = { readonly [operation: string]: OperationText };

/** The sentences that apply to a version, joined. */
export const sentences = (...all: readonly (string | false)[]): string => all.filter(Boolean).join(" ");

export const OWNER = "Needs the key of the account that created the tender, and the tender's owner token.";
export const BROKER = "Needs the key of a broker with accreditation level 2.";
export const ADMIN = "Needs a key of the group `admins`.";

/** The procedures without competing bids. */
export const DIRECT = "`reporting`, `negotiation` and `negotiation.quick`";
