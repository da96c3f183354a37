import { getHeapStatistics } from "node:v8";
import type { SizeLimits } from "../domain/model/sizeLimits.ts";

/** Half of V8's maximum string length, as some texts take two bytes for each character. */
const STORED_BYTES_MAX = 256 * 1024 * 1024;

/** An eighth of the heap: writing a tender takes several times its size, for the object, its JSON, and copies on the way to disk. */
const storedBytesDefault = (): number =>
  Math.min(Math.floor(getHeapStatistics().heap_size_limit / 8), STORED_BYTES_MAX);

const MIB = 1024 * 1024;

/** At most a quarter of what a tender may take with all its bids, so that most of the space is left for bids. */
const tenderBytesDefault = (storedBytesMax: number): number => Math.min(16 * MIB, Math.floor(storedBytesMax / 4));

/**
 * At most half of the space for bids. An account that could use all of it could lock out its rivals, or learn from the remaining
 * space whether they have bid.
 */
const bidBytesDefault = (storedBytesMax: number, tenderBytesMax: number): number =>
  Math.min(64 * MIB, Math.max(0, Math.floor((storedBytesMax - tenderBytesMax) / 2)));

type ReadInteger = (name: string, min: number, max: number, fallback?: number) => number;

/** Reads the size limits of tenders from the settings. Limits that are not set are derived from what this process can store. */
export function readSizeLimits(readInteger: ReadInteger): SizeLimits {
  const readBytes = (name: string, fallback: number) => readInteger(name, 1024, STORED_BYTES_MAX, fallback);
  const storedBytesMax = readBytes("STORED_TENDER_BYTES_MAX", storedBytesDefault());
  const tenderBytesMax = readBytes("TENDER_BYTES_MAX", tenderBytesDefault(storedBytesMax));
  return {
    storedBytesMax,
    tenderBytesMax,
    bidsPerAccountMax: readInteger("BIDS_PER_ACCOUNT_MAX", 1, 1_000_000),
    bidBytesPerAccountMax: readBytes("BID_BYTES_PER_ACCOUNT_MAX", bidBytesDefault(storedBytesMax, tenderBytesMax)),
  };
}
