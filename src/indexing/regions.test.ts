import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isRegion, REGIONS, regionNamed, regionOf } from "./regions.ts";

describe("the region of an address", () => {
  it("is one of 27, or another", () => {
    assert.equal(REGIONS.length, 28);
    assert.ok(REGIONS.every(isRegion));
    assert.ok(!isRegion("constructor") && !isRegion(""));
  });

  const cases: readonly [region: string, ...texts: readonly string[]][] = [
    ["kyiv", "м. Київ", "м.Київ", "місто Київ", "Київ", "КИЇВ", "Kyiv", "Kyiv city", "City of Kyiv", "Kiev"],
    ["kyiv-region", "Київська область", "Київська обл.", "київська", "Kyiv region", "Kyiv Oblast", "Kyivska oblast"],
    ["vinnytsia", "Вінницька область", "Вінницька обл", "м. Вінниця", "Vinnytsia region"],
    ["ivano-frankivsk", "Івано-Франківська область", "м. Івано-Франківськ", "Ivano-Frankivsk Oblast"],
    ["crimea", "Автономна Республіка Крим", "АР Крим", "Autonomous Republic of Crimea"],
    ["sevastopol", "м. Севастополь", "Sevastopol city"],
    ["kirovohrad", "Кіровоградська область", "м. Кропивницький"],
    ["other", "Mazowieckie", "Область", "Київська Вінницька", "1", "x".repeat(100_000)],
  ];
  for (const [region, ...texts] of cases)
    it(`is ${region} for ${texts[0]} and its variants`, () => {
      // Looked up twice, because results are cached.
      for (const text of [...texts, ...texts]) assert.equal(regionNamed(text), region, text.slice(0, 50));
    });

  it("is unknown if the address has none", () => {
    assert.equal(regionNamed(""), undefined);
    assert.equal(regionNamed("  "), undefined);
  });
});

describe("the region of a tender", () => {
  const buyer = { address: { region: "м. Вінниця" } };
  const item = (region?: string) => ({ deliveryAddress: { region } });

  it("is that of the delivery of its first item", () => {
    assert.equal(regionOf({ items: [item("Львівська область"), item("м. Київ")], procuringEntity: buyer }), "lviv");
    assert.equal(regionOf({ items: [item("Bayern")], procuringEntity: buyer }), "other");
  });

  it("is the buyer's if the first item has none", () => {
    assert.equal(regionOf({ items: [item(" "), item("м. Київ")], procuringEntity: buyer }), "vinnytsia");
    assert.equal(regionOf({ items: [], procuringEntity: buyer }), "vinnytsia");
  });

  it("is unknown if neither has one", () => {
    assert.equal(regionOf({}), undefined);
    assert.equal(regionOf({ items: [{}], procuringEntity: { address: {} } }), undefined);
  });
});
