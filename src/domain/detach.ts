import { isPlain } from "./merge.ts";

/**
 * The engine cuts a string of 13 characters or more out of another without copying it: the part then keeps the whole text
 * alive, such as a request body of two megabytes. Whatever outlives its request is copied first.
 */
const SHARED_LENGTH_MIN = 13;

export const detachedText = (text: string): string =>
  text.length < SHARED_LENGTH_MIN ? text : (JSON.parse(JSON.stringify(text)) as string);

/**
 * The same value with copies of all that `before` does not have. `before` shares memory with no foreign text, so what both
 * have in common is taken over as it is, and the cost follows the change. Values are as JSON knows them.
 */
export function detached<Value>(after: Value, before: unknown): Value {
  return detachedAny(after, before) as Value;
}

function detachedAny(after: unknown, before: unknown): unknown {
  // Also of two strings that are equal, the one that is kept already stays.
  if (after === before) return before;
  if (typeof after === "string") return detachedText(after);
  if (Array.isArray(after)) return Array.isArray(before) ? detachedList(after, before) : copied(after);
  if (!isPlain(after)) return after;
  return isPlain(before) ? detachedObject(after, before) : copied(after);
}

function detachedObject(after: { readonly [name: string]: unknown }, before: { readonly [name: string]: unknown }) {
  const result: { [name: string]: unknown } = { ...after };
  for (const name in after) result[name] = detachedAny(after[name], before[name]);
  return result;
}

/** Elements may have moved, as where one was removed. */
function detachedList(after: readonly unknown[], before: readonly unknown[]): readonly unknown[] {
  const known = after.length === before.length ? undefined : new Set(before);
  return after.map((element, i) =>
    typeof element === "object" && known?.has(element) ? element : detachedAny(element, before[i]),
  );
}

const copied = (value: object): unknown => JSON.parse(JSON.stringify(value));
