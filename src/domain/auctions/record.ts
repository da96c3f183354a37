import { isPlainObject } from "../values/merge.ts";
import { sha256Hex } from "../values/sha256.ts";
import type { Instant } from "../values/time.ts";
import type {
  AuctionAttempt,
  AuctionInputRecord,
  AuctionOffer,
  AuctionPlace,
  AuctionRules,
  AuctionStage,
  AuctionState,
  AuctionStatus,
} from "./model.ts";
import { placeOffers } from "./order.ts";

/** The record of an auction: everything from which anyone can compute it again, and what the service computed. */

/** The version of the format of records. */
export const RECORD_FORMAT = "tenderhall auction record 1";

/** What an auction is a function of. `until` is the instant up to which it was run. */
export type AuctionSource = {
  readonly format: typeof RECORD_FORMAT;
  readonly id: string;
  readonly rules: AuctionRules;
  readonly inputs: readonly AuctionInputRecord[];
  readonly until: Instant;
};

/** What follows from the source. */
export type AuctionOutcome = {
  readonly status: AuctionStatus;
  readonly plannedStart: Instant;
  readonly stages: readonly AuctionStage[];
  readonly offers: readonly AuctionOffer[];
  /** Empty unless the auction has ended. */
  readonly places: readonly AuctionPlace[];
  readonly earlierAttempts: readonly AuctionAttempt[];
};

/** `digest` is the SHA-256 of the source, in which a changed input shows even if it does not change the outcome. */
export type AuctionRecord = AuctionSource & { readonly digest: string; readonly outcome: AuctionOutcome };

/**
 * The record of an auction. It includes bids, names and every price that was ever placed: publish it only if `isRecordPublic()`.
 */
export function recordOf(state: AuctionState): AuctionRecord {
  const { id, rules, inputs, at, status, plannedStart, stages, offers, earlierAttempts } = state;
  const source: AuctionSource = { format: RECORD_FORMAT, id, rules, inputs, until: at };
  const places = status === "ended" ? placeOffers(offers) : [];
  const outcome = { status, plannedStart, stages, offers, places, earlierAttempts };
  return { ...source, digest: sha256Hex(JSON.stringify(withSortedKeys(source))), outcome };
}

/** Whether everyone may see the record: once names are public. */
export const isRecordPublic = ({ names }: AuctionState): boolean => names !== undefined;

/** The record as a file. Publish it byte for byte: `replayText()` reports any other text as changed. */
export const recordText = (record: AuctionRecord): string =>
  JSON.stringify(withSortedKeys(record), undefined, 1) + "\n";

/** The same JSON value with the keys of all objects in order, because a database need not preserve the order in which they were stored. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isPlainObject(value)) return value;
  const entries = Object.keys(value)
    .toSorted()
    .map((name) => [name, withSortedKeys(value[name])] as const);
  return Object.fromEntries(entries);
}
