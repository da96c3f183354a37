import type { Path, Problem } from "../domain/refusals.ts";

/** All that is wrong with one field of what was sent: a text, a list, or an object that follows the field's own form. */
export type NestedError = { readonly name: string; readonly description: unknown };

const ROGUE = "Rogue field";

/** One error per top-level field, in the order in which the fields first come up. */
export function nestedErrors(problems: readonly Problem[]): readonly NestedError[] {
  const ofShape = problems.filter(({ phase }) => phase === "shape");
  const told = ofShape.length > 0 ? ofShape : withoutIdleRules(problems);
  return [...Map.groupBy(told, ({ path }) => path[0])].flatMap(([name, inside]): NestedError[] =>
    name === undefined
      ? messagesOf(inside).map((description) => ({ name: "data", description }))
      : [{ name: String(name), description: describe(inside, 1) }],
  );
}

/** The rules between the fields of an object run only when everything on it and inside it is right, inner rules included. */
function withoutIdleRules(problems: readonly Problem[]): readonly Problem[] {
  const broken = new Set<string>();
  const holders = new Set<string>();
  for (const { path, phase } of problems) {
    if (phase === "field" && path.length > 0) broken.add(keyOf(path));
    // The object that has the rule does not count: its rules are told together.
    const around = phase === "field" ? startsOf(path) : startsOf(ownerOf(path)).slice(0, -1);
    for (const holder of around) holders.add(holder);
  }
  const runs = ({ path }: Problem) =>
    !holders.has(keyOf(ownerOf(path))) && !startsOf(path).some((start) => broken.has(start));
  return problems.filter((one) => one.phase !== "cross" || runs(one));
}

const keyOf = (path: Path): string => JSON.stringify(path);

const startsOf = (path: Path): readonly string[] =>
  Array.from({ length: path.length + 1 }, (_, length) => keyOf(path.slice(0, length)));

/** The object whose rule it is: the one that has the field. A place in a list is still that field. */
function ownerOf(path: Path): Path {
  const field = path.findLastIndex((step) => typeof step === "string");
  return path.slice(0, Math.max(0, field));
}

/** `depth` is how much of the paths has been told already. What is wrong inside says more than what is said of the whole. */
function describe(problems: readonly Problem[], depth: number): unknown {
  const inner = problems.filter(({ path }) => path.length > depth);
  if (inner.length === 0) return told(problems);
  const inside = Map.groupBy(inner, ({ path }) => path[depth]!);
  if (![...inside.keys()].every((step) => typeof step === "number"))
    return Object.fromEntries([...inside].map(([field, its]) => [field, describe(its, depth + 1)]));
  const items = [...inside].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, its]) => its);
  // Reading stops at the first item that is not an item, and the protocol then shows that item alone, outside any list.
  return inner[0]!.phase === "shape" ? describe(items[0]!, depth + 1) : items.map((its) => describe(its, depth + 1));
}

/** Of a field that does not exist there is nothing else to say, and the protocol says it without a list. */
function told(problems: readonly Problem[]): string | readonly string[] {
  const messages = messagesOf(problems);
  return messages.includes(ROGUE) ? ROGUE : messages;
}

const messagesOf = (problems: readonly Problem[]): readonly string[] => [
  ...new Set(problems.map(({ message }) => message)),
];
