import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cpvCategory } from "../../indexing/cpvCategory.ts";
import { cpvChildren } from "../../indexing/cpvTree.ts";
import { cpvName } from "./cpv.ts";
import { DIVISION_NAMES_UK } from "./divisionNamesUk.ts";

describe("the CPV", () => {
  it("has a name for every code, in Ukrainian for each of the 45 divisions", () => {
    assert.deepEqual(Object.keys(DIVISION_NAMES_UK).sort(), cpvChildren());
    assert.equal(cpvChildren().length, 45);
    assert.deepEqual(cpvName("45000000-7", "uk"), { text: "Будівельні роботи та поточний ремонт", language: "uk" });
    assert.deepEqual(cpvName("45000000-7", "en"), { text: "Construction work", language: "en" });
    assert.deepEqual(cpvName("33600000", "uk"), { text: "Pharmaceutical products", language: "en" });
    const given = new Map([["336", "Фармацевтична продукція"]]);
    assert.deepEqual(cpvName("33600000-6", "uk", given), { text: "Фармацевтична продукція", language: "uk" });
    assert.deepEqual(cpvName("336", "en", given), { text: "Pharmaceutical products", language: "en" });
    assert.equal(cpvName("99999999", "uk"), undefined);
    assert.equal(cpvName("<script>", "uk"), undefined);
  });

  it("reads codes in any form", () => {
    const forms = ["33600000-6", "33600000", "3360", "336", " 336 "].map(cpvCategory);
    assert.deepEqual(forms, ["336", "336", "336", "336", "336"]);
    assert.equal(cpvCategory("30000000-9"), "30");
    assert.equal(cpvCategory("03000000-1"), "03");
    for (const wrong of ["3", "336-6", "336000001", "33600000-66", "abc", ""])
      assert.equal(cpvCategory(wrong), undefined, wrong);
  });
});
