import { isPlainObject, isSameJson } from "../domain/values/merge.ts";

/** An operation of JSON Patch (RFC 6902), as far as the ledger uses it. */
export type PatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/** The operations that turn `before` into `after`; empty if they are the same JSON. */
export function patchBetween(before: unknown, after: unknown, path = ""): readonly PatchOperation[] {
  if (isSameJson(before, after)) return [];
  if (isPlainObject(before) && isPlainObject(after)) return patchObjects(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return patchLists(before, after, path);
  return [{ op: "replace", path, value: after }];
}

function patchObjects(
  before: { readonly [name: string]: unknown },
  after: { readonly [name: string]: unknown },
  path: string,
): readonly PatchOperation[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): readonly PatchOperation[] => {
    const fieldPath = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const [oldValue, newValue] = [ownProperty(before, name), ownProperty(after, name)];
    if (newValue === undefined) return oldValue === undefined ? [] : [{ op: "remove", path: fieldPath }];
    return oldValue === undefined
      ? [{ op: "add", path: fieldPath, value: newValue }]
      : patchBetween(oldValue, newValue, fieldPath);
  });
}

function patchLists(before: readonly unknown[], after: readonly unknown[], path: string): readonly PatchOperation[] {
  const shared = Math.min(before.length, after.length);
  const changed = Array.from({ length: shared }, (_, i) => patchBetween(before[i], after[i], `${path}/${i}`)).flat();
  const removed = before
    .slice(shared)
    .map((_, i): PatchOperation => ({ op: "remove", path: `${path}/${before.length - 1 - i}` }));
  const added = after.slice(shared).map((value): PatchOperation => ({ op: "add", path: `${path}/-`, value }));
  return [...changed, ...removed, ...added];
}

const ownProperty = (object: { readonly [name: string]: unknown }, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Applies the operations and returns the new state; the arguments are not changed. Throws if an operation does not fit the state. */
export function applyPatch(before: unknown, operations: readonly PatchOperation[]): unknown {
  return operations.reduce((state, operation) => applyAt(state, stepsOf(operation.path), operation), before);
}

const stepsOf = (path: string): readonly string[] =>
  path === ""
    ? []
    : path
        .split("/")
        .slice(1)
        .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Copies only the objects and lists along the path, and shares the rest with `state`. */
function applyAt(state: unknown, [step, ...rest]: readonly string[], operation: PatchOperation): unknown {
  if (step === undefined) return operation.op === "remove" ? undefined : operation.value;
  if (Array.isArray(state)) return applyInList(state, step, rest, operation);
  if (!isPlainObject(state)) throw patchMismatch(operation);
  const isLast = rest.length === 0;
  if (!Object.hasOwn(state, step) && !(isLast && operation.op === "add")) throw patchMismatch(operation);
  const copied: { [name: string]: unknown } = { ...state };
  if (isLast && operation.op === "remove") delete copied[step];
  else defineField(copied, step, applyAt(ownProperty(state, step), rest, operation));
  return copied;
}

function applyInList(
  list: readonly unknown[],
  step: string,
  rest: readonly string[],
  operation: PatchOperation,
): unknown {
  const adds = rest.length === 0 && operation.op === "add";
  const at = positionOf(list, step, adds);
  if (at < 0 || at > list.length || (at === list.length && !adds)) throw patchMismatch(operation);
  if (rest.length > 0) return list.with(at, applyAt(list[at], rest, operation));
  if (operation.op === "remove") return list.toSpliced(at, 1);
  return list.toSpliced(at, adds ? 0 : 1, operation.value);
}

/** A step into a list is an index, "-" for the end, or the id of an element, which a bid is found by. An id that is new is added at the end. */
function positionOf(list: readonly unknown[], step: string, adds: boolean): number {
  if (step === "-") return adds ? list.length : -1;
  if (/^\d{1,9}$/.test(step)) return String(Number(step)) === step ? Number(step) : -1;
  const found = list.findIndex((element) => isPlainObject(element) && element.id === step);
  if (!adds) return found;
  return found < 0 ? list.length : -1;
}

const patchMismatch = ({ op, path }: PatchOperation): Error => new Error(`the patch does not fit: ${op} ${path}`);

/** Sets a property, even one named `__proto__`, for which an assignment would set the prototype. */
const defineField = (object: object, name: string, value: unknown) =>
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
