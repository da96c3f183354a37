import { isPlain, same } from "../domain/merge.ts";

/** RFC 6902, as far as the ledger needs it. */
export type Operation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/** The operations that lead from one state to the next; what did not change is not named. */
export function patchBetween(before: unknown, after: unknown, path = ""): readonly Operation[] {
  if (same(before, after)) return [];
  if (isPlain(before) && isPlain(after)) return patchObjects(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return patchLists(before, after, path);
  return [{ op: "replace", path, value: after }];
}

function patchObjects(
  before: { readonly [name: string]: unknown },
  after: { readonly [name: string]: unknown },
  path: string,
): readonly Operation[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): readonly Operation[] => {
    const here = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const [was, is] = [own(before, name), own(after, name)];
    if (is === undefined) return was === undefined ? [] : [{ op: "remove", path: here }];
    return was === undefined ? [{ op: "add", path: here, value: is }] : patchBetween(was, is, here);
  });
}

function patchLists(before: readonly unknown[], after: readonly unknown[], path: string): readonly Operation[] {
  const shared = Math.min(before.length, after.length);
  const changed = Array.from({ length: shared }, (_, i) => patchBetween(before[i], after[i], `${path}/${i}`)).flat();
  const removed = before
    .slice(shared)
    .map((_, i): Operation => ({ op: "remove", path: `${path}/${before.length - 1 - i}` }));
  const added = after.slice(shared).map((value): Operation => ({ op: "add", path: `${path}/-`, value }));
  return [...changed, ...removed, ...added];
}

const own = (object: { readonly [name: string]: unknown }, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;
