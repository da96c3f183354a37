import { parseOwnJson } from "../base/ownJson.ts";
import {
  type AuctionListing,
  type BackupTime,
  type DeliveryStatus,
  type DispatcherLease,
  type Heartbeat,
  type HourlyUsage,
  listedStatus,
  type ReleasePosition,
  type TestClock,
  type UploadTotal,
  type Webhook,
  type WebhookDelivery,
} from "./entryValues.ts";

/** The kinds of key-value entries, each with the type of its value. Each has a table of its own. */
export type EntryValues = {
  /** By the id of the clock. */
  readonly "test clock": Omit<TestClock, "id">;
  readonly webhook: Webhook;
  /** The ids of an account's webhooks in the order of their creation, by the name of the account. */
  readonly "owned webhooks": readonly string[];
  /**
   * A deleted webhook whose deliveries have not been removed yet: the name of its owner, which is empty for a webhook that an early
   * release deleted.
   */
  readonly "deleted webhook": string;
  /** Written with every change of a webhook by its owner. Only its revision counts: it says whether to load the webhooks again. */
  readonly "webhook marker": string;
  readonly "dispatcher lease": DispatcherLease;
  /** By `WEBHOOK/DELIVERY`. */
  readonly delivery: WebhookDelivery;
  /** The JSON of a public tender after a change, by the id of the deliveries of that change. */
  readonly snapshot: string;
  /** The number of deliveries that refer to a snapshot. */
  readonly "snapshot references": number;
  /** Bytes of finished deliveries, by the name of the account. */
  readonly "delivery usage": number;
  /** The fingerprint of a request and its encrypted response; `http/idempotency.ts` reads it. */
  readonly "idempotency record": string;
  /** By the name of the account. */
  readonly "idempotency usage": readonly HourlyUsage[];
  /** Held while a file is received, by the key of the upload. Its value is empty: only its expiry counts. */
  readonly "upload lease": string;
  /** The size of an upload that is not a document yet, by `OWNER/KEY`. */
  readonly "pending upload": number;
  /** By the owner of the uploads. A total may be too high, never too low. */
  readonly "pending upload total": UploadTotal;
  readonly "last backup": BackupTime;
  /** An auction that the service holds, by its planned start and id. */
  readonly "auction listing": AuctionListing;
  /** How many auctions are planned to start in each slot of a day, by the start of the slot; by the day (YYYY-MM-DD). */
  readonly "auction slots": { readonly [slotStart: string]: number };
  readonly heartbeat: Heartbeat;
  /** The template of an OCDS release, by the instant of its change (16 digits) and the id of its tender: `INSTANT/TENDER`. */
  readonly release: string;
  readonly "release position": ReleasePosition;
};
export type EntryKind = keyof EntryValues;

/** Kinds that belong in backups. */
export type DurableKind = "test clock" | "webhook" | "owned webhooks" | "auction listing" | "auction slots";

/** Kinds whose entries can expire. */
export type ExpiringKind = "delivery" | "idempotency record" | "idempotency usage" | "upload lease" | "pending upload";

/** The columns by which entries can be listed, for kinds that have any. */
export type EntryFilters = {
  readonly "test clock": { readonly owner: string };
  readonly delivery: { readonly webhook: string; readonly status: DeliveryStatus };
  readonly "pending upload": { readonly owner: string };
  readonly "auction listing": { readonly status: string };
  readonly release: { readonly tender: string };
};

/** How the entries of a kind are stored. */
export type EntryTable<Kind extends EntryKind> = {
  readonly table: string;
  /**
   * How long entries are stored.
   * - durable: until their owner removes them. They are part of backups and exports.
   * - swept: temporary; the periodic sweep of the server removes them when they expire.
   * - managed: temporary; the module that writes them removes them, or there is at most one for each account or registry.
   */
  readonly retention: Kind extends DurableKind
    ? "durable"
    : Kind extends ExpiringKind
      ? "swept" | "managed"
      : "managed";
  /** The value of a stored text. */
  readonly parse: (text: string) => EntryValues[Kind];
  /** Whether the table has a time of expiry. */
  readonly expires: Kind extends ExpiringKind ? true : false;
  /** The columns of `EntryFilters`, in the order of their index. */
  readonly columns: readonly EntryColumn<Kind>[];
};

