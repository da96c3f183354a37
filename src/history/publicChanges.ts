import { hasOwnKey } from "../base/typeGuards.ts";
import type { Dialect } from "../dialects/dialects.ts";
import { type Field, type Shapes, shapeNamed } from "../dialects/fields.ts";
import { NEWEST, type ShapeName } from "../dialects/newestShapes.ts";
import { isPlainObject, isSameJson } from "../domain/values/merge.ts";

/** What is different between two public views of a tender, field by field in the shapes of the API. */

/** Where a change is: names of fields, and the keys of list elements. */
export type ChangePath = readonly string[];

/**
 * A difference between two views. A value that is absent in one of them was added or removed. An object that is in one view only is one
 * change; of an object that is in both, each field is.
 */
export type PublicChange = {
  readonly path: ChangePath;
  readonly before?: unknown;
  readonly after?: unknown;
  /** How the values are written: the shape and the field that they stand in, or the shape of a list element. */
  readonly format: ChangeFormat;
};

export type ChangeFormat =
  | { readonly shape: string; readonly field: string; readonly kind: Field["kind"] }
  | { readonly element: string };

type PlainObject = { readonly [name: string]: unknown };

/** Every version has another one, which is its date. */
const NOT_COMPARED: ChangePath = ["dateModified"];

/** A comparison: what was found so far, and the shapes whose objects are one value, such as money. */
type Comparison = { readonly changes: PublicChange[]; readonly wholeShapes: ReadonlySet<string> };

const NO_SHAPES: ReadonlySet<string> = new Set();

/**
 * The differences between two views of a tender, in the order of the API's fields. Without `before` there are none. Objects of
 * `wholeShapes` are not taken apart: if anything in one of them is different, it is one change.
 */
export function changesBetween(
  before: object | undefined,
  after: object,
  wholeShapes: ReadonlySet<string> = NO_SHAPES,
): readonly PublicChange[] {
  if (!before) return [];
  const comparison: Comparison = { changes: [], wholeShapes };
  compareObjects("Tender", { ...before }, { ...after }, [], comparison);
  return comparison.changes.filter(({ path }) => path.join() !== NOT_COMPARED.join());
}

function compareObjects(
  shape: string,
  before: PlainObject,
  after: PlainObject,
  path: ChangePath,
  comparison: Comparison,
): void {
  const shapes: Shapes = NEWEST;
  for (const [name, field] of Object.entries(shapeNamed(shapes, shape)))
    compareFields(shape, name, field, [before[name], after[name]], [...path, name], comparison);
}

function compareFields(
  shape: string,
  name: string,
  field: Field,
  [before, after]: readonly [unknown, unknown],
  path: ChangePath,
  comparison: Comparison,
): void {
  if (before === after) return;
  const { changes, wholeShapes } = comparison;
  const report = () => changes.push(changeOf(path, before, after, { shape, field: name, kind: field.kind }));
  if (field.kind !== "shape") {
    if ((before ?? undefined) !== (after ?? undefined)) report();
  } else if (field.many) {
    const isNew = !before && field.evenEmpty && Array.isArray(after) && after.length === 0;
    if (isNew || !compareLists(field.of, listIn(before), listIn(after), path, comparison)) report();
  } else if (!isPlainObject(before) || !isPlainObject(after)) {
    if (hasContent(before) || hasContent(after)) report();
  } else if (!wholeShapes.has(field.of)) compareObjects(field.of, before, after, path, comparison);
  else if (!isSameJson(before, after)) report();
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether a response shows the value: objects without content are left out. */
const hasContent = (value: unknown): boolean =>
  isPlainObject(value)
    ? Object.values(value).some(hasContent)
    : Array.isArray(value)
      ? value.length > 0
      : value !== undefined && value !== null;

const changeOf = (path: ChangePath, before: unknown, after: unknown, format: ChangeFormat): PublicChange => ({
  path,
  ...(hasValue(before) && { before }),
  ...(hasValue(after) && { after }),
  format,
});

const hasValue = (value: unknown): boolean => value !== undefined && value !== null;

/** Compares lists element by element, by their keys. Returns false, with nothing reported, if elements changed places. */
function compareLists(
  element: string,
  before: readonly unknown[],
  after: readonly unknown[],
  path: ChangePath,
  comparison: Comparison,
): boolean {
  const { changes, wholeShapes } = comparison;
  const [known, present] = [byKey(before), byKey(after)];
  const inBoth = [...known.keys()].filter((key) => present.has(key));
  const inBothNow = [...present.keys()].filter((key) => known.has(key));
  if (inBoth.some((key, i) => key !== inBothNow[i])) return false;
  for (const [key, value] of known)
    if (!present.has(key)) changes.push(changeOf([...path, key], value, undefined, { element }));
  for (const [key, value] of present) {
    const old = known.get(key);
    if (old === value) continue;
    if (isPlainObject(old) && isPlainObject(value) && !wholeShapes.has(element))
      compareObjects(element, old, value, [...path, key], comparison);
    else if (!isSameJson(old, value)) changes.push(changeOf([...path, key], old, value, { element }));
  }
  return true;
}

/** What elements are recognised by, if they have it; others by their position. */
const KEYS = ["id", "code", "relatedLot"] as const;

/**
 * The elements of a list by their keys, in order. The versions of a document have the same id: the second has the key `ID.2`, the next
 * `ID.3` and so on.
 */
function byKey(list: readonly unknown[]): ReadonlyMap<string, unknown> {
  const elements = new Map<string, unknown>();
  const counts = new Map<string, number>();
  for (const [position, element] of list.entries()) {
    const key = keyOf(element) ?? String(position);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const unique = count === 1 ? key : `${key}.${count}`;
    elements.set(elements.has(unique) ? `${unique}.${position}` : unique, element);
  }
  return elements;
}

/** What is at a path in a view; undefined if there is nothing. */
export function valueAt(view: object, path: ChangePath): unknown {
  return path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return byKey(value).get(step);
    return isPlainObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, view);
}

function keyOf(element: unknown): string | undefined {
  if (!isPlainObject(element)) return undefined;
  const key = KEYS.map((name) => element[name]).find((value) => typeof value === "string" && value !== "");
  return key === undefined ? undefined : String(key);
}

/** The path as a JSON Pointer (RFC 6901) in which list elements are named by their keys. */
export const pointerOf = (path: ChangePath): string =>
  path.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The JSON of one value of a change as the dialect writes it; undefined if it is absent. */
export function changedJson(
  { write }: Pick<Dialect, "write">,
  format: ChangeFormat,
  value: unknown,
  root: string,
): string | undefined {
  if (!hasValue(value)) return undefined;
  if ("element" in format) return write(shapeName(format.element), value, root);
  const { shape, field } = format;
  const object = write(shapeName(shape), { [field]: value }, root);
  const start = `{${JSON.stringify(field)}:`;
  return object.startsWith(start) ? object.slice(start.length, -1) : undefined;
}

function shapeName(name: string): ShapeName {
  if (!hasOwnKey(NEWEST, name)) throw new Error(`there is no shape ${name}`);
  return name;
}
