/** Building blocks of the schema of our extension, in JSON Schema draft 4 as OCDS uses it. */

export type SchemaPart = { readonly [keyword: string]: unknown };

/** A text, or null to remove it. */
export const text = (title: string, description: string): SchemaPart => ({
  title,
  description,
  type: ["string", "null"],
});

/** A text of a codelist, which may grow. */
export const code = (title: string, description: string, codelist: string): SchemaPart => ({
  ...text(title, description),
  codelist,
  openCodelist: true,
});

/** A date with a time. */
export const date = (title: string, description: string): SchemaPart => ({
  ...text(title, description),
  format: "date-time",
});

/** The address of a page. */
export const webAddress = (title: string, description: string): SchemaPart => ({
  ...text(title, description),
  format: "uri",
});

export const flag = (title: string, description: string): SchemaPart => ({
  title,
  description,
  type: ["boolean", "null"],
});

export const number = (title: string, description: string): SchemaPart => ({
  title,
  description,
  type: ["number", "null"],
});

/** An object of a definition. */
export const objectOf = (definition: string, title: string, description: string): SchemaPart => ({
  title,
  description,
  $ref: `#/definitions/${definition}`,
});

/** A list of objects that is merged by their ids. */
export const listOf = (definition: string, title: string, description: string): SchemaPart => ({
  title,
  description,
  type: "array",
  items: { $ref: `#/definitions/${definition}` },
  uniqueItems: true,
});

/** A list of objects without ids, which is replaced as a whole. */
export const wholeListOf = (definition: string, title: string, description: string): SchemaPart => ({
  title,
  description,
  type: ["array", "null"],
  items: { $ref: `#/definitions/${definition}` },
  wholeListMerge: true,
});

/** The id of an object in a list. */
export const id: SchemaPart = { title: "ID", description: "A local identifier.", type: "string", minLength: 1 };

/** The translations of these texts, such as `title_en`, as a keyword of an object. */
export const translationsOf = (names: readonly string[]): SchemaPart => ({
  patternProperties: Object.fromEntries(names.map((name) => [`^${name}_[a-z]{2,3}$`, { type: ["string", "null"] }])),
});

/** An object. Its texts of the names in `translated` may have translations, such as `title_en`. */
export const definition = (
  title: string,
  description: string,
  properties: { readonly [name: string]: SchemaPart },
  {
    required = [],
    translated = [],
  }: { readonly required?: readonly string[]; readonly translated?: readonly string[] } = {},
): SchemaPart => ({
  title,
  description,
  type: "object",
  ...(required.length > 0 && { required }),
  properties,
  ...(translated.length > 0 && translationsOf(translated)),
});