/** A column that is computed from an entry. */
export type EntryColumn<Kind extends EntryKind> = {
  readonly name: Kind extends keyof EntryFilters ? keyof EntryFilters[Kind] & string : never;
  readonly of: (id: string, value: EntryValues[Kind]) => string;
};

const asText = (text: string): string => text;
const afterSlash = (id: string): string => id.slice(id.indexOf("/") + 1);
const beforeSlash = (id: string): string => id.slice(0, id.indexOf("/"));

const DURABLE = { retention: "durable", expires: false, columns: [], parse: parseOwnJson } as const;
const SWEPT = { retention: "swept", expires: true, columns: [], parse: parseOwnJson } as const;
const MANAGED = { retention: "managed", expires: false, columns: [], parse: parseOwnJson } as const;

/** All kinds. The tables are created by the migrations. */
export const ENTRY_TABLES: { readonly [Kind in EntryKind]: EntryTable<Kind> } = {
  "test clock": { ...DURABLE, table: "test_clocks", columns: [{ name: "owner", of: (_id, { owner }) => owner }] },
  webhook: { ...DURABLE, table: "webhooks" },
  "owned webhooks": { ...DURABLE, table: "owned_webhooks" },
  "deleted webhook": { ...MANAGED, table: "deleted_webhooks", parse: asText },
  "webhook marker": { ...MANAGED, table: "webhook_markers", parse: asText },
  "dispatcher lease": { ...MANAGED, table: "dispatcher_leases" },
  // Not swept: with a delivery goes its reference to a snapshot.
  delivery: {
    ...MANAGED,
    table: "deliveries",
    expires: true,
    columns: [
      { name: "webhook", of: beforeSlash },
      { name: "status", of: (_id, { status }) => status },
    ],
  },
  snapshot: { ...MANAGED, table: "snapshots", parse: asText },
  "snapshot references": { ...MANAGED, table: "snapshot_references" },
  "delivery usage": { ...MANAGED, table: "delivery_usage" },
  "idempotency record": { ...SWEPT, table: "idempotency_records", parse: asText },
  "idempotency usage": { ...SWEPT, table: "idempotency_usage" },
  "upload lease": { ...SWEPT, table: "upload_leases", parse: asText },
  "pending upload": { ...SWEPT, table: "pending_uploads", columns: [{ name: "owner", of: beforeSlash }] },
  "pending upload total": { ...MANAGED, table: "pending_upload_totals" },
  "last backup": { ...MANAGED, table: "last_backups" },
  "auction listing": {
    ...DURABLE,
    table: "auction_listings",
    columns: [{ name: "status", of: (_id, listing) => listedStatus(listing) }],
  },
  "auction slots": { ...DURABLE, table: "auction_slots" },
  heartbeat: { ...MANAGED, table: "heartbeats" },
  // Not part of backups: releases are made again from the ledger, and are the same then.
  release: { ...MANAGED, table: "releases", parse: asText, columns: [{ name: "tender", of: afterSlash }] },
  "release position": { ...MANAGED, table: "release_positions" },
};

const isKind = (name: string): name is EntryKind => Object.hasOwn(ENTRY_TABLES, name);

/** All kinds, in the order of the table. */
export const ENTRY_KINDS: readonly EntryKind[] = Object.keys(ENTRY_TABLES).filter(isKind);

/** The kinds that belong in backups. */
export const DURABLE_KINDS: readonly DurableKind[] = ENTRY_KINDS.filter(
  (kind): kind is DurableKind => ENTRY_TABLES[kind].retention === "durable",
);

/** The kinds whose expired entries the periodic sweep removes. */
export const SWEPT_KINDS: readonly ExpiringKind[] = ENTRY_KINDS.filter(
  (kind): kind is ExpiringKind => ENTRY_TABLES[kind].retention === "swept",
);

/** The text that is stored for a value. Values that are texts are stored as they are. */
export const textOf = (value: EntryValues[EntryKind]): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** The write of a durable entry whose value is stored as this text. */
export const durableWriteOf = <Kind extends DurableKind>(kind: Kind, id: string, text: string): DurableWrite<Kind> => ({
  kind,
  id,
  value: ENTRY_TABLES[kind].parse(text),
});

type DurableWrite<Kind extends DurableKind> = {
  [Each in Kind]: { readonly kind: Each; readonly id: string; readonly value: EntryValues[Each] };
}[Kind];
