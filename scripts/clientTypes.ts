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
export function clientTypesOf({ paths, components: { schemas } }: Description, rules: readonly string[]): string {
  const nameOf = namesOf(schemas);
  const typeOf = typesOf(nameOf);
  const reached = reachedFrom(paths, schemas, nameOf);
  const shapes = Object.entries(schemas).flatMap(([name, schema]) =>
    (["shown", "sent"] as const)
      .filter((way) => reached.has(nameOf(name, way)) && (way === "shown" || nameOf(name, way) !== name))
      .map((way) => shapeOf(nameOf(name, way), name, schema, way, typeOf)),
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

const operationsOf = (paths: Description["paths"], typeOf: TypeOf, body: Direction): readonly string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]).map((method) =>
      operationOf(`${method.toUpperCase()} ${path}`, methods[method] as Operation, typeOf, body),
    ),
  );

const SITE_HEAD = `// Made by scripts/api.ts from the schemas of docs/api/site.json: do not edit, run \`npm run api\`.
import type { Timestamp } from "./types.ts";
`;

/** The shapes of what is beside the versions, each as it stands: what is sent has shapes of its own there. */
export function siteTypesOf({ paths, components: { schemas } }: Description): string {
  const typeOf = typesOf((name) => name);
  const { Error: _same, ...shapes } = schemas;
  const types = Object.entries(shapes).map(
    ([name, schema]) => `/** ${spaced(name)}. */\nexport type ${name} = ${typeOf(schema, "shown", "")};\n`,
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

type NameOf = (name: string, way: Direction) => string;
type TypeOf = (schema: Schema, way: Direction, indent: string, required?: Requirements) => string;

/** Only shapes with fields of the registry's own or with required ones, in them or below them, have a second name. */
function namesOf(schemas: Description["components"]["schemas"]): NameOf {
  const differs = (name: string, above: readonly string[]): boolean =>
    !above.includes(name) &&
    ((schemas[name]?.required?.length ?? 0) > 0 ||
      REQUIRED[name] !== undefined ||
      Object.values(schemas[name]?.properties ?? {}).some(
        (field) => field.readOnly || refsIn(field).some((ref) => differs(ref, [...above, name])),
      ));
  return (name, way) => (way === "sent" && differs(name, []) ? `${name}Sent` : name);
}

const refName = (ref: string): string => ref.split("/").at(-1)!;

function refsIn(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, one]) => (name === "$ref" ? [refName(one)] : refsIn(one)));
}

/** The names of all types that some operation takes or answers, and of those inside them. */
function reachedFrom(paths: Description["paths"], schemas: Description["components"]["schemas"], nameOf: NameOf) {
  const operations = Object.values(paths).flatMap((methods) => METHODS.flatMap((method) => methods[method] ?? []));
  const waiting = (operations as Operation[]).flatMap(({ requestBody, responses }): [string, Direction][] => [
    ...refsIn(sentBy(requestBody)).map((name): [string, Direction] => [name, "sent"]),
    ...refsIn(answerOf(responses)).map((name): [string, Direction] => [name, "shown"]),
  ]);
  const reached = new Set<string>();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [name, way] = next;
    if (reached.has(nameOf(name, way)) || !schemas[name]) continue;
    reached.add(nameOf(name, way));
    for (const field of Object.values(schemas[name]!.properties ?? {}))
      if (way === "shown" || !field.readOnly)
        waiting.push(...refsIn(field).map((one): [string, Direction] => [one, way]));
  }
  return reached;
}

const ABOUT: { readonly [way in Direction]: string } = {
  shown: "as the registry shows it",
  sent: "as it is sent, without what belongs to the registry",
};

function shapeOf(named: string, name: string, schema: Schema, way: Direction, typeOf: TypeOf): string {
  const required = way === "sent" ? (REQUIRED[name] ?? {}) : {};
  const type = typeOf(schema, way, "", required) + alternativesOf(schema, required, typeOf);
  return `/** ${spaced(name)}, ${ABOUT[way]}. */\nexport type ${named} = ${type};\n`;
}

