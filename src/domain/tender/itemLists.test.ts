import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { linesOf, newId } from "../../../test/support/decisions.ts";
import { LOT_A, meals, twoLots } from "../../../test/support/domainCommands.ts";
import { plain, published } from "../../../test/support/scenes.ts";
import type { Item } from "../model/tender.ts";
import { PROCEDURES } from "../procedures/index.ts";
import { checkItems, withCompletedItems } from "./itemLists.ts";

const { tender } = published(twoLots);
const { basic, belowThreshold } = PROCEDURES;

describe("the items of an award or a contract", () => {
  it("are completed as those of its tender", () => {
    const { classification, ...item } = meals;
    const bare: Item = { ...item, classification: { id: classification!.id, description: "-" } };
    const [completed] = withCompletedItems({ items: [bare] }, { procedure: belowThreshold, newId }).items!;
    assert.match(completed!.id!, /^[0-9a-f]{32}$/);
    assert.equal(completed!.classification!.scheme, "ДК021");
    const open = withCompletedItems({ items: [bare] }, { procedure: basic, newId }).items!;
    assert.equal(open[0]!.classification!.scheme, undefined);
  });

  it("may be left out, and then nothing is added", () => {
    const fields: { readonly title: string; readonly items?: readonly Item[] } = { title: "-" };
    assert.equal(withCompletedItems(fields, { procedure: belowThreshold, newId }), fields);
    assert.deepEqual(checkItems(undefined, tender, belowThreshold), []);
    assert.deepEqual(checkItems([], tender, belowThreshold), []);
  });

  it("are checked as those of its tender, and only they are", () => {
    assert.deepEqual(checkItems([{ ...meals, relatedLot: LOT_A }], tender, belowThreshold), []);
    assert.deepEqual(linesOf(checkItems([{ classification: meals.classification }], tender, belowThreshold)), [
      "items.0.description: This field is required.",
    ]);
    const untitled = { ...tender, title: undefined };
    assert.deepEqual(checkItems([meals], untitled, belowThreshold), []);
    assert.deepEqual(linesOf(checkItems([{ id: "1" }, { id: "1" }], plain().tender, basic)), [
      "items: Item id should be uniq for all items",
    ]);
  });
});
