import { readFileSync } from "node:fs";
import { cpvCategory } from "../../indexing/cpvCategory.ts";
import type { Language } from "../layout/languages.ts";
import { DIVISION_NAMES_UK } from "./divisionNamesUk.ts";

/**
 * The CPV, the common procurement vocabulary of the European Union, which ДК 021:2015 translates. A category is named by the digits
 * of its code without the zeros at the end, at least two: `336` for 33600000-6. Every category is a prefix of what belongs to it.
 */

/** A name with its language: categories below the divisions have English names only. */
export type CpvName = { readonly text: string; readonly language: Language };

type Cpv = {
  readonly names: ReadonlyMap<string, string>;
  /** The categories right below each category, by their codes; those below "" are the divisions. */
  readonly children: ReadonlyMap<string, readonly string[]>;
};

/** The name of a category or code in a language, or else in English; undefined if the CPV does not have it. */
export function cpvName(code: string, language: Language): CpvName | undefined {
  const category = cpvCategory(code);
  if (category === undefined) return undefined;
  const ukrainian = language === "uk" ? DIVISION_NAMES_UK[category] : undefined;
  if (ukrainian !== undefined) return { text: ukrainian, language: "uk" };
  const english = cpv().names.get(category);
  return english === undefined ? undefined : { text: english, language: "en" };
}

/** The categories right below a category, or the divisions without one. */
export const cpvChildren = (category = ""): readonly string[] => cpv().children.get(category) ?? [];

/** The categories above a category, the division first, without itself. */
export function cpvAncestors(category: string): readonly string[] {
  const ancestors: string[] = [];
  for (let above = parentOf(category); above !== ""; above = parentOf(above)) ancestors.unshift(above);
  return ancestors;
}

/** The nearest category above that exists: some levels are left out. */
function parentOf(category: string, { names }: Pick<Cpv, "names"> = cpv()): string {
  for (let length = category.length - 1; length >= 2; length--)
    if (names.has(category.slice(0, length))) return category.slice(0, length);
  return "";
}

let loaded: Cpv | undefined;

/** Reads the names when they are first needed: 300 kB that most processes never use. */
function cpv(): Cpv {
  loaded ??= loadCpv();
  return loaded;
}

function loadCpv(): Cpv {
  const lines = readFileSync(new URL("./namesEn.txt", import.meta.url), "utf8")
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
