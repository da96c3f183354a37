// Made by scripts/api.ts from the schemas of docs/api/site.json: do not edit, run `npm run api`.
import type { Timestamp } from "./types.ts";

/** Clock sent. */
export type ClockSent = {
  /** What it shows; absent: the real time */
  readonly now?: Timestamp;
};

/** Advance. */
export type Advance = {
  /** The time it is to show */
  readonly to: Timestamp;
} | {
  /** How much later: `PT1H`, `P3D`, or seconds */
  readonly by: string | number;
} | {
  /** To the next moment at which something on it falls due */
  readonly next: true;
};

/** Listed clock. */
export type ListedClock = {
  readonly id: string;
  readonly now: Timestamp;
};

/** Clock. */
export type Clock = {
  readonly id: string;
  readonly now: Timestamp;
  /** When the next thing on it falls due */
  readonly next_check?: Timestamp;
  readonly tenders: readonly {
    readonly id: string;
    readonly tenderID: string;
    readonly status: string;
    readonly next_check?: Timestamp;
  }[];
};

/** Webhook sent. */
export type WebhookSent = {
  /** Where changes are sent by POST */
  readonly url: string;
  /** In whose words; absent: 2.5 */
  readonly version?: string;
  readonly mode?: "" | "test" | "_all_";
  /** More fields for each entry, separated by commas */
  readonly opt_fields?: string;
  /** The filters of the feed, by their names */
  readonly filter?: { readonly [name: string]: string };
  /** A place in the feed to begin at; absent: from now on */
  readonly offset?: string;
};

/** Webhook change. */
export type WebhookChange = {
  readonly url?: string;
  readonly opt_fields?: string | null;
  readonly filter?: { readonly [name: string]: string } | null;
  readonly status?: "active" | "paused";
};

/** Webhook. */
export type Webhook = {
  readonly id: string;
  readonly url: string;
  readonly version: string;
  readonly mode?: string;
  readonly opt_fields?: string;
  /** The filters of the feed, by their names */
  readonly filter?: { readonly [name: string]: string };
  readonly status: "active" | "paused";
  /** How far it has come */
  readonly offset: string;
  readonly dateCreated: Timestamp;
};

/** Secret. */
export type Secret = {
  /** What deliveries are signed with; told this once */
  readonly secret: string;
};

/** Delivery. */
export type Delivery = {
  readonly id: string;
  readonly tender: string;
  readonly dateModified: Timestamp;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  readonly nextAttempt?: Timestamp;
  readonly lastAttempt?: Timestamp;
  readonly response?: {
    readonly status: number;
  };
  readonly error?: string;
  readonly dateCreated: Timestamp;
};

/** Health. */
export type Health = {
  readonly status: string;
  readonly checks?: {
    readonly store: string;
    readonly files: string;
  };
};
