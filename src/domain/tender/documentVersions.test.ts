import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { linesOf } from "../../../test/support/decisions.ts";
import { file, LOT_A, NOBODY, twoLots } from "../../../test/support/domainCommands.ts";
import { published } from "../../../test/support/scenes.ts";
import type { RegistrationInput } from "../model/commands.ts";
import type { Document } from "../model/tender.ts";
import { checkDocument, checkRegistration, newDocument, newVersion } from "./documentVersions.ts";

const REQUIRED = "This field is required.";
const { tender } = published(twoLots);
const readFields = (fields: RegistrationInput) => ({ fields, problems: [] });

describe("a version of a document", () => {
  it("is its file, with the given metadata in place of the uploaded ones", () => {
    assert.deepEqual(newVersion({ file }, 5), { ...file, dateModified: 5 });
    const fields = { title: "Інша.txt", description: "-", url: "u", hash: "md5:0" };
    assert.deepEqual(newVersion({ file, registration: readFields(fields) }, 5), {
      ...{ ...file, title: "Інша.txt", description: "-", dateModified: 5 },
    });
  });

  it("that is the first is published now, and concerns the tender by default", () => {
    const first = { ...file, id: "new", documentOf: "tender", datePublished: 5, dateModified: 5 };
    assert.deepEqual(
      newDocument({ file }, 5, () => "new"),
      first,
    );
    const fields = { documentOf: "lot", relatedItem: LOT_A } as const;
    assert.deepEqual(
      newDocument({ file, registration: readFields(fields) }, 5, () => "new"),
      { ...first, ...fields },
    );
  });
});

describe("the metadata of a document", () => {
  const problems = (more: Partial<Document>) =>
    linesOf(checkDocument({ title: "a", format: "text/plain", ...more }, tender));

  it("has a title and a media type", () => {
    assert.deepEqual(problems({}), []);
    assert.deepEqual(problems({ title: undefined, format: undefined }), [`title: ${REQUIRED}`, `format: ${REQUIRED}`]);
    const wrong = ["format: String value did not match validation regex."];
    for (const format of ["", "text", "text/", "/plain", "text/plain; charset=utf-8", "te.xt/plain", "text/pl ain"])
      assert.deepEqual(problems({ format }), wrong, format);
    for (const format of ["application/vnd.ms-excel", "image/svg+xml", "x-y/z_1"])
      assert.deepEqual(problems({ format }), []);
  });

  it("is about an item or a lot that is there, if it is about one", () => {
    assert.deepEqual(problems({ documentOf: "lot", relatedItem: LOT_A }), []);
    assert.deepEqual(problems({ documentOf: "item" }), [`relatedItem: ${REQUIRED}`]);
    assert.deepEqual(problems({ documentOf: "lot", relatedItem: NOBODY }), [
      "relatedItem: relatedItem should be one of lots",
    ]);
  });
});

describe("a registration", () => {
  const problems = (more: RegistrationInput, before: Partial<Document> = {}) =>
    linesOf(checkRegistration({ title: "a", format: "text/plain", url: "u", ...more }, before, tender));

  it("contains the URL of the file", () => {
    assert.deepEqual(problems({}), []);
    assert.deepEqual(problems({ url: undefined }), [`url: ${REQUIRED}`]);
    assert.deepEqual(problems({ title: undefined }), [`title: ${REQUIRED}`]);
  });

  it("of a new version may omit unchanged fields", () => {
    const before = { documentOf: "lot", relatedItem: LOT_A } as const;
    assert.deepEqual(problems({}, before), []);
    assert.deepEqual(problems({ relatedItem: NOBODY }, before), ["relatedItem: relatedItem should be one of lots"]);
    assert.deepEqual(problems({ documentOf: "tender" }, { documentOf: "item" }), []);
  });

  it("may bring a hash of a kind that is known, with as many digits as it has", () => {
    const unsupported = ["hash: Hash type is not supported."];
    const length = ["hash: Hash value is wrong length."];
    const digits = ["hash: Hash value is not hexadecimal."];
    assert.deepEqual(problems({ hash: `md5:${"0".repeat(32)}` }), []);
    assert.deepEqual(problems({ hash: `sha256:${"aF".repeat(32)}` }), []);
    for (const hash of ["", "0".repeat(32), "crc:0", "toString:0", ":0"])
      assert.deepEqual(problems({ hash }), unsupported, hash);
    for (const size of [0, 31, 33, 64]) assert.deepEqual(problems({ hash: `md5:${"0".repeat(size)}` }), length);
    assert.deepEqual(problems({ hash: `md5:${"x".repeat(32)}` }), digits);
    assert.deepEqual(problems({ hash: `md5:${"0".repeat(31)}\n` }), digits);
  });
});
