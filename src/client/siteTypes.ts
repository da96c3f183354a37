// Made by scripts/api.ts from the schemas of docs/api/site.json: do not edit, run `npm run api`.
import type { Timestamp } from "./types.ts";

/** A test clock to be created. */
export type ClockSent = {
  /** The time that the clock shows at first. Set by the client; if absent, the real time. */
  readonly now?: Timestamp | undefined;
};

/** Where a test clock is moved: exactly one of `to`, `by` and `next`. */
export type Advance = {
  /** The time to move it to, not before the time that it shows. */
  readonly to: Timestamp;
} | {
  /** How far to move it: an ISO 8601 duration such as `PT1H` or `P3D`, or a number of seconds. */
  readonly by: string | number;
} | {
  /** `true` moves it to the next time at which something on it falls due; it stays if nothing does. */
  readonly next: true;
};

/** A test clock in a list. */
export type ListedClock = {
  /** Identifies the clock: 32 hex digits. Assigned by the service. */
  readonly id: string;
  /** The time that the clock shows. */
  readonly now: Timestamp;
};

/** A test clock with the tenders that live on it. */
export type Clock = {
  /** Identifies the clock: 32 hex digits. Assigned by the service. */
  readonly id: string;
  /** The time that the clock shows. */
  readonly now: Timestamp;
  /** When the next thing on the clock falls due. Absent if nothing does. */
  readonly next_check?: Timestamp | undefined;
  /** The tenders on the clock, at most 1,000. */
  readonly tenders: readonly {
    /** `id` of the tender. */
    readonly id: string;
    /** Official number of the tender, for people. */
    readonly tenderID: string;
    /** Status of the tender, as the newest version calls it. */
    readonly status: string;
    /** When the tender changes by itself. Absent if nothing is due. */
    readonly next_check?: Timestamp | undefined;
  }[];
};

/** A webhook to be created. */
export type WebhookSent = {
  /** Address that changes are sent to by POST, http or https, at most 2,048 characters. Required; set by the client. */
  readonly url: string;
  /** API version in whose format changes are sent. Set by the client; if absent, the newest. */
  readonly version?: string | undefined;
  /** `test` sends changes of test tenders only, `_all_` of all. If absent or empty, of real ones only. */
  readonly mode?: "" | "test" | "_all_" | undefined;
  /** Fields of the tender to add to each change, separated by commas, at most 1,024 characters. Set by the client. */
  readonly opt_fields?: string | undefined;
  /** Filters of the feed, by the names of its parameters: only matching tenders are sent. Set by the client. */
  readonly filter?: { readonly [name: string]: string } | undefined;
  /**
   * Place in the feed to begin at, as `next_page.offset`. Set by the client; if absent, only what changes from now on
   * is sent.
   */
  readonly offset?: string | undefined;
};

/** What can be changed of a webhook. */
export type WebhookChange = {
  /** New address that changes are sent to by POST, http or https. */
  readonly url?: string | undefined;
  /** New fields to add to each change; `null` for none. */
  readonly opt_fields?: string | null | undefined;
  /** New filter; `null` for none. */
  readonly filter?: { readonly [name: string]: string } | null | undefined;
  /** `paused` stops deliveries, `active` goes on where they stopped. */
  readonly status?: "active" | "paused" | undefined;
};

