import type { Path } from "../domain/model/refusals.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import { type DescribedField, type DescribedShape, type DescribedShapes, pickFields, type Shapes } from "./fields.ts";

type PlainObject = { readonly [name: string]: unknown };

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
  readonly add?: DescribedShape;
  /** Documentation, by the field's older name, where what the newer version says of the field does not hold. */
  readonly documentation?: { readonly [field: string]: Partial<Pick<DescribedField, "description" | "example">> };
  /** What renaming cannot express. Must take values of which any part is missing. */
  readonly toOlder?: (newer: PlainObject) => PlainObject;
  /** `current`: what a patch will be merged into, in the newer form; nothing where something new is made. */
  readonly toNewer?: (older: PlainObject, current?: PlainObject) => PlainObject;
  /** Where `toOlder` puts things, for naming what is wrong: dotted newer path to dotted older path. */
  readonly paths?: { readonly [newer: string]: string };
};

/** One step back in time: why the versions differ, and how, shape by shape. */
export type VersionChange = {
  readonly why: string;
  readonly shapes: { readonly [shape: string]: ShapeChange };
  /** Shapes that only the older versions have. */
  readonly added?: { readonly [shape: string]: { readonly description: string; readonly fields: DescribedShape } };
  /** What is said of a shape, where it means something else in the older versions. */
  readonly descriptions?: ShapeDescriptions;
};

/** A sentence for each shape. */
export type ShapeDescriptions = { readonly [shape: string]: string };

export function olderShapes(newer: DescribedShapes, change: VersionChange): DescribedShapes {
  const changed = Object.entries(newer).map(([name, shape]) => [name, olderShape(shape, change, name)]);
  const added = Object.entries(change.added ?? {}).map(([name, { fields }]) => [name, fields]);
  return { ...Object.fromEntries(changed), ...Object.fromEntries(added) };
}

function olderShape(shape: DescribedShape, change: VersionChange, name: string): DescribedShape {
  const { keep, rename = {}, values = {}, add = {}, documentation = {} } = change.shapes[name] ?? {};
  const words = { ...rename, ...olderValues(change) };
  const fields = Object.entries(keep ? pickFields(shape, keep) : shape).map(([newerName, field]) => {
    const olderName = rename[newerName] ?? newerName;
    const { choices, example } = field;
    const olderValue = (value: string): string => values[newerName]?.[value] ?? value;
    const older: DescribedField = {
      ...field,
      ...(choices && { choices: choices.map(olderValue) }),
      ...(typeof example === "string" && { example: olderValue(example) }),
      description: withOlderNames(field.description, words),
      ...documentation[olderName],
    };
    return [olderName, older];
  });
  return { ...Object.fromEntries(fields), ...add };
}

/** Values that the older version has another word for, whichever field they are of. */
const olderValues = ({ shapes }: VersionChange): { readonly [newer: string]: string } =>
  Object.assign({}, ...Object.values(shapes).flatMap(({ values = {} }) => Object.values(values)));

