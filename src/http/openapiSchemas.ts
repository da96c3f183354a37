import type { Field, Shape, Shapes } from "../dialects/fields.ts";
import { object, ref } from "./openapiWords.ts";

/** The shapes of a version as schemas. */

/** Shapes beside those the version speaks by itself: what it also understands, and what it says under an older path. */
export function renamed(shapes: Shapes, suffix: "Sent" | "Oldest"): Shapes {
  const rename = ({ always, of, ...field }: Field): Field => ({
    ...field,
    ...(of && { of: `${of}${suffix}` }),
    ...(suffix === "Oldest" && { always }),
  });
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [
      `${name}${suffix}`,
      Object.fromEntries(Object.entries(shape).map(([field, spec]) => [field, rename(spec)])),
    ]),
  );
}

const newName = (shape: string): string => `New${shape}`;

/** Shapes that are sent with more when they are new than they can be changed by, as they are then. */
export const newShapes = (shapes: Shapes): Shapes =>
  Object.fromEntries(
    Object.entries(shapes)
      .filter(([name]) => isSentOtherwiseWhenNew(shapes, name))
      .map(([name, shape]) => [newName(name), Object.fromEntries(Object.entries(shape).map(asWhenNew))]),
  );

const isSentOtherwiseWhenNew = (shapes: Shapes, name: string): boolean =>
  Object.values(shapes[name] ?? {}).some(({ newAs }) => newAs !== undefined);

const asWhenNew = ([name, { newAs, readOnly, of, ...field }]: [string, Field]): [string, Field] =>
  newAs ? [name, { ...field, of: newAs }] : [name, { ...field, ...(of && { of }), ...(readOnly && { readOnly }) }];

/** The schema of what is sent to make or to change something of this shape. */
export const nameOfSent = (shapes: Shapes, name: string, method: string): string =>
  method === "POST" && isSentOtherwiseWhenNew(shapes, name) ? newName(name) : name;

export const schemasOf = (shapes: Shapes) =>
  Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [name, object(propertiesOf(shape), alwaysIn(shape))]),
  );

const alwaysIn = (shape: Shape): readonly string[] =>
  Object.entries(shape)
    .filter(([, { always }]) => always)
    .map(([name]) => name);

const propertiesOf = (shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, schemaOf(field)]));

const SCALARS: { readonly [kind in Exclude<Field["kind"], "shape">]: object } = {
  text: { type: "string" },
  id: { type: "string", pattern: "^[0-9a-f]{32}$" },
  flag: { type: "boolean" },
  amount: { type: "number" },
  number: { type: "number" },
  integer: { type: "integer" },
  instant: { type: "string", format: "date-time" },
  link: { type: "string", format: "uri" },
};

function schemaOf({ kind, of, many, choices, known, readOnly, sandboxOnly }: Field): object {
  const scalar = { ...(choices && { enum: choices }), ...(known && { "x-extensible-enum": known }) };
  const one = kind === "shape" ? ref(of!) : { ...SCALARS[kind], ...scalar };
  return {
    ...(many ? { type: "array", items: one } : one),
    ...(readOnly && { readOnly: true }),
    ...(sandboxOnly && { description: "In the sandbox only" }),
  };
}

/** An entry is an id and when it changed, and with `opt_fields` any of the tender's public fields. */
export function feedPage({ Tender, Entry }: Shapes): object {
  const entry = object({ ...propertiesOf(Tender!), ...propertiesOf(Entry!) }, alwaysIn(Entry!));
  const page = object(
    { offset: { type: "string" }, path: { type: "string" }, uri: { type: "string", format: "uri" } },
    ["offset", "path", "uri"],
  );
  return object({ data: { type: "array", items: entry }, next_page: page, prev_page: page }, ["data", "next_page"]);
}
