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
  if (!isObject(value)) return 0;
  if (Array.isArray(value))
    return value.reduce((sum, element) => sum + heapBytesOf(element), ARRAY_HEAD + SLOT * value.length);
  let bytes = OBJECT_HEAD;
  // `Object.values` would allocate a list for each object.
  for (const name in value) bytes += SLOT + heapBytesOf(value[name]);
  return bytes;
}

/** An object from JSON has its properties under any name. */
const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null;

/** `byteLength` is native, and many times faster than a loop over the characters. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** The memory of list elements that were measured before. */
const bytesByElement = new WeakMap<object, number>();

/**
 * As `heapBytesOf`, for an object such as a tender, whose lists have elements that are never changed in place: each element is measured
 * once.
 */
export function heapBytesOfRecord(record: object): number {
  let bytes = OBJECT_HEAD;
  for (const value of Object.values(record))
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
