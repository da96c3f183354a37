// Made by scripts/api.ts from the schemas of docs/api/site.json: do not edit, run `npm run api`.
import type { Timestamp } from "./types.ts";

/** Clock sent. */
export type ClockSent = {
  /** What it shows; absent: the real time */
  readonly now?: Timestamp | undefined;
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
  readonly next_check?: Timestamp | undefined;
  readonly tenders: readonly {
    readonly id: string;
    readonly tenderID: string;
    readonly status: string;
    readonly next_check?: Timestamp | undefined;
  }[];
};

/** Webhook sent. */
export type WebhookSent = {
  /** Where changes are sent by POST */
  readonly url: string;
  /** In whose words; absent: 2.5 */
  readonly version?: string | undefined;
  readonly mode?: "" | "test" | "_all_" | undefined;
  /** More fields for each entry, separated by commas */
  readonly opt_fields?: string | undefined;
  /** The filters of the feed, by their names */
  readonly filter?: { readonly [name: string]: string } | undefined;
  /** A place in the feed to begin at; absent: from now on */
  readonly offset?: string | undefined;
};

/** Webhook change. */
export type WebhookChange = {
  readonly url?: string | undefined;
  readonly opt_fields?: string | null | undefined;
  readonly filter?: { readonly [name: string]: string } | null | undefined;
  readonly status?: "active" | "paused" | undefined;
};

/** Webhook. */
export type Webhook = {
  readonly id: string;
  readonly url: string;
  readonly version: string;
  readonly mode?: string | undefined;
  readonly opt_fields?: string | undefined;
  /** The filters of the feed, by their names */
  readonly filter?: { readonly [name: string]: string } | undefined;
  readonly status: "active" | "paused";
  /** How far it has come */
  readonly offset: string;
  readonly dateCreated: Timestamp;
  /** Until then deliveries are signed with secrets of before as well */
  readonly oldSecretsUntil?: Timestamp | undefined;
};

/** Secret rotation. */
export type SecretRotation = {
  /** For how long deliveries are signed with the secrets of before as well: `PT1H`, `P3D`, or seconds; at most 7 days; absent: 24 hours; 0: not at all */
  readonly overlap?: string | number | undefined;
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
  readonly nextAttempt?: Timestamp | undefined;
  readonly lastAttempt?: Timestamp | undefined;
  readonly response?: {
    readonly status: number;
  };
  readonly error?: string | undefined;
  readonly dateCreated: Timestamp;
};

/** Announcement sent. */
export type AnnouncementSent = {
  readonly hash: string;
};

/** Announced file. */
export type AnnouncedFile = {
  /** Vouches for the file: a document is registered by it */
  readonly url: string;
  readonly hash: string;
};

/** Uploaded file. */
export type UploadedFile = {
  /** Vouches for the file: a document is registered by it */
  readonly url: string;
  readonly hash: string;
  readonly format: string;
  readonly title: string;
};

/** Health. */
export type Health = {
  readonly status: string;
  readonly checks?: {
    readonly store: string;
    readonly files: string;
  };
};
