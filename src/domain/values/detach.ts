import { isPlainObject } from "./merge.ts";

/**
 * V8 slices strings of 13 characters or more without copying: a slice keeps the whole source alive, such as a request body of two
 * megabytes. Strings that outlive their request are therefore copied.
 */
const SHARED_LENGTH_MIN = 13;

/** Returns a copy of the text that does not keep a longer string alive. */
export const detachText = (text: string): string =>
  // Same either way: a copy is the same text.
  text.length < SHARED_LENGTH_MIN ? text : (JSON.parse(JSON.stringify(text)) as string);

/**
 * Returns the same JSON value with copies of everything that is not in `before`. `before` is already detached, so whatever both have
 * in common is reused, and the cost is proportional to the change.
 */
export function detach<Value>(after: Value, before: unknown): Value {
  return detachValue(after, before) as Value;
}

function detachValue(after: unknown, before: unknown): unknown {
  // Of two equal strings, the one in `before` is reused.
  if (after === before) return before;
  if (typeof after === "string") return detachText(after);
  if (Array.isArray(after)) return Array.isArray(before) ? detachList(after, before) : copyJson(after);
  if (!isPlainObject(after)) return after;
  return isPlainObject(before) ? detachObject(after, before) : copyJson(after);
}

function detachObject(after: { readonly [name: string]: unknown }, before: { readonly [name: string]: unknown }) {
  const result: { [name: string]: unknown } = { ...after };
  for (const name in after) result[name] = detachValue(after[name], before[name]);
  return result;
}

/** If the lengths differ, elements may have moved, so they are also looked up by identity. */
function detachList(after: readonly unknown[], before: readonly unknown[]): readonly unknown[] {
  const known = after.length === before.length ? undefined : new Set(before);
  return after.map((element, i) =>
    typeof element === "object" && known?.has(element) ? element : detachValue(element, before[i]),
  );
}

const copyJson = (value: object): unknown => JSON.parse(JSON.stringify(value));
