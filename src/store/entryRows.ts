import type { Instant } from "../domain/values/time.ts";
import type { EntryKind, ExpiringKind } from "./entryKinds.ts";

/** Key-value entries as an engine reads and writes them: their values are texts. */

/** An entry of the key-value store as it is written: the values of its columns and the text of its value, or none to delete it. */
export type EntryRow<Text = string> = {
  readonly kind: EntryKind;
  readonly id: string;
  readonly revision: number;
  readonly expiresAt: Instant | null;
  readonly columns: readonly string[];
  readonly text: Text | undefined;
};

/** An entry of the key-value store in the database. */
export type StoredEntry = {
  readonly id: string;
  readonly revision: number;
  readonly expiresAt: Instant | null;
  readonly text: string;
};

/** Which entries of a kind are read. `columns` are the values of all its columns, or none if entries are not filtered by them. */
export type EntryRowQuery = { readonly kind: EntryKind; readonly columns: readonly string[]; readonly limit: number };

/** The reads of key-value entries. */
export type EntryReads = {
  find(kind: EntryKind, id: string): Promise<StoredEntry | undefined>;
  list(query: EntryRowQuery, beyond: string | undefined, descending: boolean): Promise<readonly StoredEntry[]>;
  count(query: EntryRowQuery): Promise<number>;
  expired(kind: ExpiringKind, by: Instant, limit: number): Promise<readonly StoredEntry[]>;
};
