import { getHeapStatistics } from "node:v8";

/** Half of the longest string that V8 can make, as some text needs two bytes for each character. */
export const STORED_BYTES_MAX = 256 * 1024 * 1024;

/** Writing a tender takes several times its size: the tender itself, its text, and copies of that on the way to disk. */
export const storedBytesDefault = (): number =>
  Math.min(Math.floor(getHeapStatistics().heap_size_limit / 8), STORED_BYTES_MAX);
