import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { EXAMPLE_NAMES, exampleFile, recordExamples } from "../../scripts/examples/record.ts";
import { type ApiDocument, bodiesOf, type Schema } from "../support/openapiWalk.ts";

const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8"));

/** The examples in the API descriptions come from a real registry: this runs the same story again and compares. */
describe("the examples of the API descriptions", () => {
  for (const name of EXAMPLE_NAMES)
    it(`are real requests and responses of a registry: ${name}`, async () => {
      const recorded = await recordExamples(name);
      assert.deepEqual(
        recorded,
        readJson(exampleFile(name)),
        "What the service returns has changed. Look at it and run: npm run api",
      );
    });

  for (const name of EXAMPLE_NAMES)
    it(`tell one story: examples of properties come from the same run: ${name}`, () => {
      const document: ApiDocument = readJson(`docs/api/${name}.json`);
      const exampleValues = valuesTold(document);
      assert.ok(exampleValues.size > 20);
      const others = [...exampleValues].flatMap(([property, values]) => {
        // The oldest form of a bid occurs in few places, and has the examples of the newer form.
        if (property.includes("Oldest.")) return [];
        const [schema = "", field = ""] = property.split(".");
        const [example] = document.components.schemas[schema]!.properties![field]!.examples!;
        return values.has(JSON.stringify(example))
          ? []
          : [`${property} ${JSON.stringify(example)} ${[...values].slice(0, 4)}`];
      });
      assert.deepEqual(others, []);
    });
});

/** The values of scalar properties in the recorded responses, by schema and property. */
function valuesTold(document: ApiDocument): ReadonlyMap<string, ReadonlySet<string>> {
  const valuesByProperty = new Map<string, Set<string>>();
  function visit(value: unknown, schema: Schema): void {
    for (const alternative of schema.anyOf ?? []) if (isOf(value, alternative, document)) visit(value, alternative);
    const ref = schema.$ref?.split("/").at(-1);
    const resolved = ref ? document.components.schemas[ref]! : schema;
    if (Array.isArray(value)) for (const element of value) visit(element, resolved.items ?? {});
    else if (typeof value === "object" && value !== null)
      for (const [field, inner] of Object.entries(value)) {
        const property = resolved.properties?.[field];
        if (ref && property && typeof inner !== "object") {
          const key = `${ref}.${field}`;
          valuesByProperty.set(key, (valuesByProperty.get(key) ?? new Set()).add(JSON.stringify(inner)));
        }
        if (property) visit(inner, property);
      }
  }
  for (const { part, at } of bodiesOf(document))
    if (!at.includes("request"))
      for (const { value } of Object.values(part.examples ?? {})) visit(value, part.schema ?? {});
  return valuesByProperty;
}

/** Whether a value has all fields that the schema requires. */
function isOf(value: unknown, { $ref = "" }: Schema, { components }: ApiDocument): boolean {
  const { required = [] } = components.schemas[$ref.split("/").at(-1)!] ?? {};
  return typeof value === "object" && value !== null && required.every((name) => name in value);
}