/** A subscription to changes of tenders. */
export type Webhook = {
  /** Identifies the webhook: 32 hex digits. Assigned by the service. */
  readonly id: string;
  /** Address that changes are sent to by POST. */
  readonly url: string;
  /** API version in whose format changes are sent; fixed when the webhook is created. */
  readonly version: string;
  /** `test` or `_all_`; absent if only real tenders are sent. Fixed when the webhook is created. */
  readonly mode?: string | undefined;
  /** Fields of the tender that each change has besides its own, separated by commas. */
  readonly opt_fields?: string | undefined;
  /** Filters of the feed that the tenders match, by the names of its parameters. */
  readonly filter?: { readonly [name: string]: string } | undefined;
  /** `paused` while the owner has stopped deliveries. */
  readonly status: "active" | "paused";
  /** How far the webhook has come in the feed: all earlier changes have become deliveries. Set by the service. */
  readonly offset: string;
  /** When the webhook was created. Set by the service. */
  readonly dateCreated: Timestamp;
  /**
   * Since when changes wait in the feed because undelivered ones of the account take up all its space. Set by the
   * service; it goes on by itself once they are delivered.
   */
  readonly heldSince?: Timestamp | undefined;
  /** Until when deliveries are also signed with earlier secrets. Set by the service when the secret is rotated. */
  readonly oldSecretsUntil?: Timestamp | undefined;
};

/** How a webhook gets a new secret. */
export type SecretRotation = {
  /**
   * How long deliveries are also signed with the old secrets: an ISO 8601 duration such as `PT1H` or `P3D`, or a number
   * of seconds; at most 7 days. Set by the client; if absent, 24 hours; 0 for not at all.
   */
  readonly overlap?: string | number | undefined;
};

/** The secret of a webhook. */
export type Secret = {
  /** Key of the HMAC-SHA256 that deliveries are signed with. Made by the service and shown only this once. */
  readonly secret: string;
};

/** A change that is sent to a webhook. */
export type Delivery = {
  /** Identifies the delivery: the time of the change in microseconds, and the tender. */
  readonly id: string;
  /** `id` of the tender that changed. */
  readonly tender: string;
  /** Time of the change. */
  readonly dateModified: Timestamp;
  /**
   * `pending` until the receiver has answered with a 2xx status (`delivered`), or has not done so for three days
   * (`failed`).
   */
  readonly status: "pending" | "delivered" | "failed";
  /** How often it was sent. */
  readonly attempts: number;
  /** When it is sent next: pauses grow from 5 seconds to an hour. Present while the delivery is `pending`. */
  readonly nextAttempt?: Timestamp | undefined;
  /** When it was last sent. Absent before the first attempt. */
  readonly lastAttempt?: Timestamp | undefined;
  /** What the receiver answered to the last attempt. Absent if it did not answer. */
  readonly response?: {
    /** HTTP status of the receiver's response. */
    readonly status: number;
  };
  /** Why the last attempt failed, if the receiver did not answer. */
  readonly error?: string | undefined;
  /** When the delivery was created. */
  readonly dateCreated: Timestamp;
};

/** A file that will be uploaded. */
export type AnnouncementSent = {
  /** Checksum of the file: `md5:` and 32 hex digits. Required; set by the client. */
  readonly hash: string;
};

/** A file that was announced. */
export type AnnouncedFile = {
  /** Signed address that vouches for the file: a document is registered with it. It opens nothing by itself. */
  readonly url: string;
  /** Checksum of the file: `md5:` and 32 hex digits. */
  readonly hash: string;
};

/** A file that was uploaded and has no document yet. */
export type UploadedFile = {
  /** Signed address that vouches for the file: a document is registered with it. It opens nothing by itself. */
  readonly url: string;
  /** Checksum of the file: `md5:` and 32 hex digits. */
  readonly hash: string;
  /** Media type of the file, as the form said. */
  readonly format: string;
  /** Name of the file, as the form said, without a path. */
  readonly title: string;
};

/** Whether the service works. */
export type Health = {
  /** `ok`, `unavailable`, or `stopping` while the process ends. */
  readonly status: string;
  /** What was asked, part by part. Absent at `/health/live`, which asks nobody. */
  readonly checks?: {
    /** Whether the database answers: `ok` or `unavailable`. */
    readonly store: string;
    /** Whether the file store answers: `ok` or `unavailable`. */
    readonly files: string;
  };
};

