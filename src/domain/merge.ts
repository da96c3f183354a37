type Plain = { readonly [name: string]: unknown };

export const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * A patch names what it sets: objects are merged by key, lists by position (a shorter list truncates, `{}` keeps an
 * element), `null` clears, anything else replaces.
 */
export function merge<Current>(current: Current, patch: unknown): Current {
  return mergeAny(current, patch) as Current;
}

function mergeAny(current: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) {
    const before: readonly unknown[] = Array.isArray(current) ? current : [];
    return patch.map((element, i) => mergeAny(before[i], element));
  }
  return isPlain(patch) ? mergeObjects(isPlain(current) ? current : {}, patch) : patch;
}

function mergeObjects(current: Plain, patch: Plain): Plain {
  const merged: { [name: string]: unknown } = { ...current };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergeAny(merged[name], value);
  }
  return merged;
}

/** Without the top-level fields that are `null`: a tender's own fields are not cleared by a null, only what is inside them. */
export const withoutNulls = <Patch extends object>(patch: Patch): Patch =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null)) as Patch;

/** Whether both are stored as the same JSON: a field that is undefined is as good as absent. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((element, i) => same(element, b[i]));
  if (!isPlain(a) || !isPlain(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => same(own(a, name), own(b, name)));
}

const own = (object: Plain, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);
