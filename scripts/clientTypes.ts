import { REQUIRED, type Requirements } from "./requiredFields.ts";

/** Writes the types of the client from an API description, so that the two cannot part. */

type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  /** Values that are known today; newer registries may know more. */
  readonly "x-extensible-enum"?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: Schema | false;
  readonly required?: readonly string[];
  readonly readOnly?: boolean;
  readonly description?: string;
};

type Content = { readonly [type: string]: { readonly schema?: Schema } };
type Operation = {
  readonly summary?: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly [status: string]: { readonly content?: Content } };
};

export type Description = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } };
  readonly components: { readonly schemas: { readonly [name: string]: Schema } };
};

const METHODS = ["get", "post", "put", "patch", "delete"];
const LINE_MAX = 120;

/** A shape differs by its direction: shown with all its fields, or sent without those that belong to the registry. */
type Direction = "shown" | "sent";

const HEAD = `// Made by scripts/api.ts from the schemas of docs/api/2.5.json: do not edit, run \`npm run api\`.

/** A moment in ISO 8601. The registry shows its own zone and microseconds, and understands any zone. */
export type Timestamp = string;

/** What a PATCH takes: objects merge by key, lists by position, \`null\` clears. */
export type Patch<Sent> = Sent extends readonly (infer One)[]
  ? readonly Patch<One>[]
  : Sent extends object
    ? { readonly [Name in keyof Sent]?: Patch<Sent[Name]> | null | undefined }
    : Sent;

/** A shape of which these fields must be there. */
export type WithRequired<Shape, Name extends keyof Shape> = Shape & {
  readonly [One in Name]-?: NonNullable<Shape[One]>;
};

/** A text that this client does not know yet. In a union with those that it knows, editors still offer these. */
export type UnknownText = string & Record<never, never>;
`;

/** `rules` are the ids of all rules that a request may break. */
export function renderClientTypes(description: Description, rules: readonly string[]): string {
  const {
    paths,
    components: { schemas },
  } = withoutRequestSchemas(description);
  const nameOf = typeNamer(schemas);
  const typeOf = typeRenderer(nameOf);
  const reached = reachedFrom(paths, schemas, nameOf);
  const shapes = Object.entries(schemas).flatMap(([name, schema]) =>
    (["shown", "sent"] as const)
      .filter(
        (direction) =>
          reached.has(nameOf(name, direction)) && (direction === "shown" || nameOf(name, direction) !== name),
      )
      .map((direction) => renderShape(nameOf(name, direction), name, schema, direction, typeOf)),
  );
  return [
    HEAD,
    `/** The rules that a refused request may have broken, as docs/errors.md lists them. */\nexport type ErrorRule =${rules
      .toSorted()
      .map((rule) => `\n  | ${JSON.stringify(rule)}`)
      .join("")};\n`,
    ...shapes,
    "/** Every operation of the API: what it takes and what it answers. */",
    "export type Operations = {",
    ...operationsOf(paths, typeOf, "sent"),
    "};\n",
  ].join("\n");
}

/**
 * Schemas of requests differ from those of responses only in what is required, and types say that better: which fields a new object
 * needs, no schema knows. So both become one schema again, from which the types of either direction are made.
 */
function withoutRequestSchemas(description: Description): Description {
  const { schemas } = description.components;
  const isPaired = (name: string) => name.endsWith("Sent") && schemas[name.slice(0, -4)] !== undefined;
  const text = JSON.stringify(description).replaceAll(/(?<=#\/components\/schemas\/)\w+/g, (name) =>
    isPaired(name) ? name.slice(0, -4) : name,
  );
  const { paths, components } = JSON.parse(text) as Description;
  const kept = Object.entries(components.schemas).filter(([name]) => !isPaired(name));
  return { paths, components: { schemas: Object.fromEntries(kept) } };
}

const operationsOf = (paths: Description["paths"], typeOf: TypeOf, body: Direction): readonly string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]).map((method) =>
      renderOperation(`${method.toUpperCase()} ${path}`, methods[method] as Operation, typeOf, body),
    ),
  );

const SITE_HEAD = `// Made by scripts/api.ts from the schemas of docs/api/site.json: do not edit, run \`npm run api\`.
import type { Timestamp } from "./types.ts";
`;

