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

/** What the operations lead to from a state; neither it nor they are changed. Throws where one of them does not fit. */
export function patched(before: unknown, operations: readonly Operation[]): unknown {
  return operations.reduce((state, operation) => within(state, stepsOf(operation.path), operation), before);
}

const stepsOf = (path: string): readonly string[] =>
  path === ""
    ? []
    : path
        .split("/")
        .slice(1)
        .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Copies what lies on the way to the place, and shares the rest. */
function within(state: unknown, [step, ...rest]: readonly string[], operation: Operation): unknown {
  if (step === undefined) return operation.op === "remove" ? undefined : operation.value;
  if (Array.isArray(state)) return inList(state, step, rest, operation);
  if (!isPlain(state)) throw unfit(operation);
  const isLast = rest.length === 0;
  if (!Object.hasOwn(state, step) && !(isLast && operation.op === "add")) throw unfit(operation);
  const copied: { [name: string]: unknown } = { ...state };
  if (isLast && operation.op === "remove") delete copied[step];
  else put(copied, step, within(own(state, step), rest, operation));
  return copied;
}

function inList(list: readonly unknown[], step: string, rest: readonly string[], operation: Operation): unknown {
  const adds = rest.length === 0 && operation.op === "add";
  const at = step === "-" && adds ? list.length : /^(0|[1-9]\d*)$/.test(step) ? Number(step) : -1;
  if (at < 0 || at > list.length || (at === list.length && !adds)) throw unfit(operation);
  if (rest.length > 0) return list.with(at, within(list[at], rest, operation));
  if (operation.op === "remove") return list.toSpliced(at, 1);
  return list.toSpliced(at, adds ? 0 : 1, operation.value);
}

const unfit = ({ op, path }: Operation): Error => new Error(`the patch does not fit: ${op} ${path}`);

/** Also under the one name that would otherwise be taken for the prototype. */
const put = (object: object, name: string, value: unknown) =>
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
