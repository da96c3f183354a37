import { objectSchema } from "./openapiBuilders.ts";

/** Properties of objects that are the same in all versions, as JSON schemas. */

/** A JSON schema with its meaning and an example. */
export type DocumentedSchema = { readonly description: string; readonly examples: readonly unknown[] };

export const property =
  (schema: object) =>
  (description: string, example: unknown): DocumentedSchema => ({ ...schema, description, examples: [example] });

export const text = property({ type: "string" });
export const id = property({ type: "string", pattern: "^[0-9a-f]{32}$" });
export const instant = property({ type: "string", format: "date-time" });
export const uri = property({ type: "string", format: "uri" });
export const integer = property({ type: "integer" });
export const md5 = property({ type: "string", pattern: "^md5:[0-9a-f]{32}$" });
export const oneOf = (...choices: readonly string[]) => property({ enum: choices });
export const either = (...types: readonly string[]) => property({ anyOf: types.map((type) => ({ type })) });

export const shape = (
  description: string,
  properties: { readonly [name: string]: DocumentedSchema },
  required: readonly string[] = [],
) => ({
  description,
  ...objectSchema(properties, required),
});
