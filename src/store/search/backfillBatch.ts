import type { CategoryName } from "../../indexing/categoryNames.ts";
import type { OrganizationRow } from "./indexChanges.ts";
import type { BackfillProgress } from "./publicReads.ts";
import type { SearchWrite } from "./searchRows.ts";
import type { StoredSum } from "./statisticsRows.ts";

/** Tenders whose first row is at most `leftUpTo` are left. */
export type BackfillState = BackfillProgress & { readonly leftUpTo: number };

/** A tender that may not be in the index yet. */
export type LeftTender = { readonly id: string; readonly firstRow: number; readonly publicRow: number | null };

/** What a batch writes. */
export type BackfillBatch<Text = string> = {
  readonly searchWrites: readonly SearchWrite<Text>[];
  readonly sums: readonly StoredSum[];
  /** Names that are only stored if the organisation has none yet: newer ones come first. */
  readonly organizations: readonly OrganizationRow[];
  readonly categoryNames: readonly CategoryName[];
  /** The new state; undefined if nothing is left. */
  readonly state: BackfillState | undefined;
};

/** The reads of an engine for the backfill. */
export type BackfillReads = {
  /** Undefined if there is nothing left to index. */
  state(): Promise<BackfillState | undefined>;
  /** The next tenders, the newest first. */
  next(leftUpTo: number, limit: number): Promise<readonly LeftTender[]>;
};
