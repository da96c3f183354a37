import { required } from "../base/required.ts";
import type { Dialect } from "../dialects/dialects.ts";
import {
  type DescribedField,
  type DescribedShape,
  type DescribedShapes,
  type Field,
  shapeNamed,
} from "../dialects/fields.ts";
import { exampleOf } from "../dialects/shapeExamples.ts";
import { EXAMPLE_ORIGIN, objectSchema, schemaRef } from "./openapiBuilders.ts";

/** The shapes of a version as schemas. */

/** Shapes beside those the version speaks by itself: what it also understands, and what it says under an older path. */
export function withSuffix(shapes: DescribedShapes, suffix: "Sent" | "Oldest"): DescribedShapes {
  const renameField = (field: DescribedField): DescribedField => {
    const renamed = field.kind === "shape" ? { ...field, of: `${field.of}${suffix}` } : field;
    return suffix === "Oldest" ? renamed : withoutAlways(renamed);
  };
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [
      `${name}${suffix}`,
      Object.fromEntries(Object.entries(shape).map(([field, spec]) => [field, renameField(spec)])),
    ]),
  );
}

const isLiberal = ({ shapes, inputShapes: sentShapes }: Dialect): boolean => sentShapes !== shapes;

/**
 * The shapes of request bodies. What every response has, a request need not have; so a shape with such fields has a second
 * schema without that requirement. A version that understands more than it shows has a second schema for every shape.
 */
export function requestShapes(dialect: Dialect): DescribedShapes {
  const { shapes, inputShapes: sentShapes } = dialect;
  if (isLiberal(dialect)) return withSuffix(sentShapes, "Sent");
  const all = Object.entries(shapes);
  const sent = all
    .filter(([, shape]) => alwaysPresentIn(shape).length > 0)
    .map(([name, shape]) => [`${name}Sent`, shape] as const);
  const made = all
    .filter(([name]) => hasCreationShape(shapes, name))
    .map(([name, shape]) => [creationName(name), mapped(shape, creationField)] as const);
  const requests = [...sent, ...made, ["Registration", shapeNamed(shapes, "Registration")] as const];
  return Object.fromEntries(requests.map(([name, shape]) => [name, mapped(shape, withoutAlways)]));
}

const mapped = (shape: DescribedShape, change: (field: DescribedField) => DescribedField): DescribedShape =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, change(field)]));

const withoutAlways = ({ always: _shown, ...field }: DescribedField): DescribedField => field;

/** Of what comes with a new object, as it is sent then. */
function creationField(field: DescribedField): DescribedField {
  if (field.kind !== "shape" || !field.newAs) return field;
  const { newAs, readOnly: _ignoredLater, ...rest } = field;
  return { ...rest, of: newAs };
}

const creationName = (shape: string): string => `New${shape}`;

const hasCreationShape = (shapes: DescribedShapes, name: string): boolean =>
  Object.values(shapes[name] ?? {}).some(({ newAs }) => newAs !== undefined);

/** The schema of what is sent to make or to change something of this shape. */
export function requestSchemaName(dialect: Dialect, name: string, method: string): string {
  const { shapes } = dialect;
  if (isLiberal(dialect)) return `${name}Sent`;
  if (method === "POST" && hasCreationShape(shapes, name)) return creationName(name);
  return alwaysPresentIn(shapeNamed(shapes, name)).length > 0 ? `${name}Sent` : name;
}

/** What each schema is: those of requests and of older paths are the same things in another form. */
export function descriptionOf(name: string, descriptions: { readonly [shape: string]: string }): string {
  if (descriptions[name]) return descriptions[name];
  const [, made, base = name, suffix] = /^(New)?(.+?)(Sent|Oldest)?$/.exec(name) ?? [];
  const description = required(descriptions[base], `the description of ${base}`);
  if (made) return `${description} As it is sent when it is new.`;
  return suffix === "Sent"
    ? `${description} As it is sent: read-only fields are ignored, so that what was read may be sent back.`
    : `${description} As the oldest version shows it.`;
}

export type SchemaSettings = {
  readonly shapes: DescribedShapes;
  readonly descriptions: { readonly [shape: string]: string };
  /** The version that links in examples lead to. */
  readonly segment: string;
};

