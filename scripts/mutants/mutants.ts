import { globSync, readFileSync } from "node:fs";
import { findMutations, type Mutation } from "./operators.ts";

/** A mutation with its place; row and column count from 1. */
export type Mutant = Mutation & {
  readonly file: string;
  readonly row: number;
  readonly column: number;
  readonly line: string;
};

/** Every mutation of the domain whose path contains `part`, in an order that the seed alone decides. */
export function pickMutants(seed: number, part = ""): readonly Mutant[] {
  const files = globSync("src/domain/**/*.ts").filter((file) => !/\.(test|contract)\.ts$/.test(file));
  const mutants = files
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.includes(part))
    .toSorted()
    .flatMap(mutantsOf);
  return shuffled(mutants, randomFrom(seed));
}

function mutantsOf(file: string): readonly Mutant[] {
  const source = readFileSync(file, "utf8");
  return mutantsIn(file, source);
}

/**
 * The mutants of a source. A line after a comment that begins with `Same either way:` has none: the comment says why a change of its
 * operators makes no difference that a test could see, such as the size of a cache.
 */
export function mutantsIn(file: string, source: string): readonly Mutant[] {
  const lines = source.split("\n");
  return findMutations(source).flatMap((mutation): readonly Mutant[] => {
    const before = source.slice(0, mutation.offset).split("\n");
    const row = before.length;
    if (/^\s*\/\/ Same either way: ./.test(lines[row - 2] ?? "")) return [];
    return [{ ...mutation, file, row, column: before.at(-1)!.length + 1, line: lines[row - 1]!.trim() }];
  });
}

/** Fisher-Yates. */
function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
