import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Problem } from "../model/refusals.ts";
import { PROCEDURES } from "../procedures/index.ts";
import { requiredToBid, requiredToPublish } from "./requiredFields.ts";

const pathsOf = (problems: readonly Problem[]) => problems.map(({ path }) => path.join("."));

describe("what has to be sent", () => {
  it("to publish below the thresholds is found down to the single fields", () => {
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

  it("to bid below the thresholds is who bids, and how much", () => {
    const tenderer = ["name", "identifier.scheme", "identifier.id", "address.countryName", "contactPoint"];
    assert.deepEqual(pathsOf(requiredToBid(PROCEDURES.belowThreshold)), [
      ...tenderer.map((name) => `tenderers.0.${name}`),
      "value.amount",
    ]);
  });

  it("for a plain tender is nothing, and for a bid on it who bids", () => {
    assert.deepEqual(pathsOf(requiredToPublish(PROCEDURES.basic)), []);
    assert.deepEqual(pathsOf(requiredToBid(PROCEDURES.basic)), ["tenderers"]);
  });

  it("is asked for anew every time", () => {
    assert.deepEqual(requiredToPublish(PROCEDURES.belowThreshold), requiredToPublish(PROCEDURES.belowThreshold));
  });
});
