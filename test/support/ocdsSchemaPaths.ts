import { isPlainObject } from "../../src/domain/values/merge.ts";
import { isOcdsList, isOcdsObject, type OcdsValue } from "../../src/ocds/ocdsValues.ts";
import { type JsonSchema, patchedReleaseSchema } from "./ocdsValidator.ts";

/** What the schema of a release says about each field, by the names on the path to it, such as `tender/items/quantity`. */
export type SchemaField = {
  readonly path: string;
  readonly name: string;
  readonly keywords: JsonSchema;
  /** A list of objects: merged by ids, or replaced as a whole. */
  readonly list?: "by ids" | "whole";
  /** Whether the field belongs to an element of a list that is merged by ids. */
  readonly isInList: boolean;
  /** Whether the schema describes translations of the field, such as `title_en`. */
  readonly isTranslatable: boolean;
};

/** Every field of a release with all extensions. */
export function schemaFields(schema: JsonSchema = patchedReleaseSchema()): readonly SchemaField[] {
  const fields: SchemaField[] = [];
  const resolve = (part: unknown): JsonSchema => {
    if (!isPlainObject(part)) return {};
    if (typeof part.$ref !== "string") return part;
    const definitions = isPlainObject(schema.definitions) ? schema.definitions : {};
    return { ...resolve(definitions[part.$ref.replace("#/definitions/", "")]), ...part };
  };
  const visit = (holder: JsonSchema, path: string, isInList: boolean) => {
    const patterns = Object.keys(isPlainObject(holder.patternProperties) ? holder.patternProperties : {});
    for (const [name, part] of Object.entries(isPlainObject(holder.properties) ? holder.properties : {})) {
      const keywords = resolve(part);
      const items = resolve(keywords.items);
      const hasObjects = isPlainObject(items.properties);
      const isWhole = keywords.wholeListMerge === true || !(isPlainObject(items.properties) && items.properties.id);
      const list = hasObjects ? (isWhole ? "whole" : "by ids") : undefined;
      const isTranslatable = patterns.some((pattern) => new RegExp(pattern).test(`${name}_en`));
      fields.push({ path: path + name, name, keywords, isInList, isTranslatable, ...(list && { list }) });
      visit(list ? items : keywords, `${path}${name}/`, list === "by ids");
    }
  };
  visit(schema, "", false);
  return fields;
}

/** The paths of all fields that the schema describes, with the translations that it describes. */
export const declaredPaths = (): ReadonlySet<string> =>
  new Set(
    schemaFields().flatMap(({ path, isTranslatable }) =>
      isTranslatable ? [path, `${path}_en`, `${path}_ru`] : [path],
    ),
  );

/** The fields of a value that are not among the declared ones. */
export function undeclaredFields(value: OcdsValue, declared: ReadonlySet<string>): readonly string[] {
  const undeclared = new Set<string>();
  const visit = (inner: OcdsValue, path: string): void => {
    if (isOcdsList(inner)) for (const element of inner) visit(element, path);
    else if (isOcdsObject(inner))
      for (const [name, field] of Object.entries(inner)) {
        const fieldPath = path + name;
        if (!declared.has(fieldPath)) undeclared.add(fieldPath);
        visit(field, `${fieldPath}/`);
      }
  };
  visit(value, "");
  return [...undeclared];
}
