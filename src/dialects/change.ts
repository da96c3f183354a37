import { isPlain } from "../domain/merge.ts";
import type { Path } from "../domain/refusals.ts";
import { only, type Shape, type Shapes } from "./fields.ts";

type Plain = { readonly [name: string]: unknown };

/** How one shape differs from the next newer version's. Whatever is not said stays. */
export type ShapeChange = {
  /** Of the newer fields, only these are known. */
  readonly keep?: readonly string[];
  /** Newer name to older name. */
  readonly rename?: { readonly [newer: string]: string };
  /** An older field that stands for these newer ones: whoever sends both says one thing twice. */
  readonly standsFor?: { readonly [older: string]: readonly string[] };
  /** Field (by its newer name), newer value, older value. */
  readonly values?: { readonly [field: string]: { readonly [newer: string]: string } };
  /** Fields that the older version has, or has otherwise. */
  readonly add?: Shape;
  /** What renaming cannot express. Must take values of which any part is missing. */
  readonly toOlder?: (newer: Plain) => Plain;
  /** `current`: what a patch will be merged into, in the newer form; nothing where something new is made. */
  readonly toNewer?: (older: Plain, current?: Plain) => Plain;
  /** Where `toOlder` puts things, for naming what is wrong: dotted newer path to dotted older path. */
  readonly paths?: { readonly [newer: string]: string };
};

/** One step back in time: why the versions differ, and how, shape by shape. */
export type Change = {
  readonly why: string;
  readonly shapes: { readonly [shape: string]: ShapeChange };
  /** Shapes that only the older versions have. */
  readonly added?: Shapes;
};

export function olderShapes(newer: Shapes, change: Change): Shapes {
  const changed = Object.entries(newer).map(([name, shape]) => {
    const { keep, rename = {}, values = {}, add = {} } = change.shapes[name] ?? {};
    const kept = keep ? only(shape, keep) : shape;
    const fields = Object.entries(kept).map(([field, spec]) => {
      const words = values[field];
      const choices = words && spec.choices?.map((choice) => words[choice] ?? choice);
      return [rename[field] ?? field, choices ? { ...spec, choices } : spec];
    });
    return [name, { ...Object.fromEntries(fields), ...add }];
  });
  return { ...Object.fromEntries(changed), ...change.added };
}

/** Which shape stands where, over all versions: a field's name never means two shapes. */
export type Links = { readonly [shape: string]: { readonly [field: string]: string } };

export function linksOf(versions: readonly Shapes[]): Links {
  const links = new Map<string, { [field: string]: string }>();
  for (const [name, shape] of versions.flatMap((shapes) => Object.entries(shapes))) {
    const known = links.get(name) ?? {};
    for (const [field, { of }] of Object.entries(shape)) if (of) known[field] = of;
    links.set(name, known);
  }
  return Object.fromEntries(links);
}

export type Step = {
  readonly older: (shape: string, newer: unknown) => unknown;
  readonly newer: (shape: string, older: unknown, current?: unknown) => unknown;
  readonly olderPath: (shape: string, path: Path) => Path;
};

export function stepOf(change: Change, links: Links): Step {
  const touched = touchedShapes(change, links);
  const nested = new Map(
    Object.entries(links).map(([shape, fields]) => [shape, Object.entries(fields).filter(([, of]) => touched.has(of))]),
  );
  const back = new Map(Object.entries(change.shapes).map(([shape, one]) => [shape, translatorBack(one)]));

  function within(shape: string, value: Plain, convert: Step["newer"], current?: Plain): Plain {
    let result: { [name: string]: unknown } | undefined;
    for (const [field, of] of nested.get(shape) ?? []) {
      const inner = value[field];
      if (inner === undefined || inner === null) continue;
      const beside = current?.[field];
      result ??= { ...value };
      result[field] = Array.isArray(inner)
        ? inner.map((one, i) => convert(of, one, Array.isArray(beside) ? beside[i] : undefined))
        : convert(of, inner, beside);
    }
    return result ?? value;
  }

  const older: Step["older"] = (shape, value) => {
    if (!touched.has(shape) || !isPlain(value)) return value;
    const { rename, values, toOlder } = change.shapes[shape] ?? {};
    const renamed = translate(within(shape, value, older), rename, values);
    return toOlder ? toOlder(renamed) : renamed;
  };

  const newer: Step["newer"] = (shape, value, current) => {
    if (!touched.has(shape) || !isPlain(value)) return value;
    const beside = isPlain(current) ? current : undefined;
    const own = change.shapes[shape]?.toNewer?.(value, beside) ?? value;
    return within(shape, back.get(shape)?.(own) ?? own, newer, beside);
  };

  return { older, newer, olderPath: (shape, path) => olderPath(change, links, shape, path) };
}

function touchedShapes(change: Change, links: Links): ReadonlySet<string> {
  const touched = new Set(Object.keys(change.shapes));
  for (let before = -1; before < touched.size; ) {
    before = touched.size;
    for (const [shape, fields] of Object.entries(links))
      if (Object.values(fields).some((of) => touched.has(of))) touched.add(shape);
  }
  return touched;
}

function translate(value: Plain, rename?: ShapeChange["rename"], values?: ShapeChange["values"]): Plain {
  if (!rename && !says(value, values)) return value;
  const translated: { [name: string]: unknown } = {};
  for (const [name, inner] of Object.entries(value))
    translated[rename?.[name] ?? name] = typeof inner === "string" ? (values?.[name]?.[inner] ?? inner) : inner;
  return translated;
}

/** Most values have no other word in the older version, and most objects can stay as they are. */
function says(value: Plain, values: ShapeChange["values"] = {}): boolean {
  for (const field in values) if (values[field]![value[field] as string] !== undefined) return true;
  return false;
}

/** The way back, with the tables turned round once. */
function translatorBack({ rename, values }: ShapeChange): ((value: Plain) => Plain) | undefined {
  if (!rename && !values) return undefined;
  const olderNames = reversed(rename ?? {});
  const olderValues = Object.fromEntries(
    Object.entries(values ?? {}).map(([field, words]) => [field, reversed(words)]),
  );
  return (value) => {
    const translated: { [name: string]: unknown } = {};
    for (const [name, inner] of Object.entries(value)) {
      const field = olderNames[name] ?? name;
      translated[field] = typeof inner === "string" ? (olderValues[field]?.[inner] ?? inner) : inner;
    }
    return translated;
  };
}

const reversed = (table: { readonly [key: string]: string }): { readonly [key: string]: string } =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [value, key]));

function olderPath(change: Change, links: Links, shape: string, path: Path): Path {
  const [field, ...rest] = path;
  if (typeof field !== "string") return path;
  const { rename = {}, paths = {} } = change.shapes[shape] ?? {};
  const dotted = path.join(".");
  const moved = Object.keys(paths).find((from) => dotted === from || dotted.startsWith(from + "."));
  if (moved) return [...paths[moved]!.split("."), ...path.slice(moved.split(".").length)];
  const of = links[shape]?.[field];
  const index = typeof rest[0] === "number" ? [rest[0]] : [];
  const inner = of ? olderPath(change, links, of, rest.slice(index.length)) : rest.slice(index.length);
  return [rename[field] ?? field, ...index, ...inner];
}
