import { breakable, html, type Markup, NOTHING } from "../markup.ts";
import { nameOf, type Schema } from "./description.ts";

/** Schemas for people: one table each, the types inside them linked and, by the page's script, opened in place. */

const FORMATS: { readonly [format: string]: string } = { "date-time": "time", uri: "address", binary: "file" };

export const schemaAnchor = (name: string): string => `schema-${name}`;

const linkTo = (name: string): Markup => html`<a class="type" href="#${schemaAnchor(name)}">${name}</a>`;

export function typeOf(schema: Schema): Markup {
  if (schema.$ref) return linkTo(nameOf(schema.$ref));
  if (schema.anyOf) return schema.anyOf.map(typeOf).reduce((all, one) => html`${all} or ${one}`);
  if (schema.type === "array") return html`list of ${typeOf(schema.items ?? {})}`;
  if (schema.const !== undefined) return html`<code>${schema.const}</code>`;
  if (schema.pattern === "^[0-9a-f]{32}$") return html`id, 32 hex digits`;
  if (schema.format && FORMATS[schema.format]) return html`${FORMATS[schema.format]!}`;
  if (schema.type === "string") return html`text`;
  return html`${schema.type ?? "anything"}`;
}

const CHOICES_SHOWN = 12;

function choicesOf({ enum: choices, items, description }: Schema): Markup {
  const all = choices ?? items?.enum ?? [];
  const shown = all.slice(0, CHOICES_SHOWN).map((choice) => html`<code>${breakable(choice)}</code> `);
  const more = all.length - shown.length;
  return html`${shown}${more > 0 ? html`and ${more} more ` : NOTHING}${description ?? ""}`;
}

function rowOf(name: string, schema: Schema, note: string | false): Markup {
  const notes = [note, schema.readOnly && "read-only"].filter(Boolean).join(", ");
  return html`<tr><td data-column="field"><code>${breakable(name)}</code></td><td data-column="type">${typeOf(schema)}</td><td data-column="note">${notes}</td><td data-column="values">${choicesOf(schema)}</td></tr>
`;
}

export function fieldsOf({ properties = {}, required = [], oneOf = [] }: Schema): Markup {
  const rows = [
    ...Object.entries(properties).map(([name, schema]) =>
      rowOf(name, schema, required.includes(name) && "always there"),
    ),
    ...oneOf.flatMap((one) =>
      Object.entries(one.properties ?? {}).map(([name, schema]) => rowOf(name, schema, "one of these")),
    ),
  ];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Fields"><table class="fields stacks">
<thead><tr><th>field</th><th>type</th><th>note</th><th>values</th></tr></thead>
<tbody>
${rows}</tbody></table></div>`;
}

/** What stands around the payload is the same everywhere and only repeats itself: `data` is what matters. */
export function bodyOf(schema: Schema): Markup {
  const { properties } = schema;
  if (!properties?.data) return typeOf(schema);
  const { data, access } = properties;
  if (!access) return html`<code>data</code>: ${typeOf(data)}`;
  const why = access.description ? html` (${access.description.toLowerCase()})` : NOTHING;
  return html`<code>data</code>: ${typeOf(data)}, <code>access</code>: ${typeOf(access)}${why}`;
}

export const schemaSection = (
  name: string,
  schema: Schema,
): Markup => html`<section class="schema" id="${schemaAnchor(name)}">
<h3><a class="anchor" href="#${schemaAnchor(name)}">${name}</a></h3>
${fieldsOf(schema)}
</section>
`;
