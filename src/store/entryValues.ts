import type { AuctionStatus } from "../domain/auctions/model.ts";
import type { Interruption } from "../domain/model/commands.ts";
import type { Instant } from "../domain/values/time.ts";

/** The values of key-value entries, by their kinds; see `entryKinds.ts`. */

/** A clock of the sandbox, which stands still until its owner advances it. Tenders on it follow this clock alone. */
export type TestClock = {
  readonly id: string;
  readonly owner: string;
  readonly now: Instant;
  /** The last target. If it is later than `now`, an advance is in progress or was interrupted, and the next caller completes it. */
  readonly to?: Instant;
  /** The latest requests with an idempotency key that advanced it: repeated after a crash, they do not advance it again. */
  readonly movedBy?: readonly ClockMove[];
};

/** The hash of an idempotency key, and when the request with this key advanced the clock. */
export type ClockMove = { readonly key: string; readonly at: Instant };

/** A subscription to changes. */
export type Webhook = {
  readonly id: string;
  /** The name of the account that created it. */
  readonly owner: string;
  readonly url: string;
  /** The API version of the entries. */
  readonly version: string;
  readonly mode?: string;
  readonly optFields?: string;
  /** The names and values of feed filters, as they were sent. */
  readonly filter?: { readonly [name: string]: string };
  /** The origin under which its owner reached the service, for links in entries. */
  readonly origin: string;
  readonly status: "active" | "paused";
  /** All changes up to this time have become deliveries or do not match. */
  readonly offset: Instant;
  readonly dateCreated: Instant;
  /** Since when changes wait in the feed because the pending deliveries of the account have reached their limit. */
  readonly heldSince?: Instant;
  /** Derives the secret, together with the id, once the secret was rotated. It is not secret itself. */
  readonly salt?: string;
  /** The salts of earlier secrets, which also sign deliveries until they expire. */
  readonly retiring?: readonly { readonly salt?: string; readonly until: Instant }[];
};

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A change that is sent to a webhook. */
export type WebhookDelivery = {
  /** Sorts by the time of the change. The deliveries of a change to several webhooks have the same id. */
  readonly id: string;
  readonly tender: string;
  readonly dateModified: Instant;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Attempts since `since`; the pauses between attempts grow with it. */
  readonly tries: number;
  /** When it was created, or last resent by its owner. */
  readonly since: Instant;
  readonly nextAttempt?: Instant;
  readonly lastAttempt?: Instant;
  /** The HTTP status of the last response. */
  readonly response?: number;
  readonly error?: string;
  readonly dateCreated: Instant;
  /** For a webhook with `opt_fields`: the fields, and the size of the stored snapshot. */
  readonly snapshot?: { readonly fields: string; readonly bytes: number };
  /** The body to send, which earlier releases stored. Today it is rendered from the snapshot when it is sent. */
  readonly body?: string;
};

/** Who delivers to webhooks, and until when. */
export type DispatcherLease = { readonly holder: string; readonly until: Instant };

/** Bytes of idempotency records of one hour (counted from the epoch), and how many of them for refusals. */
export type HourlyUsage = { readonly hour: number; readonly bytes: number; readonly refusals: number };

/** The number and size of an account's pending uploads. */
export type UploadTotal = { readonly files: number; readonly bytes: number };

/** When a backup was made. */
export type BackupTime = { readonly made: Instant };

/** An auction in the list of those that the service holds. */
export type AuctionListing = {
  readonly auction: string;
  readonly tender: string;
  readonly lot?: string;
  readonly start: Instant;
  readonly status: AuctionStatus;
  readonly mode?: "test";
  /** The auction is on a test clock. */
  readonly isOnTestClock?: true;
};

/** The status by which auctions are listed. Those on test clocks are apart, as their times have nothing to do with the present. */
export const listedStatus = ({ status, isOnTestClock }: Pick<AuctionListing, "status" | "isOnTestClock">): string =>
  isOnTestClock ? `${status} on a test clock` : status;

/** When the service was last seen, and the last time that it could not be reached. There is one for the whole registry. */
export type Heartbeat = {
  readonly at: Instant;
  /** Whether an auction was running or about to start, so that a pause of the heartbeat means an interruption. */
  readonly isWatching: boolean;
  readonly interruption?: Interruption;
};

/** How far OCDS releases are made: up to this row of the ledger, of which `at` is the instant. */
export type ReleasePosition = {
  readonly sequence: number;
  readonly at: Instant;
  /**
   * Identifies the releases that are stored. It changes whenever they are made again from the start, as by a rebuild or after a restore,
   * so that whoever keeps copies of them can tell. Undefined before the first are made.
   */
  readonly generation?: string;
  /** Set while stored releases are being removed, before all are made again. */
  readonly isRebuilding?: true;
};
