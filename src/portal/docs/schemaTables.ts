import { EMPTY_MARKUP, html, type Markup, withBreakPoints } from "../markup.ts";
import { renderInline } from "./markdown.ts";
import { refName, type SchemaObject, type Schemas, schemaExample, schemaNamed } from "./openapiDocument.ts";

/** Schemas for people: one table for each type, with links to the types inside it. The page's script opens them in place. */

/** The address of the fields of a type, seen from the page that is rendered. */
export type TypeAddress = (name: string) => string;

const FORMATS: { readonly [format: string]: string } = { "date-time": "time", uri: "address", binary: "file" };

export const schemaAnchor = (name: string): string => `schema-${name}`;

export function typeMarkup(schema: SchemaObject, addressOf: TypeAddress): Markup {
  const inner = (part: SchemaObject) => typeMarkup(part, addressOf);
  if (schema.$ref) {
    const name = refName(schema.$ref);
    return html`<a class="type" href="${addressOf(name)}">${name}</a>`;
  }
  if (schema.anyOf) return schema.anyOf.map(inner).reduce((joined, type) => html`${joined} or ${type}`);
  if (schema.type === "array") return html`list of ${inner(schema.items ?? {})}`;
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  if (schema.pattern === "^[0-9a-f]{32}$") return html`id, 32 hex digits`;
  const format = schema.format && FORMATS[schema.format];
  if (format) return html`${format}`;
  if (schema.type === "string") return html`text`;
  return html`${schema.type ?? "anything"}`;
}

const CHOICES_SHOWN_MAX = 12;

function choiceList({ enum: choices, items }: SchemaObject): Markup {
  const values = choices ?? items?.enum ?? [];
  if (values.length === 0) return EMPTY_MARKUP;
  const codes = values.slice(0, CHOICES_SHOWN_MAX).map((choice) => html` <code>${withBreakPoints(choice)}</code>`);
  const more = values.length - codes.length;
  return html`<p>One of${codes}${more > 0 ? html` and ${more} more` : EMPTY_MARKUP}</p>`;
}

/** Longer examples are of objects, whose types have an example for each of their own fields. */
const EXAMPLE_LETTERS_MAX = 160;

export function exampleText(example: unknown): Markup {
  if (example === undefined) return EMPTY_MARKUP;
  const text = typeof example === "string" ? example : JSON.stringify(example);
  if (text.length > EXAMPLE_LETTERS_MAX && typeof example === "object") return EMPTY_MARKUP;
  return html`<p class="example">Example: <code>${withBreakPoints(text)}</code></p>`;
}

export const sentence = (text: string | undefined): Markup =>
  text ? html`<p>${{ markup: renderInline(text) }}</p>` : EMPTY_MARKUP;

type Field = { readonly name: string; readonly schema: SchemaObject; readonly note?: string };

/** The fields of a schema; those of objects without a name of their own come as `errors[].rule`. */
function fieldsOf({ properties = {}, required = [], oneOf = [] }: SchemaObject, prefix = ""): readonly Field[] {
  const own = Object.entries(properties).flatMap(([name, schema]): readonly Field[] => {
    const note = required.includes(name) ? "always present" : undefined;
    const isList = schema.type === "array";
    const object = isList ? schema.items : schema;
    const inner = object?.properties ? fieldsOf(object, `${prefix}${name}${isList ? "[]" : ""}.`) : [];
    return [{ name: prefix + name, schema, note }, ...inner];
  });
  const alternatives = oneOf.flatMap((alternative) => fieldsOf({ properties: alternative.properties }, prefix));
  return [...own, ...alternatives.map((field) => ({ ...field, note: "one of these" }))];
}

function fieldRow({ name, schema, note }: Field, addressOf: TypeAddress): Markup {
  const notes = [note, schema.readOnly && "read-only"].filter(Boolean).join(", ");
  const noteText = notes ? html` <span class="quiet">${notes}</span>` : EMPTY_MARKUP;
  return html`<tr><td><code>${withBreakPoints(name)}</code>${noteText}</td><td>${typeMarkup(schema, addressOf)}</td><td>${sentence(schema.description)}${choiceList(schema)}${exampleText(schemaExample(schema))}</td></tr>
`;
}

export const fieldTable = (
  schema: SchemaObject,
  name: string,
  addressOf: TypeAddress,
): Markup => html`<div class="scroll" tabindex="0" role="region" aria-label="Fields of ${name}"><table class="fields">
<thead><tr><th>field</th><th>type</th><th>meaning</th></tr></thead>
<tbody>
${fieldsOf(schema).map((field) => fieldRow(field, addressOf))}</tbody></table></div>`;

/** The type of a body. Its envelope is the same everywhere, so that only `data` is named, and in responses `access`. */
export function bodySummary(schema: SchemaObject, addressOf: TypeAddress, isResponse = false): Markup {
  if (schema.anyOf)
    return schema.anyOf
      .map((alternative) => bodySummary(alternative, addressOf, isResponse))
      .reduce((joined, type) => html`${joined}, or ${type}`);
  const { data, access } = schema.properties ?? {};
  if (!data) return typeMarkup(schema, addressOf);
  const owner = access && isResponse ? html`, <code>access</code>: ${typeMarkup(access, addressOf)}` : EMPTY_MARKUP;
  return html`<code>data</code>: ${typeMarkup(data, addressOf)}${owner}`;
}

/** The type with the same fields that comes before this one: what is sent often looks like what is returned. */
function lookalike(name: string, schemas: Schemas): string | undefined {
  const { properties } = schemaNamed(schemas, name);
  if (properties === undefined) return undefined;
  const fields = JSON.stringify(properties);
  const [found] = Object.entries(schemas).find(([, other]) => JSON.stringify(other.properties) === fields) ?? [];
  return found === name ? undefined : found;
}

export function schemaSection(name: string, schemas: Schemas, addressOf: TypeAddress, heading: "h2" | "h3"): Markup {
  const schema = schemaNamed(schemas, name);
  const same = lookalike(name, schemas);
  return html`<section class="schema" id="${schemaAnchor(name)}">
<${heading}><a class="anchor" href="#${schemaAnchor(name)}">${name}</a></${heading}>
${sentence(schema.description)}
${same ? html`<p>Has the fields of <a class="same" href="${addressOf(same)}">${same}</a>.</p>` : fieldTable(schema, name, addressOf)}
</section>
`;
}
