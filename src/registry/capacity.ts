import { getHeapStatistics } from "node:v8";

/** Half of the longest string that V8 can make, as some text needs two bytes for each character. */
export const STORED_BYTES_MAX = 256 * 1024 * 1024;

/** Writing a tender takes several times its size: the tender itself, its text, and copies of that on the way to disk. */
export const storedBytesDefault = (): number =>
  Math.min(Math.floor(getHeapStatistics().heap_size_limit / 8), STORED_BYTES_MAX);

const MIB = 1024 * 1024;

/** Whatever a tender may take with all its bids, its owner leaves most of it to those who bid. */
export const tenderBytesDefault = (storedBytesMax: number): number =>
  Math.min(16 * MIB, Math.floor(storedBytesMax / 4));

/**
 * One account alone never takes more than half of the room for bids. If it could take all, it would lock its rivals out, and could tell
 * from what is left whether they have bid.
 */
export const bidBytesDefault = (storedBytesMax: number, tenderBytesMax: number): number =>
  Math.min(64 * MIB, Math.max(0, Math.floor((storedBytesMax - tenderBytesMax) / 2)));
