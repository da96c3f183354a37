import type { Tender } from "../domain/model/tender.ts";

/**
 * Estimates the memory of a value in V8. The length of its JSON text is a poor measure: a small object takes more than its text, and
 * a string with a single character beyond Latin-1 takes two bytes for each character.
 */

const STRING_HEAD = 16;
const OBJECT_HEAD = 24;
const ARRAY_HEAD = 32;
const SLOT = 8;
/** Instants and other numbers that are not small integers. */
const BOXED_NUMBER = 16;
const SMALL_INTEGER_MAX = 2 ** 30;

/** The estimated memory of a JSON value, in bytes. */
export function heapBytesOf(value: unknown): number {
  if (typeof value === "string") return STRING_HEAD + value.length * (isAscii(value) ? 1 : 2);
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) < SMALL_INTEGER_MAX ? 0 : BOXED_NUMBER;
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value))
    return value.reduce((sum, element) => sum + heapBytesOf(element), ARRAY_HEAD + SLOT * value.length);
  let bytes = OBJECT_HEAD;
  // An object from JSON has its properties under any name. `Object.values` would allocate a list for each object.
  const properties = value as { readonly [name: string]: unknown };
  for (const name in properties) bytes += SLOT + heapBytesOf(properties[name]);
  return bytes;
}

/** `byteLength` is native, and many times faster than a loop over the characters. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** Elements of a tender's lists are never changed in place, so each is measured once. */
const bytesByElement = new WeakMap<object, number>();

/** As `heapBytesOf`, with a cache for the elements of the tender's lists. */
export function heapBytesOfTender(tender: Tender): number {
  let bytes = OBJECT_HEAD;
  for (const value of Object.values(tender))
    bytes += SLOT + (Array.isArray(value) ? heapBytesOfList(value) : heapBytesOf(value));
  return bytes;
}

function heapBytesOfList(list: readonly unknown[]): number {
  let bytes = ARRAY_HEAD + SLOT * list.length;
  for (const element of list)
    bytes += typeof element === "object" && element !== null ? cachedHeapBytes(element) : heapBytesOf(element);
  return bytes;
}

function cachedHeapBytes(element: object): number {
  const cached = bytesByElement.get(element);
  if (cached !== undefined) return cached;
  const bytes = heapBytesOf(element);
  bytesByElement.set(element, bytes);
  return bytes;
}
