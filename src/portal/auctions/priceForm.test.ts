import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decimal } from "../../domain/values/decimal.ts";
import { steppedPrice } from "./ownPart.ts";
import { parseTypedAmount, readPriceForm } from "./priceForm.ts";

describe("a typed amount", () => {
  it("may have a comma or a point, and spaces between thousands", () => {
    const typed = ["480", "480,5", "480.50", " 1 234 567,89 ", "1\u00a0234", "1'234", ".5", "5.", "0480"];
    assert.deepEqual(
      typed.map((text) => parseTypedAmount(text)),
      ["480", "480.5", "480.5", "1234567.89", "1234", "1234", "0.5", "5", "480"],
    );
  });

  it("is not guessed from anything else", () => {
    for (const text of [
      "",
      " ",
      "-1",
      "+1",
      "1e3",
      "1,234.50",
      "1.2.3",
      "0x10",
      "сто",
      "NaN",
      "1".repeat(41),
      ".",
      ",",
    ])
      assert.equal(parseTypedAmount(text), undefined, text);
  });
});

describe("the form without scripts", () => {
  const read = (fields: string) => readPriceForm(new URLSearchParams(fields));

  it("places a price, or takes it back", () => {
    assert.deepEqual(read("amount=480%2C50&action=place"), { action: "place", amount: "480.5", confirmed: false });
    assert.deepEqual(read("amount=480"), { action: "place", amount: "480", confirmed: false });
    assert.deepEqual(read("action=take-back"), { action: "take back" });
  });

  it("confirms just the amount that the bidder was asked about", () => {
    assert.deepEqual(read("amount=300,0&confirmed=300"), { action: "place", amount: "300", confirmed: true });
    assert.deepEqual(read("amount=30&confirmed=300"), { action: "place", amount: "30", confirmed: false });
    assert.deepEqual(read("amount=30&confirmed=on"), { action: "place", amount: "30", confirmed: false });
  });

  it("gives back what is not an amount, but not without end", () => {
    assert.deepEqual(read("amount=five"), { action: "invalid", amount: "five" });
    assert.deepEqual(read("action=place"), { action: "invalid", amount: "" });
    assert.deepEqual(read(`amount=${"9".repeat(1000)}`), { action: "invalid", amount: "9".repeat(40) });
  });
});

describe("a step button", () => {
  const stepped = (typed: string, steps: number) => steppedPrice(typed, steps, decimal("490.5"), decimal("10"));

  it("begins at the highest allowed price, of which the first step is the minimum", () => {
    assert.equal(stepped("", 0), "490.5");
    assert.equal(stepped("", 1), "490.5");
    assert.equal(stepped("", 5), "450.5");
    assert.equal(stepped("600", 1), "490.5");
    assert.equal(stepped("no number", 10), "400.5");
  });

  it("goes on from the typed price", () => {
    assert.equal(stepped("490.5", 1), "480.5");
    assert.equal(stepped("300", 5), "250");
    assert.equal(stepped("300", 0), "490.5");
  });

  it("does not reach zero", () => {
    assert.equal(stepped("10", 1), "10");
    assert.equal(stepped("10.01", 1), "0.01");
    assert.equal(steppedPrice("", 10, decimal("20"), decimal("10")), "20");
  });
});
