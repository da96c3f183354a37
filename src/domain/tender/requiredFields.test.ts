import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Problem } from "../model/refusals.ts";
import { PROCEDURES } from "../procedures/index.ts";
import { requiredToBid, requiredToPublish } from "./requiredFields.ts";

const pathsOf = (problems: readonly Problem[]) => problems.map(({ path }) => path.join("."));

describe("the required fields", () => {
  it("for a belowThreshold tender are found down to single fields", () => {
    const entity = ["name", "identifier.scheme", "identifier.id", "address.countryName", "contactPoint"];
    const item = ["description", "classification.id", "classification.description"];
    assert.deepEqual(pathsOf(requiredToPublish(PROCEDURES.belowThreshold)), [
      "title",
      ...entity.map((name) => `procuringEntity.${name}`),
      "value.amount",
      "minimalStep.amount",
      "enquiryPeriod.endDate",
      "tenderPeriod.endDate",
      ...item.map((name) => `items.0.${name}`),
    ]);
  });

  it("for a belowThreshold bid are the bidder and the value", () => {
    const tenderer = ["name", "identifier.scheme", "identifier.id", "address.countryName", "contactPoint"];
    assert.deepEqual(pathsOf(requiredToBid(PROCEDURES.belowThreshold)), [
      ...tenderer.map((name) => `tenderers.0.${name}`),
      "value.amount",
    ]);
  });

  it("for a plain tender are none, and for a bid on it the bidder", () => {
    assert.deepEqual(pathsOf(requiredToPublish(PROCEDURES.basic)), []);
    assert.deepEqual(pathsOf(requiredToBid(PROCEDURES.basic)), ["tenderers"]);
  });

  it("are computed again every time", () => {
    assert.deepEqual(requiredToPublish(PROCEDURES.belowThreshold), requiredToPublish(PROCEDURES.belowThreshold));
  });
});