export function schemasOf(names: ReadonlySet<string>, settings: SchemaSettings) {
  const { shapes, descriptions } = settings;
  return Object.fromEntries(
    Object.entries(shapes)
      .filter(([name]) => names.has(name))
      .map(([name, shape]) => [
        name,
        {
          description: descriptionOf(name, descriptions),
          ...objectSchema(propertiesOf(shape, settings), alwaysPresentIn(shape)),
        },
      ]),
  );
}

const alwaysPresentIn = (shape: DescribedShape): readonly string[] =>
  Object.entries(shape)
    .filter(([, { always }]) => always)
    .map(([name]) => name);

const propertiesOf = (shape: DescribedShape, settings: SchemaSettings) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, schemaOf(field, settings)]));

const SCALARS: { readonly [kind in Exclude<Field["kind"], "shape">]: object } = {
  text: { type: "string" },
  id: { type: "string", pattern: "^[0-9a-f]{32}$" },
  flag: { type: "boolean" },
  amount: { type: "number" },
  number: { type: "number" },
  integer: { type: "integer" },
  instant: { type: "string", format: "date-time" },
  link: { type: "string", format: "uri" },
  address: { type: "string" },
  json: {},
};

function schemaOf(field: DescribedField, { shapes, segment }: SchemaSettings): object {
  const { many, choices, known, readOnly, description } = field;
  const scalar = { ...(choices && { enum: choices }), ...(known && { "x-extensible-enum": known }) };
  const item = field.kind === "shape" ? schemaRef(field.of) : { ...SCALARS[field.kind], ...scalar };
  return {
    ...(many ? { type: "array", items: item } : item),
    ...(readOnly && { readOnly: true }),
    description,
    examples: [exampleOf(field, shapes, `${EXAMPLE_ORIGIN}/api/${segment}`)],
  };
}

/** An entry is an id and when it changed, and with `opt_fields` any of the tender's public fields. */
export function entrySchema(settings: SchemaSettings): object {
  const tenderShape = shapeNamed(settings.shapes, "Tender");
  const entryShape = shapeNamed(settings.shapes, "Entry");
  return objectSchema(
    { ...propertiesOf(tenderShape, settings), ...propertiesOf(entryShape, settings) },
    alwaysPresentIn(entryShape),
  );
}

/** A page of the feed. */
export function feedPageSchema(settings: SchemaSettings, offset: string): object {
  const path = `/api/${settings.segment}/tenders`;
  return {
    description: "A page of the feed.",
    ...objectSchema(
      {
        data: {
          type: "array",
          items: entrySchema(settings),
          description: "Tenders in the order of their last change, oldest first, or newest first with `descending`.",
          examples: [[exampleEntry(settings)]],
        },
        next_page: pageLink("Where to go on. On the last page it leads to what will change next.", path, offset),
        prev_page: pageLink(
          "The same way back: the page before, in the opposite order. Shown if `offset` or `descending` was given.",
          path,
          offset,
        ),
      },
      ["data", "next_page"],
    ),
  };
}

/** What an entry looks like without further fields. */
export const exampleEntry = ({ shapes, segment }: SchemaSettings): unknown =>
  Object.fromEntries(
    Object.entries(shapeNamed(shapes, "Entry")).map(([name, field]) => [name, exampleOf(field, shapes, segment)]),
  );

/** A link to another page of a list. */
export function pageLink(description: string, path: string, offset: string): object {
  const link = `${path}?offset=${encodeURIComponent(offset)}`;
  return {
    ...objectSchema(
      {
        offset: {
          type: "string",
          description: "Value of the parameter `offset` that leads there.",
          examples: [offset],
        },
        path: { type: "string", description: "Path and query of that page, with the same filters.", examples: [link] },
        uri: {
          type: "string",
          format: "uri",
          description: "Absolute address of that page.",
          examples: [`${EXAMPLE_ORIGIN}${link}`],
        },
      },
      ["offset", "path", "uri"],
    ),
    description,
    examples: [{ offset, path: link, uri: `${EXAMPLE_ORIGIN}${link}` }],
  };
}
