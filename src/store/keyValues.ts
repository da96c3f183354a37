import type { Instant } from "../domain/values/time.ts";
import type { EntryFilters, EntryKind, EntryValues, ExpiringKind } from "./entryKinds.ts";

/** The port of the key-value store, which holds typed values that are not part of the ledger. */

export type EntryKey<Kind extends EntryKind = EntryKind> = { readonly kind: Kind; readonly id: string };

export type KeyValueEntry<Kind extends EntryKind = EntryKind> = EntryKey<Kind> & {
  /** The number of times that the entry was written. */
  readonly revision: number;
  /** When the entry may be removed. It is stored until somebody does. */
  readonly expiresAt: Instant | undefined;
  readonly value: EntryValues[Kind];
};

/** The new value of an entry; `undefined` deletes it. Only expiring kinds have an expiry. */
export type EntryWrite<Kind extends EntryKind = EntryKind> = EntryRemoval | { [Each in Kind]: EntryPut<Each> }[Kind];
export type EntryRemoval = EntryKey & { readonly value: undefined; readonly expiresAt?: never };
export type EntryPut<Kind extends EntryKind> = EntryKey<Kind> & {
  readonly value: EntryValues[Kind];
} & (Kind extends ExpiringKind ? { readonly expiresAt: Instant | undefined } : { readonly expiresAt?: never });

/** A write that succeeds only if the entry still has the revision `before`; 0 means that it must not exist. */
export type ConditionalEntryWrite = EntryWrite & { readonly before: number };

export type EntryQuery<Kind extends EntryKind = EntryKind> = {
  readonly kind: Kind;
  /** Only entries with these values in their columns. */
  readonly where?: Kind extends keyof EntryFilters ? EntryFilters[Kind] : never;
  /** Only entries with ids after this one; before it if `descending`. */
  readonly beyond?: string | undefined;
  readonly descending?: boolean;
  readonly limit: number;
};

export type KeyValueStore = {
  find<Kind extends EntryKind>(key: EntryKey<Kind>): Promise<KeyValueEntry<Kind> | undefined>;
  /** A page of the entries of a kind, ordered by the bytes of their ids. */
  list<Kind extends EntryKind>(query: EntryQuery<Kind>): Promise<readonly KeyValueEntry<Kind>[]>;
  /** The number of entries that `list` would return, without reading their values. */
  count<Kind extends EntryKind>(query: EntryQuery<Kind>): Promise<number>;
  /** Entries of a kind that have expired at `by`, earliest first. */
  expired<Kind extends ExpiringKind>(kind: Kind, by: Instant, limit: number): Promise<readonly KeyValueEntry<Kind>[]>;
  /** Writes all entries, or none if one of them does not have the expected revision; returns whether it wrote. */
  put(writes: readonly ConditionalEntryWrite[]): Promise<boolean>;
};

/** The entries whose keys were passed to a write. They cannot change before its decision is written. */
export type RequestedEntries = {
  /** The entry, if it exists. Throws if its key was not passed to the write. */
  find<Kind extends EntryKind>(key: EntryKey<Kind>): KeyValueEntry<Kind> | undefined;
};