/** The shapes of what is beside the versions, each as it stands: what is sent has shapes of its own there. */
export function renderSiteTypes({ paths, components: { schemas } }: Description): string {
  const typeOf = typeRenderer((name) => name);
  const { Error: _same, ...shapes } = schemas;
  const types = Object.entries(shapes).map(
    ([name, schema]) => `${comment(schema.description!, "")}export type ${name} = ${typeOf(schema, "shown", "")};\n`,
  );
  return [
    SITE_HEAD,
    ...types,
    "/** Every operation beside the versions: what it takes and what it answers. */",
    "export type SiteOperations = {",
    ...operationsOf(paths, typeOf, "shown"),
    "};\n",
  ].join("\n");
}

type NameOf = (name: string, direction: Direction) => string;
type TypeOf = (schema: Schema, direction: Direction, indent: string, required?: Requirements) => string;

/** Only shapes with fields of the registry's own or with required ones, in them or below them, have a second name. */
function typeNamer(schemas: Description["components"]["schemas"]): NameOf {
  const differs = (name: string, above: readonly string[]): boolean =>
    !above.includes(name) &&
    ((schemas[name]?.required?.length ?? 0) > 0 ||
      REQUIRED[name] !== undefined ||
      Object.values(schemas[name]?.properties ?? {}).some(
        (field) => field.readOnly || refsIn(field).some((ref) => differs(ref, [...above, name])),
      ));
  return (name, direction) => (direction === "sent" && differs(name, []) ? `${name}Sent` : name);
}

const refName = (ref: string): string => ref.split("/").at(-1)!;

function refsIn(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => (name === "$ref" ? [refName(value)] : refsIn(value)));
}

/** The names of all types that some operation takes or answers, and of those inside them. */
function reachedFrom(paths: Description["paths"], schemas: Description["components"]["schemas"], nameOf: NameOf) {
  const operations = Object.values(paths).flatMap((methods) => METHODS.flatMap((method) => methods[method] ?? []));
  const queue = (operations as Operation[]).flatMap(({ requestBody, responses }): [string, Direction][] => [
    ...refsIn(requestSchema(requestBody)).map((name): [string, Direction] => [name, "sent"]),
    ...refsIn(responseSchema(responses)).map((name): [string, Direction] => [name, "shown"]),
  ]);
  const reached = new Set<string>();
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [name, direction] = next;
    if (reached.has(nameOf(name, direction)) || !schemas[name]) continue;
    reached.add(nameOf(name, direction));
    for (const field of Object.values(schemas[name]!.properties ?? {}))
      if (direction === "shown" || !field.readOnly)
        queue.push(...refsIn(field).map((ref): [string, Direction] => [ref, direction]));
  }
  return reached;
}

const DIRECTION_NOTES: { readonly [way in Direction]: string } = {
  shown: "As the registry shows it.",
  sent: "As it is sent, without what belongs to the registry.",
};

function renderShape(named: string, name: string, schema: Schema, direction: Direction, typeOf: TypeOf): string {
  const required = direction === "sent" ? (REQUIRED[name] ?? {}) : {};
  const type = typeOf(schema, direction, "", required) + renderAlternatives(schema, required, typeOf);
  return `${comment(`${schema.description} ${DIRECTION_NOTES[direction]}`, "")}export type ${named} = ${type};\n`;
}

/** As `& ({ readonly value: ValueSent } | { readonly lotValues: ... })`, where one of several sets of fields is enough. */
function renderAlternatives({ properties = {} }: Schema, { either }: Requirements, typeOf: TypeOf): string {
  if (!either) return "";
  const setOf = (names: readonly string[]) =>
    `{ ${names.map((name) => `readonly ${name}: ${typeOf(properties[name]!, "sent", "")}`).join("; ")} }`;
  const line = ` & (${either.map(setOf).join(" | ")})`;
  if (line.length + 2 <= LINE_MAX) return line;
  return ` & (\n${either.map((names) => `  | ${setOf(names)}`).join("\n")}\n)`;
}

/** A doc comment, in one line if it fits. */
function comment(text: string, indent: string): string {
  const line = `${indent}/** ${text} */`;
  if (line.length <= LINE_MAX) return `${line}\n`;
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (indent.length + longer.length + 2 <= LINE_MAX) lines[lines.length - 1] = longer;
    else lines.push(` ${word}`);
  }
  return `${indent}/**\n${lines.map((one) => `${indent} *${one}\n`).join("")}${indent} */\n`;
}