/** Every operation beside the versions: what it takes and what it answers. */
export type SiteOperations = {
  /** List your test clocks */
  readonly "GET /sandbox/clocks": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly ListedClock[];
    };
  };
  /** Create a test clock */
  readonly "POST /sandbox/clocks": {
    readonly body: ClockSent;
    readonly answer: {
      /** The payload. */
      readonly data: Clock;
    };
  };
  /** Get a test clock with its tenders */
  readonly "GET /sandbox/clocks/{clock_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Clock;
    };
  };
  /** Move a test clock forward */
  readonly "POST /sandbox/clocks/{clock_id}/advance": {
    readonly body: Advance;
    readonly answer: {
      /** The payload. */
      readonly data: Clock;
    };
  };
  /** List your webhooks */
  readonly "GET /webhooks": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Webhook[];
    };
  };
  /** Create a webhook */
  readonly "POST /webhooks": {
    readonly body: WebhookSent;
    readonly answer: {
      /** The payload. */
      readonly data: Webhook;
      /** The secret of the webhook, shown only this once. */
      readonly access: Secret;
    };
  };
  /** Get a webhook */
  readonly "GET /webhooks/{webhook_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Webhook;
    };
  };
  /** Change a webhook, or pause it */
  readonly "PATCH /webhooks/{webhook_id}": {
    readonly body: WebhookChange;
    readonly answer: {
      /** The payload. */
      readonly data: Webhook;
    };
  };
  /** Remove a webhook */
  readonly "DELETE /webhooks/{webhook_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Webhook;
    };
  };
  /** Rotate the secret of a webhook */
  readonly "POST /webhooks/{webhook_id}/secret": {
    readonly body: SecretRotation;
    readonly answer: {
      /** The payload. */
      readonly data: Webhook;
      /** The secret of the webhook, shown only this once. */
      readonly access: Secret;
    };
  };
  /** List the deliveries of a webhook */
  readonly "GET /webhooks/{webhook_id}/deliveries": {
    readonly answer: {
      /** The payload. */
      readonly data: readonly Delivery[];
      /** Where to go on. */
      readonly next_page: {
        /** Value of the parameter `offset` that leads there. */
        readonly offset: string;
        /** Path and query of that page, with the same filters. */
        readonly path: string;
        /** Absolute address of that page. */
        readonly uri: string;
      };
    };
  };
  /** Get a delivery */
  readonly "GET /webhooks/{webhook_id}/deliveries/{delivery_id}": {
    readonly answer: {
      /** The payload. */
      readonly data: Delivery;
    };
  };
  /** Send a delivery again */
  readonly "POST /webhooks/{webhook_id}/deliveries/{delivery_id}/resend": {
    readonly answer: {
      /** The payload. */
      readonly data: Delivery;
    };
  };
  /** Announce a file */
  readonly "POST /register": {
    readonly body: AnnouncementSent;
    readonly answer: {
      /** The payload. */
      readonly data: AnnouncedFile;
      /** Signed address to send the file to, by POST, without a key. It works once. */
      readonly upload_url: string;
    };
  };
  /** Upload a file before its document exists */
  readonly "POST /upload": {
    readonly answer: {
      /** The payload. */
      readonly data: UploadedFile;
      /** Signed address at which the file can be read for 5 minutes, without a key. */
      readonly get_url: string;
    };
  };
  /** Upload an announced file */
  readonly "POST /upload/{key}": {
    readonly answer: {
      /** The payload. */
      readonly data: UploadedFile;
      /** Signed address at which the file can be read for 5 minutes, without a key. */
      readonly get_url: string;
    };
  };
  /** Get a file by its signed address */
  readonly "GET /get/{key}": {
    readonly answer: unknown;
  };
  /** Check that the process runs */
  readonly "GET /health/live": {
    readonly answer: Health;
  };
  /** Check that requests can be served */
  readonly "GET /health/ready": {
    readonly answer: Health;
  };
};
