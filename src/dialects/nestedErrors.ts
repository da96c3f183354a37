import type { Path, Problem } from "../domain/model/refusals.ts";

/**
 * All that is wrong with one field of what was sent: a text, a list, or an object that follows the field's own form. Of
 * several problems the first says by which rule.
 */
export type NestedError = { readonly name: string; readonly description: unknown } & Pick<
  Problem,
  "rule" | "window" | "highestAllowed"
>;

const ROGUE_FIELD = "Rogue field";

/** One error per top-level field, in the order in which the fields first come up. */
export function nestedErrors(problems: readonly Problem[]): readonly NestedError[] {
  const ofShape = problems.filter(({ phase }) => phase === "shape");
  const reported = ofShape.length > 0 ? ofShape : withoutIdleRules(problems);
  return [...Map.groupBy(reported, ({ path }) => path[0])].flatMap(([name, inside]): NestedError[] =>
    name === undefined
      ? // The messages are those of these problems.
        messagesOf(inside).map((message) =>
          errorOf("data", message, inside.find((candidate) => candidate.message === message)!),
        )
      : [errorOf(String(name), describe(inside, 1), firstReported(inside, 1))],
  );
}

const errorOf = (name: string, description: unknown, { rule, window, highestAllowed }: Problem): NestedError => ({
  name,
  description,
  rule,
  ...(window && { window }),
  ...(highestAllowed && { highestAllowed }),
});

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
  return problems.filter((found) => found.phase !== "cross" || runs(found));
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
  const inner = groupByStep(problems, depth);
  if (inner.length === 0) return describeMessages(problems);
  if (!areItems(inner)) return Object.fromEntries(inner.map(([field, its]) => [field, describe(its, depth + 1)]));
  const items = inner.map(([, its]) => its);
  // Reading stops at the first item that is not an item, and the protocol then shows that item alone, outside any list.
  const [firstItem] = items;
  return firstItem?.[0]?.phase === "shape"
    ? describe(firstItem, depth + 1)
    : items.map((its) => describe(its, depth + 1));
}

type GroupedProblems = readonly (readonly [string | number, readonly Problem[]])[];

const areItems = (inner: GroupedProblems): boolean => inner.every(([step]) => typeof step === "number");

/** What is wrong one step further in, field by field or item by item. */
function groupByStep(problems: readonly Problem[], depth: number): GroupedProblems {
  const inner = [
    ...Map.groupBy(
      problems.filter(({ path }) => path.length > depth),
      // Only paths that are longer than `depth` were kept.
      ({ path }) => path[depth]!,
    ),
  ];
  return areItems(inner) ? inner.toSorted(([a], [b]) => Number(a) - Number(b)) : inner;
}

/** The problem that a description begins with. */
function firstReported(problems: readonly Problem[], depth: number): Problem {
  const [inner] = groupByStep(problems, depth);
  if (inner) return firstReported(inner[1], depth + 1);
  // Groups of problems are never empty.
  return problems.find(({ message }) => message === ROGUE_FIELD) ?? problems[0]!;
}

/** Of a field that does not exist there is nothing else to say, and the protocol says it without a list. */
function describeMessages(problems: readonly Problem[]): string | readonly string[] {
  const [plain] = problems.filter(({ isBareText: isPlain }) => isPlain);
  if (plain) return plain.message;
  const messages = messagesOf(problems);
  return messages.includes(ROGUE_FIELD) ? ROGUE_FIELD : messages;
}

const messagesOf = (problems: readonly Problem[]): readonly string[] => [
  ...new Set(problems.map(({ message }) => message)),
];
