import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { published } from "../../../test/support/scenes.ts";
import { renderTender } from "../../../test/support/tenderPages.ts";
import { withTestMarks } from "../../domain/tender/testMarks.ts";
import { textIn } from "./textIn.ts";

describe("a text of a user", () => {
  it("is the translation into the language of the page, or else the original", () => {
    const texts = { title: "Обіди", title_en: " Lunches " };
    assert.equal(textIn("en", texts, "title"), "Lunches");
    assert.equal(textIn("uk", texts, "title"), "Обіди");
    assert.equal(textIn("en", { title: "Обіди", title_en: " " }, "title"), "Обіди");
    assert.equal(textIn("en", { title_en: "Lunches" }, "title"), "Lunches");
    assert.equal(textIn("uk", { title: " " }, "title"), undefined);
    assert.equal(textIn("en", undefined, "title"), undefined);
  });

  it("is the original if the translation is only the mark of a test tender", () => {
    const titles = (fields: object) => withTestMarks({ ...published().tender, ...fields, mode: "test" });
    assert.equal(textIn("en", titles({ title: "Обіди" }), "title"), "[ТЕСТУВАННЯ] Обіди");
    assert.equal(textIn("en", titles({ title: "Обіди", title_en: "Lunches" }), "title"), "[TESTING] Lunches");
    assert.equal(textIn("en", titles({ title: "" }), "title"), "[TESTING]");
    assert.equal(textIn("uk", titles({ title: "" }), "title"), "[ТЕСТУВАННЯ]");
  });

  it("names a test tender on its English page", () => {
    const tender = withTestMarks({ ...published({ title: "Обіди" }).tender, mode: "test" });
    const page = renderTender({ tender, now: published().now });
    assert.match(page, /<title>\[ТЕСТУВАННЯ\] Обіди · /);
    assert.match(page, /<h1><bdi lang="">\[ТЕСТУВАННЯ\] Обіди<\/bdi><\/h1>/);
  });
});
