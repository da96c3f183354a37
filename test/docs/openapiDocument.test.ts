import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { CURRENT_SEGMENT, OLDEST, openDialects, SEGMENTS } from "../../src/dialects/dialects.ts";
import { ACCOUNT_GROUPS } from "../../src/domain/model/actors.ts";
import { openZone } from "../../src/domain/values/time.ts";
import { describeApi } from "../../src/openapi/openapi.ts";
import { describeUnversionedApi } from "../../src/openapi/unversionedOpenapi.ts";
import {
  type ApiDocument,
  allParameters,
  allProperties,
  bodiesOf,
  operationsOf,
  type Schema,
} from "../support/openapiWalk.ts";

/** The API descriptions explain all their parts, and every example matches its schema. */

const dialects = openDialects({ zone: openZone("Europe/Kyiv"), sandbox: true, textBytesMax: 65536, listMax: 1000 });

const documents: readonly (readonly [name: string, document: ApiDocument])[] = [
  ...SEGMENTS.map(
    (segment) => [segment, describeApi(dialects.get(segment)!, dialects.get(OLDEST)!) as ApiDocument] as const,
  ),
  ["site", describeUnversionedApi() as ApiDocument],
];

/** A sentence starts with a capital or a quoted name, ends with a full stop, and has several words. */
const isSentence = (text: string | undefined): boolean => /^[`"\p{Lu}].{8,}\.$/su.test(text ?? "");

const listOf = (found: readonly { readonly at: string }[]): readonly string[] => found.map(({ at }) => at);

function validatorOf(document: ApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?[+-]\d\d:\d\d$/);
  ajv.addFormat("uri", (text) => URL.canParse(text));
  ajv.addFormat("binary", true);
  ajv.addSchema(document, "api");
  const resolved = (schema: Schema): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'));
  return (schema: Schema, value: unknown): string | undefined => {
    const validate = ajv.compile(resolved(schema));
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
}

/** All quoted texts that may be a name or a value. */
const quotedIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([\w.-]+)`/g)].flatMap(([, quoted]) => (/^[A-Za-z_][\w.-]+$/.test(quoted!) ? [quoted!] : []));

/** Literals, author roles, and values of free-text fields. */
const WORDS = [
  ...["true", "null", "tender_owner", "complaint_owner", "specialNorms", "quick", "CPV", "UAH", "UA-", "PT1H", "P3D"],
  ...[
    "Tenderhall-Signature",
    "v1",
    "Content-Type",
    "X-Test-Clock",
    "items.0.quantity",
    "ok",
    "unavailable",
    "stopping",
  ],
];

/** Collects from all parts of a document except examples. */
function gathered(part: unknown, find: (key: string, value: unknown) => readonly string[]): readonly string[] {
  if (Array.isArray(part)) return part.flatMap((element) => gathered(element, find));
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]): readonly string[] =>
    key === "examples" || key === "example" ? [] : [...find(key, value), ...gathered(value, find)],
  );
}

/** The names of properties, parameters and headers. */
const namesIn = (document: ApiDocument): readonly string[] =>
  gathered(document, (key, value) => {
    if (key === "name" && typeof value === "string") return [value];
    return ["properties", "headers", "parameters"].includes(key) ? Object.keys(value as object) : [];
  });

const valuesIn = (document: ApiDocument): readonly string[] =>
  gathered(document, (key, value) => {
    if (key === "const") return [String(value)];
    return (key === "enum" || key === "x-extensible-enum") && Array.isArray(value) ? value : [];
  });

const textsIn = (document: ApiDocument): readonly string[] =>
  gathered(document, (key, value) => (key === "description" && typeof value === "string" ? [value] : []));

