import { getHeapStatistics } from "node:v8";
import type { SizeLimits } from "../domain/model/sizeLimits.ts";

/** Half of the longest string that V8 can make, as some text needs two bytes for each character. */
const STORED_BYTES_MAX = 256 * 1024 * 1024;

/** Writing a tender takes several times its size: the tender itself, its text, and copies of that on the way to disk. */
const storedBytesDefault = (): number =>
  Math.min(Math.floor(getHeapStatistics().heap_size_limit / 8), STORED_BYTES_MAX);

const MIB = 1024 * 1024;

/** Whatever a tender may take with all its bids, its owner leaves most of it to those who bid. */
const tenderBytesDefault = (storedBytesMax: number): number => Math.min(16 * MIB, Math.floor(storedBytesMax / 4));

/**
 * One account alone never takes more than half of the room for bids. If it could take all, it would lock its rivals out, and could tell
 * from what is left whether they have bid.
 */
const bidBytesDefault = (storedBytesMax: number, tenderBytesMax: number): number =>
  Math.min(64 * MIB, Math.max(0, Math.floor((storedBytesMax - tenderBytesMax) / 2)));

type ReadInteger = (name: string, min: number, max: number, fallback?: number) => number;

/** How large tenders may become; what is not set follows from what can be stored. */
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
