import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Act, formatAct, parseAct } from "./acts.ts";

describe("an act of the ledger", () => {
  const acts: readonly Act[] = [
    { kind: "publish tender" },
    { kind: "advance" },
    { kind: "place bid" },
    { kind: "replace tender", reason: "ticket 17 (forced)", forced: false },
    { kind: "replace tender", reason: "ticket 17", forced: true },
    { kind: "unknown", text: "something of a later version" },
  ];

  test("is the same after it was stored", () => {
    for (const act of acts) assert.deepEqual(parseAct(formatAct(act)), act);
  });

  test("is stored as the name of the command alone", () => {
    assert.equal(formatAct({ kind: "place bid" }), "place bid");
  });

  test("of an older ledger is a replacement with its reason", () => {
    assert.deepEqual(parseAct("replace: ticket 17"), { kind: "replace tender", reason: "ticket 17", forced: false });
    const forced = { kind: "replace tender", reason: "line 1\nline 2", forced: true };
    assert.deepEqual(parseAct("replace: line 1\nline 2 (forced)"), forced);
  });
});
