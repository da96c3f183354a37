import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Item } from "../domain/model/tender.ts";
import { categoryNamesOf } from "./categoryNames.ts";

const item = (id: string, description: string, scheme = "ДК021"): Item => ({
  classification: { scheme, id, description },
});

describe("the names of categories in a tender", () => {
  it("are those of ДК 021 and CPV codes below the divisions, the first one of each", () => {
    const names = categoryNamesOf([
      item("45260000-7", " Покрівельні роботи "),
      item("45260000-7", "Інша назва"),
      item("33600000-6", "Фармацевтична продукція", "CPV"),
      item("55320000-9", "Послуги", "ДКПП"),
      item("45000000-7", "Будівельні роботи"),
      {},
    ]);
    assert.deepEqual(names, [
      { category: "4526", name: "Покрівельні роботи" },
      { category: "336", name: "Фармацевтична продукція" },
    ]);
  });

  it("are Ukrainian, short and of codes that exist", () => {
    const others = ["Roofing", "", "Кровельные услуги для крыши", `Д${"о".repeat(200)}вга`, "назва\u202eх", "назва\0"];
    assert.deepEqual(categoryNamesOf(others.map((name) => item("45260000-7", name))), []);
    assert.deepEqual(categoryNamesOf([item("99999999-9", "Немає такої"), item("x", "Немає коду")]), []);
  });
});
