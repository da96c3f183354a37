import { ExactNumber, isOcdsList, type OcdsValue } from "./ocdsValues.ts";

/** Whether two values are the same JSON, in whatever order their fields are. Releases are compared often, so this allocates nothing. */
export function isSameValue(a: OcdsValue | undefined, b: OcdsValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (a instanceof ExactNumber || b instanceof ExactNumber)
    return a instanceof ExactNumber && b instanceof ExactNumber && a.source === b.source;
  if (isOcdsList(a)) return isOcdsList(b) && isSameList(a, b);
  if (isOcdsList(b)) return false;
  let fields = 0;
  for (const name in a) {
    if (!isSameValue(a[name], b[name])) return false;
    fields++;
  }
  for (const _name in b) fields--;
  return fields === 0;
}

function isSameList(a: readonly OcdsValue[], b: readonly OcdsValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!isSameValue(a[i], b[i])) return false;
  return true;
}
