import type { Instant } from "../domain/values/time.ts";
import type { Filter } from "./feedQuery.ts";

/** A page of stored OCDS releases, which are ordered by the instants of their changes. */
export type ReleaseQuery = {
  /** Only releases of tenders that match at present. */
  readonly filter?: Filter | undefined;
  readonly descending: boolean;
  /** The cursor: only releases of later changes (of earlier ones if `descending`). */
  readonly beyond: Instant | undefined;
  readonly limit: number;
};

/** A stored OCDS release: the id of its entry (see `EntryValues`) and its template. */
export type ReleaseRow = { readonly id: string; readonly template: string };

const DIGITS = 16;

/** The id of the entry of a release. Ids sort by the instants of the changes, of which no two are the same. */
export const releaseEntryId = (at: Instant, tender: string): string => `${digitsOf(at)}/${tender}`;

/** The instant of the change that a release is about, by the id of its entry. */
export const instantOfRelease = (id: string): Instant => Number(id.slice(0, DIGITS));

/** The id that the entries of a page are beyond. */
export function releaseCursor({ beyond, descending }: Pick<ReleaseQuery, "beyond" | "descending">): string {
  if (beyond === undefined) return descending ? "9".repeat(DIGITS + 1) : "";
  // "0" sorts after "/", so the entry of that instant is before this cursor.
  return `${digitsOf(beyond)}${descending ? "" : "0"}`;
}

const digitsOf = (at: Instant): string =>
  String(Math.min(Math.max(at, 0), Number.MAX_SAFE_INTEGER)).padStart(DIGITS, "0");
