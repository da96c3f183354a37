import type { Field, Shape, Shapes } from "../dialects/fields.ts";
import { objectSchema, schemaRef } from "./openapiBuilders.ts";

/** The shapes of a version as schemas. */

/** Shapes beside those the version speaks by itself: what it also understands, and what it says under an older path. */
export function withSuffix(shapes: Shapes, suffix: "Sent" | "Oldest"): Shapes {
  const renameField = ({ always, of, ...field }: Field): Field => ({
    ...field,
    ...(of && { of: `${of}${suffix}` }),
    ...(suffix === "Oldest" && { always }),
  });
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [
      `${name}${suffix}`,
      Object.fromEntries(Object.entries(shape).map(([field, spec]) => [field, renameField(spec)])),
    ]),
  );
}

const creationName = (shape: string): string => `New${shape}`;

/** Shapes that are sent with more when they are new than they can be changed by, as they are then. */
export const creationShapes = (shapes: Shapes): Shapes =>
  Object.fromEntries(
    Object.entries(shapes)
      .filter(([name]) => hasCreationShape(shapes, name))
      .map(([name, shape]) => [creationName(name), Object.fromEntries(Object.entries(shape).map(creationField))]),
  );

const hasCreationShape = (shapes: Shapes, name: string): boolean =>
  Object.values(shapes[name] ?? {}).some(({ newAs }) => newAs !== undefined);

const creationField = ([name, { newAs, readOnly, of, ...field }]: [string, Field]): [string, Field] =>
  newAs ? [name, { ...field, of: newAs }] : [name, { ...field, ...(of && { of }), ...(readOnly && { readOnly }) }];

/** The schema of what is sent to make or to change something of this shape. */
export const requestSchemaName = (shapes: Shapes, name: string, method: string): string =>
  method === "POST" && hasCreationShape(shapes, name) ? creationName(name) : name;

export const schemasOf = (shapes: Shapes) =>
  Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [name, objectSchema(propertiesOf(shape), alwaysPresentIn(shape))]),
  );

const alwaysPresentIn = (shape: Shape): readonly string[] =>
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
  const item = kind === "shape" ? schemaRef(of!) : { ...SCALARS[kind], ...scalar };
  return {
    ...(many ? { type: "array", items: item } : item),
    ...(readOnly && { readOnly: true }),
    ...(sandboxOnly && { description: "In the sandbox only" }),
  };
}

/** An entry is an id and when it changed, and with `opt_fields` any of the tender's public fields. */
export function feedPageSchema({ Tender, Entry }: Shapes): object {
  const entry = objectSchema({ ...propertiesOf(Tender!), ...propertiesOf(Entry!) }, alwaysPresentIn(Entry!));
  const page = objectSchema(
    { offset: { type: "string" }, path: { type: "string" }, uri: { type: "string", format: "uri" } },
    ["offset", "path", "uri"],
  );
  return objectSchema({ data: { type: "array", items: entry }, next_page: page, prev_page: page }, [
    "data",
    "next_page",
  ]);
}
