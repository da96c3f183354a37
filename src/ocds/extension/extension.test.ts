import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { codesIn, NO_OCDS_FILES, readOcdsCodes, readOcdsFile } from "../../../test/support/ocdsFiles.ts";
import { schemaFields } from "../../../test/support/ocdsSchemaPaths.ts";
import { openOcdsValidator } from "../../../test/support/ocdsValidator.ts";
import { DOCUMENT_TYPES } from "../../dialects/documentTypes.ts";
import { PRIMARY_SCHEMES, SPECIAL_SCHEMES } from "../../domain/tender/tenderRules.ts";
import { documentTypeOf } from "../content/documentList.ts";
import { PARTY_ROLES } from "../content/partyRoles.ts";
import { extensionFiles } from "./extension.ts";

const ROOT = "https://tenders.example/ocds/extension/";
const files = extensionFiles(ROOT, { name: "Operator", email: "data@tenders.example" });
const description = JSON.parse(files["extension.json"]?.text ?? "");

/** The values of a keyword anywhere in a schema. */
function keywordsIn(value: unknown, keyword: string): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === keyword ? [inner] : []),
    ...keywordsIn(inner, keyword),
  ]);
}

describe("our extension", () => {
  const schema = JSON.parse(files["release-schema.json"]?.text ?? "");

  it("lists its files as they are served", () => {
    const listed = [
      ...description.schemas,
      ...description.codelists.map((name: string) => `codelists/${name}`),
      description.documentationUrl.en.replace(ROOT, ""),
    ];
    assert.deepEqual(new Set(["extension.json", ...listed]), new Set(Object.keys(files)));
  });

  it("has a codelist for every field that names one, and no other", () => {
    const named = new Set(keywordsIn(schema, "codelist"));
    const added = description.codelists.filter((name: string) => !name.startsWith("+"));
    assert.deepEqual(new Set(added), named);
  });

  it("has codelists with a code, a title and a description in every line", () => {
    for (const [path, { text }] of Object.entries(files)) {
      if (!path.endsWith(".csv")) continue;
      const [head, ...lines] = text.trimEnd().split("\n");
      assert.equal(head, "Code,Title,Description");
      assert.ok(lines.length > 0 && lines.every((line) => /^[\p{L}\w.]+,[^,"]+,(?:[^,"]+|"[^"]+")$/u.test(line)), text);
    }
  });

  it("adds the codes that the registry knows and the standard does not, and no other", { skip: NO_OCDS_FILES }, () => {
    const published = {
      "documentType.csv": DOCUMENT_TYPES.map(documentTypeOf),
      "itemClassificationScheme.csv": [...PRIMARY_SCHEMES, "ДКПП", ...SPECIAL_SCHEMES],
      "partyRole.csv": PARTY_ROLES,
    };
    for (const [name, codes] of Object.entries(published)) {
      const standard: readonly unknown[] = readOcdsCodes(name);
      assert.ok(standard.length > 5, name);
      const missing = codes.filter((code) => !standard.includes(code));
      assert.deepEqual(new Set(codesIn(files[`codelists/+${name}`]?.text ?? "")), new Set(missing), name);
    }
  });

  it("refers only to definitions that exist", { skip: NO_OCDS_FILES }, () => {
    const standard = readOcdsFile("schema/release-schema.json").definitions;
    for (const reference of keywordsIn(schema, "$ref")) {
      const name = String(reference).replace("#/definitions/", "");
      assert.ok(name in standard || name in schema.definitions, name);
    }
  });

  it("describes its fields in the document that comes with it", { skip: NO_OCDS_FILES }, () => {
    const readme = files["README.md"]?.text ?? "";
    const own = Object.entries(schema.definitions).flatMap(([name, definition]) =>
      ["Tender", "Lot", "Item", "Document", "Bid", "Award", "Contract", "Organization", "Value"].includes(name)
        ? Object.keys(Object(Object(definition).properties))
        : [],
    );
    assert.deepEqual(
      own.filter((field) => !readme.includes(field)),
      [],
    );
  });

  it("changes no field of the standard or of its extensions", { skip: NO_OCDS_FILES }, () => {
    const standard = new Set(schemaFields(readOcdsFile("schema/release-schema.json")).map(({ path }) => path));
    const ours = Object.entries(schema.definitions).flatMap(([name, definition]) => {
      const section = `${name.toLowerCase()}s/`.replace("tenders/", "tender/");
      return Object.keys(Object(Object(definition).properties)).map((field) => section + field);
    });
    assert.deepEqual(
      ours.filter((path) => standard.has(path)),
      [],
    );
  });

  it("describes the links of pages in the schemas of both packages", { skip: NO_OCDS_FILES }, () => {
    const { errorsOf } = openOcdsValidator();
    for (const contents of ["release", "record"] as const) {
      const served = JSON.parse(files[`${contents}-package-schema.json`]?.text ?? "");
      assert.deepEqual(Object.keys(served.properties), ["links"]);
      assert.ok(!("links" in readOcdsFile(`schema/${contents}-package-schema.json`).properties));
      assert.deepEqual(Object.keys(served.properties.links.properties), ["next", "prev"]);
      const errors = errorsOf(`${contents}Package`, { links: { next: "page 2" } });
      assert.ok(errors.some((error) => error.startsWith("/links/next must match format")));
    }
  });
});
