import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_OCDS_FILES } from "../../test/support/ocdsFiles.ts";
import { type SchemaField, schemaFields } from "../../test/support/ocdsSchemaPaths.ts";
import { OMITTED_FIELDS, TRANSLATION_NAME, WHOLE_LISTS } from "./mergeRules.ts";

const pathsOf = (fields: readonly SchemaField[]): readonly string[] => fields.map(({ path }) => path);

describe("the rules for merging", { skip: NO_OCDS_FILES }, () => {
  const fields = NO_OCDS_FILES ? [] : schemaFields();

  it("know every list of objects that is replaced as a whole, and no other", () => {
    const lists = fields.filter(({ list }) => list);
    assert.ok(lists.length > 40, `${lists.length} lists`);
    assert.deepEqual(
      pathsOf(lists.filter(({ list }) => list === "whole")),
      pathsOf(lists.filter(({ name }) => WHOLE_LISTS.has(name))),
    );
    const names = new Set(lists.map(({ name }) => name));
    assert.deepEqual(
      [...WHOLE_LISTS].filter((name) => !names.has(name)),
      [],
      "names that no list has",
    );
  });

  it("omit the fields that the schema omits", () => {
    assert.deepEqual(pathsOf(fields.filter(({ keywords }) => keywords.omitWhenMerged)), [...OMITTED_FIELDS]);
  });

  it("give versions to the ids that the schema gives them to", () => {
    const versioned = fields.filter(({ keywords }) => keywords.versionId);
    assert.ok(versioned.length > 10, `${versioned.length} versioned ids`);
    assert.deepEqual(pathsOf(versioned.filter(({ isInList }) => isInList)), []);
  });

  it("take no field for a translation", () => {
    const untranslated = fields.filter(({ path }) => !path.endsWith("/former_value"));
    assert.deepEqual(pathsOf(untranslated.filter(({ name }) => TRANSLATION_NAME.test(name))), []);
  });
});
