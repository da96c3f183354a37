import type { Release } from "../../src/ocds/merge.ts";
import { isOcdsList, isOcdsObject, type OcdsObject, type OcdsValue } from "../../src/ocds/ocdsValues.ts";

/**
 * Another implementation of merging, which shares no code with ours: it turns releases into pairs of a path and a value, lets later
 * pairs replace earlier ones, and builds the compiled release from what is left. Elements of lists are named by their ids.
 */

/** A step of a path: the name of a field, or the id of an element. */
type PathStep = { readonly name: string } | { readonly id: OcdsValue };

function flatten(
  value: OcdsObject,
  wholeLists: ReadonlySet<string>,
  steps: readonly PathStep[],
  names: string,
  pairs: (readonly [steps: readonly PathStep[], value: OcdsValue])[],
): void {
  for (const [name, inner] of Object.entries(value)) {
    const [path, at] = [names + name, [...steps, { name }]];
    const isListOfObjects =
      isOcdsList(inner) && inner.every((element) => isOcdsObject(element)) && !wholeLists.has(path);
    if (isOcdsObject(inner)) flatten(inner, wholeLists, at, `${path}/`, pairs);
    else if (isListOfObjects)
      for (const element of inner) flatten(element, wholeLists, [...at, { id: element.id ?? null }], `${path}/`, pairs);
    else pairs.push([at, inner]);
  }
}

/** Compiles releases that are in the order of their dates. `wholeLists` are the paths of lists that are replaced as a whole. */
export function flatCompile(releases: readonly Release[], wholeLists: ReadonlySet<string>): unknown {
  const values = new Map<string, readonly [steps: readonly PathStep[], value: OcdsValue]>();
  for (const { id: _id, date: _date, tag: _tag, ...rest } of releases) {
    const pairs: (readonly [steps: readonly PathStep[], value: OcdsValue])[] = [];
    flatten(rest, wholeLists, [], "", pairs);
    for (const pair of pairs) {
      const key = JSON.stringify(pair[0]);
      if (pair[1] === null) values.delete(key);
      else values.set(key, pair);
    }
  }
  const { ocid, date } = releases.at(-1) ?? { ocid: "", date: "" };
  const compiled: Tree = { tag: ["compiled"], id: `${ocid}-${date}`, date };
  for (const [steps, value] of values.values()) place(compiled, steps, value);
  return compiled;
}

type Tree = { [name: string]: unknown };

/** Puts a value at its path, and makes the objects and lists on the way. */
function place(root: Tree, steps: readonly PathStep[], value: OcdsValue): void {
  let holder = root;
  for (const [i, step] of steps.entries()) {
    if (!("name" in step)) continue;
    const next = steps[i + 1];
    if (next === undefined) holder[step.name] = value;
    else holder = "name" in next ? objectIn(holder, step.name) : elementIn(holder, step.name, next.id);
  }
}

function objectIn(holder: Tree, name: string): Tree {
  holder[name] ??= {};
  return holder[name] as Tree;
}

function elementIn(holder: Tree, name: string, id: OcdsValue): Tree {
  holder[name] ??= [];
  const list = holder[name] as Tree[];
  const found = list.find((element) => element.id === id);
  if (found) return found;
  const element = { id };
  list.push(element);
  return element;
}
