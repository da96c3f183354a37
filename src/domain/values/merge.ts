type PlainObject = { readonly [name: string]: unknown };

/** Whether a JSON value is an object, not a list or null. */
export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Applies a patch: objects are merged by key, lists by position (a shorter list truncates, `{}` keeps an element), `null` clears a
 * property, any other value replaces the current one. The caller makes sure that the patch fits the type.
 */
export function merge<Current>(current: Current, patch: unknown): Current {
  return mergeValues(current, patch) as Current;
}

function mergeValues(current: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) {
    const before: readonly unknown[] = Array.isArray(current) ? current : [];
    return patch.map((element, i) => mergeValues(before[i], element));
  }
  return isPlainObject(patch) ? mergeObjects(isPlainObject(current) ? current : {}, patch) : patch;
}

function mergeObjects(current: PlainObject, patch: PlainObject): PlainObject {
  const merged: { [name: string]: unknown } = { ...current };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergeValues(merged[name], value);
  }
  return merged;
}

/** The patch without its top-level nulls: the fields of a tender cannot be cleared, only fields inside them. */
export const withoutNulls = <Patch extends object>(patch: Patch): Patch =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null)) as Patch;

/** Whether both values have the same JSON. A property that is undefined equals an absent one, and the order of keys is ignored. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((element, i) => isSameJson(element, b[i]));
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSameJson(ownProperty(a, name), ownProperty(b, name)));
}

const ownProperty = (object: PlainObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;