function typeRenderer(nameOf: NameOf): TypeOf {
  const typeOf: TypeOf = (schema, direction, indent, requirements = {}) => {
    const { $ref, type, format, enum: choices, items, properties, anyOf, oneOf = anyOf } = schema;
    const known = schema["x-extensible-enum"];
    if ($ref) return nameOf(refName($ref), direction);
    if (oneOf) return oneOf.map((value) => typeOf(value, direction, indent)).join(" | ");
    if ("const" in schema) return JSON.stringify(schema.const);
    if (choices) return choices.map((choice) => JSON.stringify(choice)).join(" | ");
    if (known)
      return [...known.map((value) => JSON.stringify(value)), ...(direction === "shown" ? ["UnknownText"] : [])].join(
        " | ",
      );
    if (type === "array") return renderList(typeOf(items ?? {}, direction, indent));
    if (properties) return renderObject(schema, direction, indent, typeOf, requirements);
    if (schema.additionalProperties)
      return `{ readonly [name: string]: ${typeOf(schema.additionalProperties, direction, indent)} }`;
    if (format === "date-time") return "Timestamp";
    return SCALARS[type ?? ""] ?? "unknown";
  };
  return typeOf;
}

const SCALARS: { readonly [type: string]: string } = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
  object: "{ readonly [name: string]: unknown }",
};

const renderList = (element: string): string =>
  `readonly ${/^\w+$/.test(element) || element.startsWith("{") ? element : `(${element})`}[]`;

function renderObject(
  schema: Schema,
  direction: Direction,
  indent: string,
  typeOf: TypeOf,
  requirements: Requirements,
): string {
  const { properties = {} } = schema;
  const required = direction === "shown" ? schema.required : requirements.always;
  const inner = `${indent}  `;
  const lines = Object.entries(properties)
    .filter(([, field]) => direction === "shown" || !field.readOnly)
    .map(([name, field]) => {
      const about = field.description ? comment(field.description, inner) : "";
      const must = required?.includes(name) ? "" : "?";
      const head = `${inner}readonly ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${must}:`;
      // Whoever sends may name a field that has no value, also where types tell the two apart: it is as if it were not named.
      const type = withRequired(typeOf(field, direction, inner), requirements.inside?.[name]);
      return about + fitLine(head, must && !type.includes("\n") ? `${type} | undefined` : type, inner);
    });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

/** What needs more here than elsewhere; a list of such is a list still. */
function withRequired(type: string, names: readonly string[] | undefined): string {
  if (!names) return type;
  const [, list = "", shape = ""] = /^(readonly )?(\w+)(?:\[\])?$/.exec(type) ?? [];
  const element = `WithRequired<${shape}, ${names.map((name) => JSON.stringify(name)).join(" | ")}>`;
  return list ? `readonly ${element}[]` : element;
}

/** A union that is too long for its line has a line for each of its members. */
function fitLine(head: string, type: string, indent: string): string {
  const line = `${head} ${type};`;
  if (line.length <= LINE_MAX || type.includes("{") || !type.includes(" | ")) return line;
  return `${head}\n${type
    .split(" | ")
    .map((member) => `${indent}  | ${member}`)
    .join("\n")};`;
}

const requestSchema = (body: Operation["requestBody"]): Schema | undefined =>
  body?.content["application/json"]?.schema?.properties?.data;

const responseSchema = (responses: Operation["responses"]): Schema | undefined =>
  Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1].content?.["application/json"]?.schema;

function renderOperation(name: string, operation: Operation, typeOf: TypeOf, direction: Direction): string {
  const { summary, requestBody, responses } = operation;
  const answer = responseSchema(responses);
  const schema = requestSchema(requestBody);
  const body = schema && typeOf(schema, direction, "    ");
  const isMerged = direction === "sent" && name.startsWith("PATCH");
  return [
    ...(summary ? [comment(summary, "  ").trimEnd()] : []),
    `  readonly ${JSON.stringify(name)}: {`,
    ...(body ? [`    readonly body: ${isMerged ? `Patch<${body}>` : body};`] : []),
    `    readonly answer: ${answer ? typeOf(answer, "shown", "    ") : "unknown"};`,
    "  };",
  ].join("\n");
}
