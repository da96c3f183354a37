import { readFileSync } from "node:fs";

/**
 * The CPV, the common procurement vocabulary of the European Union, which ДК 021:2015 translates. A category is named by the digits
 * of its code without the zeros at the end, at least two: `336` for 33600000-6. Every category is a prefix of what belongs to it.
 */

type CpvTree = {
  readonly names: ReadonlyMap<string, string>;
  /** The categories right below each category, by their codes; those below "" are the divisions. */
  readonly children: ReadonlyMap<string, readonly string[]>;
};

/** The English name of a category; undefined if the CPV does not have it. */
export const cpvEnglishName = (category: string): string | undefined => cpvTree().names.get(category);

/** The categories right below a category, or the divisions without one. */
export const cpvChildren = (category = ""): readonly string[] => cpvTree().children.get(category) ?? [];

/** The categories above a category, the division first, without itself. */
export function cpvAncestors(category: string): readonly string[] {
  const ancestors: string[] = [];
  for (let above = parentOf(category); above !== ""; above = parentOf(above)) ancestors.unshift(above);
  return ancestors;
}

/** The nearest category above that exists: some levels are left out. */
function parentOf(category: string, { names }: Pick<CpvTree, "names"> = cpvTree()): string {
  for (let length = category.length - 1; length >= 2; length--)
    if (names.has(category.slice(0, length))) return category.slice(0, length);
  return "";
}

let loaded: CpvTree | undefined;

/** Reads the names when they are first needed: 300 kB that most processes never use. */
function cpvTree(): CpvTree {
  loaded ??= loadCpvTree();
  return loaded;
}

function loadCpvTree(): CpvTree {
  const lines = readFileSync(new URL("./cpvNamesEn.txt", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  const names = new Map(
    lines.map((line) => {
      const space = line.indexOf(" ");
      return [line.slice(0, space), line.slice(space + 1)] as const;
    }),
  );
  const children = new Map<string, string[]>();
  for (const category of names.keys()) {
    const parent = parentOf(category, { names });
    const siblings = children.get(parent);
    if (siblings) siblings.push(category);
    else children.set(parent, [category]);
  }
  return { names, children };
}
