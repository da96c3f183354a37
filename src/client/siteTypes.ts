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
  /** Since when changes wait in the feed, because those that are yet to be delivered to the account's webhooks take up all the room that they may; it goes on by itself when they are delivered */
  readonly heldSince?: Timestamp | undefined;
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

/** Every operation beside the versions: what it takes and what it answers. */
export type SiteOperations = {
  /** The caller's test clocks */
  readonly "GET /sandbox/clocks": {
    readonly answer: {
      readonly data: readonly ListedClock[];
    };
  };
  /** Makes a test clock */
  readonly "POST /sandbox/clocks": {
    readonly body: ClockSent;
    readonly answer: {
      readonly data: Clock;
    };
  };
  /** A test clock and the tenders on it */
  readonly "GET /sandbox/clocks/{clock_id}": {
    readonly answer: {
      readonly data: Clock;
    };
  };
  /** Moves a test clock forward, and carries out all that falls due */
  readonly "POST /sandbox/clocks/{clock_id}/advance": {
    readonly body: Advance;
    readonly answer: {
      readonly data: Clock;
    };
  };
  /** One's own webhooks */
  readonly "GET /webhooks": {
    readonly answer: {
      readonly data: readonly Webhook[];
    };
  };
  /** Makes a webhook */
  readonly "POST /webhooks": {
    readonly body: WebhookSent;
    readonly answer: {
      readonly data: Webhook;
      readonly access: Secret;
    };
  };
  /** A webhook */
  readonly "GET /webhooks/{webhook_id}": {
    readonly answer: {
      readonly data: Webhook;
    };
  };
  /** Changes a webhook */
  readonly "PATCH /webhooks/{webhook_id}": {
    readonly body: WebhookChange;
    readonly answer: {
      readonly data: Webhook;
    };
  };
  /** Removes a webhook */
  readonly "DELETE /webhooks/{webhook_id}": {
    readonly answer: {
      readonly data: Webhook;
    };
  };
  /** Gives a webhook another secret, while those of before still count for a while */
  readonly "POST /webhooks/{webhook_id}/secret": {
    readonly body: SecretRotation;
    readonly answer: {
      readonly data: Webhook;
      readonly access: Secret;
    };
  };
  /** The deliveries of a webhook */
  readonly "GET /webhooks/{webhook_id}/deliveries": {
    readonly answer: {
      readonly data: readonly Delivery[];
      readonly next_page: {
        readonly offset: string;
        readonly path: string;
        readonly uri: string;
      };
    };
  };
  /** A delivery */
  readonly "GET /webhooks/{webhook_id}/deliveries/{delivery_id}": {
    readonly answer: {
      readonly data: Delivery;
    };
  };
  /** Delivers once more */
  readonly "POST /webhooks/{webhook_id}/deliveries/{delivery_id}/resend": {
    readonly answer: {
      readonly data: Delivery;
    };
  };
  /** Announces a file that will be uploaded */
  readonly "POST /register": {
    readonly body: AnnouncementSent;
    readonly answer: {
      readonly data: AnnouncedFile;
      /** Where the file is to be sent */
      readonly upload_url: string;
    };
  };
  /** Uploads a file ahead of its document */
  readonly "POST /upload": {
    readonly answer: {
      readonly data: UploadedFile;
      /** Where it can be read for some minutes */
      readonly get_url: string;
    };
  };
  /** Uploads a file that was announced, to the address that was given for it */
  readonly "POST /upload/{key}": {
    readonly answer: {
      readonly data: UploadedFile;
      /** Where it can be read for some minutes */
      readonly get_url: string;
    };
  };
  /** A file of the document service, by an address that was signed for it */
  readonly "GET /get/{key}": {
    readonly answer: unknown;
  };
  /** Whether the process runs */
  readonly "GET /health/live": {
    readonly answer: Health;
  };
  /** Whether requests can be served: the store and the files are asked */
  readonly "GET /health/ready": {
    readonly answer: Health;
  };
};