/** Descriptions quote names and values as `dateModified`; the first part of a path is what may have another name. */
const withOlderNames = (description: string, words: { readonly [newer: string]: string }): string =>
  description.replace(/`([^`.]+)((?:\.[^`]+)?)`/g, (quoted, first: string, rest: string) => {
    const older = words[first + rest] ?? (Object.hasOwn(words, first) ? words[first] + rest : undefined);
    return older === undefined ? quoted : `\`${older}\``;
  });

export const olderDescriptions = (newer: ShapeDescriptions, change: VersionChange): ShapeDescriptions => ({
  ...newer,
  ...Object.fromEntries(Object.entries(change.added ?? {}).map(([name, { description }]) => [name, description])),
  ...change.descriptions,
});

/** Which shape stands where, over all versions: a field's name never means two shapes. */
export type ShapeLinks = { readonly [shape: string]: { readonly [field: string]: string } };

export function linksOf(versions: readonly Shapes[]): ShapeLinks {
  const links = new Map<string, { [field: string]: string }>();
  for (const [name, shape] of versions.flatMap((shapes) => Object.entries(shapes))) {
    const known = links.get(name) ?? {};
    for (const [field, { of }] of Object.entries(shape)) if (of) known[field] = of;
    links.set(name, known);
  }
  return Object.fromEntries(links);
}

export type VersionConverter = {
  readonly downgrade: (shape: string, newer: unknown) => unknown;
  readonly upgrade: (shape: string, older: unknown, current?: unknown) => unknown;
  readonly downgradePath: (shape: string, path: Path) => Path;
};

export function converterFor(change: VersionChange, links: ShapeLinks): VersionConverter {
  const touched = touchedShapes(change, links);
  const nested = new Map(
    Object.entries(links).map(([shape, fields]) => [shape, Object.entries(fields).filter(([, of]) => touched.has(of))]),
  );
  const back = new Map(
    Object.entries(change.shapes).map(([shape, shapeChange]) => [shape, reverseTranslator(shapeChange)]),
  );

  function convertNested(
    shape: string,
    value: PlainObject,
    convert: VersionConverter["upgrade"],
    current?: PlainObject,
  ): PlainObject {
    let result: { [name: string]: unknown } | undefined;
    for (const [field, of] of nested.get(shape) ?? []) {
      const inner = value[field];
      if (inner === undefined || inner === null) continue;
      const currentInner = current?.[field];
      result ??= { ...value };
      result[field] = Array.isArray(inner)
        ? inner.map((shapeChange, i) =>
            convert(of, shapeChange, Array.isArray(currentInner) ? currentInner[i] : undefined),
          )
        : convert(of, inner, currentInner);
    }
    return result ?? value;
  }

  const downgrade: VersionConverter["downgrade"] = (shape, value) => {
    if (!touched.has(shape) || !isPlainObject(value)) return value;
    const { rename, values, toOlder } = change.shapes[shape] ?? {};
    const renamed = translate(convertNested(shape, value, downgrade), rename, values);
    return toOlder ? toOlder(renamed) : renamed;
  };

  const upgrade: VersionConverter["upgrade"] = (shape, value, current) => {
    if (!touched.has(shape) || !isPlainObject(value)) return value;
    const currentInner = isPlainObject(current) ? current : undefined;
    const own = change.shapes[shape]?.toNewer?.(value, currentInner) ?? value;
    return convertNested(shape, back.get(shape)?.(own) ?? own, upgrade, currentInner);
  };

  return { downgrade, upgrade, downgradePath: (shape, path) => convertPath(change, links, shape, path) };
}

function touchedShapes(change: VersionChange, links: ShapeLinks): ReadonlySet<string> {
  const touched = new Set(Object.keys(change.shapes));
  for (let before = -1; before < touched.size; ) {
    before = touched.size;
    for (const [shape, fields] of Object.entries(links))
      if (Object.values(fields).some((of) => touched.has(of))) touched.add(shape);
  }
  return touched;
}

function translate(value: PlainObject, rename?: ShapeChange["rename"], values?: ShapeChange["values"]): PlainObject {
  if (!rename && !hasRenamedValue(value, values)) return value;
  const translated: { [name: string]: unknown } = {};
  for (const [name, inner] of Object.entries(value))
    translated[rename?.[name] ?? name] = typeof inner === "string" ? (values?.[name]?.[inner] ?? inner) : inner;
  return translated;
}

/** Most values have no other word in the older version, and most objects can stay as they are. */
function hasRenamedValue(value: PlainObject, values: ShapeChange["values"] = {}): boolean {
  for (const field in values) {
    const word = value[field];
    if (typeof word === "string" && values[field]?.[word] !== undefined) return true;
  }
  return false;
}

/** The way back, with the tables turned round once. */
function reverseTranslator({ rename, values }: ShapeChange): ((value: PlainObject) => PlainObject) | undefined {
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

function convertPath(change: VersionChange, links: ShapeLinks, shape: string, path: Path): Path {
  const [field, ...rest] = path;
  if (typeof field !== "string") return path;
  const { rename = {}, paths = {} } = change.shapes[shape] ?? {};
  const dotted = path.join(".");
  const moved = Object.entries(paths).find(([from]) => dotted === from || dotted.startsWith(from + "."));
  if (moved) {
    const [from, to] = moved;
    return [...to.split("."), ...path.slice(from.split(".").length)];
  }
  const of = links[shape]?.[field];
  const index = typeof rest[0] === "number" ? [rest[0]] : [];
  const inner = of ? convertPath(change, links, of, rest.slice(index.length)) : rest.slice(index.length);
  return [rename[field] ?? field, ...index, ...inner];
}