/** As `& ({ readonly value: ValueSent } | { readonly lotValues: ... })`, where one of several sets of fields is enough. */
function alternativesOf({ properties = {} }: Schema, { either }: Requirements, typeOf: TypeOf): string {
  if (!either) return "";
  const setOf = (names: readonly string[]) =>
    `{ ${names.map((name) => `readonly ${name}: ${typeOf(properties[name]!, "sent", "")}`).join("; ")} }`;
  const line = ` & (${either.map(setOf).join(" | ")})`;
  if (line.length + 2 <= LINE_MAX) return line;
  return ` & (\n${either.map((names) => `  | ${setOf(names)}`).join("\n")}\n)`;
}

const spaced = (name: string): string =>
  name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").replace(/ .*/, (rest) => rest.toLowerCase());

function typesOf(nameOf: NameOf): TypeOf {
  const typeOf: TypeOf = (schema, way, indent, needed = {}) => {
    const { $ref, type, format, enum: choices, items, properties, anyOf, oneOf = anyOf } = schema;
    const known = schema["x-extensible-enum"];
    if ($ref) return nameOf(refName($ref), way);
    if (oneOf) return oneOf.map((one) => typeOf(one, way, indent)).join(" | ");
    if ("const" in schema) return JSON.stringify(schema.const);
    if (choices) return choices.map((choice) => JSON.stringify(choice)).join(" | ");
    if (known)
      return [...known.map((one) => JSON.stringify(one)), ...(way === "shown" ? ["UnknownText"] : [])].join(" | ");
    if (type === "array") return listOf(typeOf(items ?? {}, way, indent));
    if (properties) return objectOf(schema, way, indent, typeOf, needed);
    if (schema.additionalProperties)
      return `{ readonly [name: string]: ${typeOf(schema.additionalProperties, way, indent)} }`;
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

const listOf = (one: string): string => `readonly ${/^\w+$/.test(one) || one.startsWith("{") ? one : `(${one})`}[]`;

function objectOf(schema: Schema, way: Direction, indent: string, typeOf: TypeOf, needed: Requirements): string {
  const { properties = {} } = schema;
  const required = way === "shown" ? schema.required : needed.always;
  const inner = `${indent}  `;
  const lines = Object.entries(properties)
    .filter(([, field]) => way === "shown" || !field.readOnly)
    .map(([name, field]) => {
      const about = field.description ? `${inner}/** ${field.description} */\n` : "";
      const must = required?.includes(name) ? "" : "?";
      const head = `${inner}readonly ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${must}:`;
      // Whoever sends may name a field that has no value, also where types tell the two apart: it is as if it were not named.
      const type = withRequired(typeOf(field, way, inner), needed.inside?.[name]);
      return about + fitted(head, must && !type.includes("\n") ? `${type} | undefined` : type, inner);
    });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

/** What needs more here than elsewhere; a list of such is a list still. */
function withRequired(type: string, names: readonly string[] | undefined): string {
  if (!names) return type;
  const [, list = "", shape = ""] = /^(readonly )?(\w+)(?:\[\])?$/.exec(type) ?? [];
  const one = `WithRequired<${shape}, ${names.map((name) => JSON.stringify(name)).join(" | ")}>`;
  return list ? `readonly ${one}[]` : one;
}

/** A union that is too long for its line has a line for each of its members. */
function fitted(head: string, type: string, indent: string): string {
  const line = `${head} ${type};`;
  if (line.length <= LINE_MAX || type.includes("{") || !type.includes(" | ")) return line;
  return `${head}\n${type
    .split(" | ")
    .map((one) => `${indent}  | ${one}`)
    .join("\n")};`;
}

const sentBy = (body: Operation["requestBody"]): Schema | undefined =>
  body?.content["application/json"]?.schema?.properties?.data;

const answerOf = (responses: Operation["responses"]): Schema | undefined =>
  Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1].content?.["application/json"]?.schema;

function operationOf(name: string, operation: Operation, typeOf: TypeOf, way: Direction): string {
  const { summary, requestBody, responses } = operation;
  const answer = answerOf(responses);
  const sent = sentBy(requestBody);
  const body = sent && typeOf(sent, way, "    ");
  const isMerged = way === "sent" && name.startsWith("PATCH");
  return [
    ...(summary ? [`  /** ${summary} */`] : []),
    `  readonly ${JSON.stringify(name)}: {`,
    ...(body ? [`    readonly body: ${isMerged ? `Patch<${body}>` : body};`] : []),
    `    readonly answer: ${answer ? typeOf(answer, "shown", "    ") : "unknown"};`,
    "  };",
  ].join("\n");
}