for (const [name, document] of documents)
  describe(`the API description of ${name}`, () => {
    it("describes every property and gives an example of it", () => {
      const properties = allProperties(document);
      assert.ok(properties.length > 50);
      assert.deepEqual(listOf(properties.filter(({ part }) => !isSentence(part.description))), []);
      const bare = properties.filter(({ part, isPayload }) => !isPayload && part.examples?.length !== 1);
      assert.deepEqual(listOf(bare), []);
    });

    it("describes every schema, parameter, header, response and tag", () => {
      const { schemas, responses } = document.components;
      for (const [schema, { description }] of Object.entries(schemas)) assert.ok(isSentence(description), schema);
      for (const { at, part } of allParameters(document)) {
        assert.ok(isSentence(part.description), at);
        assert.notEqual(part.example, undefined, at);
      }
      const own = operationsOf(document).flatMap(({ part }) => Object.values(part.responses));
      for (const { $ref, description } of [...own, ...Object.values(responses)])
        assert.ok($ref !== undefined || description?.endsWith("."), `response: ${description}`);
      for (const { name: tag, description } of document.tags) assert.ok(isSentence(description), tag);
    });

    it("describes every operation and gives an example request and response", () => {
      const tags = document.tags.map((tag) => tag.name);
      const operations = operationsOf(document);
      assert.equal(new Set(operations.map(({ part }) => part.operationId)).size, operations.length);
      for (const { at, part } of operations) {
        assert.ok(isSentence(part.description), at);
        assert.ok(part.summary && !part.summary.endsWith("."), at);
        assert.ok(part.tags?.length === 1 && tags.includes(part.tags[0]!), at);
      }
      assert.deepEqual(tags, [...new Set(tags)]);
      const bare = bodiesOf(document).filter(({ part }) => Object.keys(part.examples ?? {}).length === 0);
      assert.deepEqual(
        bare.map(({ at, type }) => `${at} ${type}`),
        [],
      );
    });

    it("has examples that match their schemas", () => {
      const problemWith = validatorOf(document);
      const problems: string[] = [];
      const check = (at: string, schema: Schema, value: unknown) => {
        const problem = problemWith(schema, value);
        if (problem) problems.push(`${at}: ${problem}`);
      };
      for (const { at, part } of allProperties(document))
        for (const example of part.examples ?? []) check(at, part, example);
      for (const { at, part } of allParameters(document)) check(at, part.schema!, part.example);
      for (const { at, part } of bodiesOf(document))
        for (const [example, { value }] of Object.entries(part.examples ?? {}))
          if (part.schema) check(`${at} ${example}`, part.schema, value);
      assert.deepEqual(problems, []);
    });

    it("quotes only names and values that exist in this version", () => {
      const names = new Set(namesIn(document));
      const values = new Set([...valuesIn(document), ...ACCOUNT_GROUPS, ...WORDS]);
      const isKnown = (quoted: string) =>
        names.has(quoted) || values.has(quoted) || (quoted.includes(".") && names.has(quoted.split(".")[0]!));
      const unknown = textsIn(document).flatMap((text) => quotedIn(text).filter((quoted) => !isKnown(quoted)));
      assert.deepEqual([...new Set(unknown)], []);
    });

    it("equals the committed file", () => {
      assert.deepEqual(JSON.parse(JSON.stringify(document)), JSON.parse(readFileSync(`docs/api/${name}.json`, "utf8")));
    });
  });

describe("the tests of the API descriptions", () => {
  const [, document] = documents.at(-1)!;

  it("detect a property without a description or an example", () => {
    const { schemas } = document.components;
    const webhook = { ...schemas.Webhook!, properties: { ...schemas.Webhook!.properties, bare: { type: "string" } } };
    const changed = { ...document, components: { ...document.components, schemas: { ...schemas, Webhook: webhook } } };
    const bare = allProperties(changed).filter(({ part }) => !isSentence(part.description) && !part.examples);
    assert.deepEqual(listOf(bare), ["Webhook.bare"]);
  });

  it("detect an example that does not match its schema", () => {
    const problemWith = validatorOf(document);
    assert.equal(problemWith({ $ref: "#/components/schemas/Health" }, { status: "ok" }), undefined);
    assert.match(problemWith({ $ref: "#/components/schemas/Health" }, { state: "ok" })!, /status|state/);
  });
});

describe("the newest API description", () => {
  it("says that a tender with `opt_schema` is a release package", () => {
    const [, newest] = documents.find(([name]) => name === CURRENT_SEGMENT) ?? [];
    assert.ok(newest);
    const body = bodiesOf(newest).find(({ at }) => at === "GET /tenders/{tender_id} 200");
    const packages = body?.part.schema?.anyOf?.map(({ $ref }) => $ref);
    assert.deepEqual(packages, [undefined, "#/components/schemas/ReleasePackage"]);
  });
});
