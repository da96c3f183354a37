import { EMPTY_MARKUP, html, type Markup, withBreakPoints } from "../markup.ts";
import { renderInline } from "./markdown.ts";
import { refName, type SchemaObject } from "./openapiDocument.ts";

/** Schemas for people: one table each, the types inside them linked and, by the page's script, opened in place. */

const FORMATS: { readonly [format: string]: string } = { "date-time": "time", uri: "address", binary: "file" };

export const schemaAnchor = (name: string): string => `schema-${name}`;

const schemaLink = (name: string): Markup => html`<a class="type" href="#${schemaAnchor(name)}">${name}</a>`;

export function typeMarkup(schema: SchemaObject): Markup {
  if (schema.$ref) return schemaLink(refName(schema.$ref));
  if (schema.anyOf) return schema.anyOf.map(typeMarkup).reduce((joined, type) => html`${joined} or ${type}`);
  if (schema.type === "array") return html`list of ${typeMarkup(schema.items ?? {})}`;
  if (schema.const !== undefined) return html`<code>${schema.const}</code>`;
  if (schema.pattern === "^[0-9a-f]{32}$") return html`id, 32 hex digits`;
  if (schema.format && FORMATS[schema.format]) return html`${FORMATS[schema.format]!}`;
  if (schema.type === "string") return html`text`;
  return html`${schema.type ?? "anything"}`;
}

const CHOICES_SHOWN_MAX = 12;

function choiceList({ enum: choices, items, description }: SchemaObject): Markup {
  const values = choices ?? items?.enum ?? [];
  const codes = values.slice(0, CHOICES_SHOWN_MAX).map((choice) => html`<code>${withBreakPoints(choice)}</code> `);
  const more = values.length - codes.length;
  return html`${codes}${more > 0 ? html`and ${more} more ` : EMPTY_MARKUP}${{ markup: renderInline(description ?? "") }}`;
}

function fieldRow(name: string, schema: SchemaObject, note: string | false): Markup {
  const notes = [note, schema.readOnly && "read-only"].filter(Boolean).join(", ");
  return html`<tr><td data-column="field"><code>${withBreakPoints(name)}</code></td><td data-column="type">${typeMarkup(schema)}</td><td data-column="note">${notes}</td><td data-column="values">${choiceList(schema)}</td></tr>
`;
}

export function fieldTable({ properties = {}, required = [], oneOf = [] }: SchemaObject): Markup {
  const rows = [
    ...Object.entries(properties).map(([name, schema]) =>
      fieldRow(name, schema, required.includes(name) && "always there"),
    ),
    ...oneOf.flatMap((alternative) =>
      Object.entries(alternative.properties ?? {}).map(([name, schema]) => fieldRow(name, schema, "one of these")),
    ),
  ];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Fields"><table class="fields stacks">
<thead><tr><th>field</th><th>type</th><th>note</th><th>values</th></tr></thead>
<tbody>
${rows}</tbody></table></div>`;
}

/** What stands around the payload is the same everywhere and only repeats itself: `data` is what matters. */
export function bodySummary(schema: SchemaObject): Markup {
  const { properties } = schema;
  if (!properties?.data) return typeMarkup(schema);
  const { data, access } = properties;
  if (!access) return html`<code>data</code>: ${typeMarkup(data)}`;
  const note = access.description ? html` (${access.description.toLowerCase().replace(/\.$/, "")})` : EMPTY_MARKUP;
  return html`<code>data</code>: ${typeMarkup(data)}, <code>access</code>: ${typeMarkup(access)}${note}`;
}

export const schemaSection = (
  name: string,
  schema: SchemaObject,
): Markup => html`<section class="schema" id="${schemaAnchor(name)}">
<h3><a class="anchor" href="#${schemaAnchor(name)}">${name}</a></h3>
${fieldTable(schema)}
</section>
`;
