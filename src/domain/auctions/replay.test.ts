import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { AUCTION_START, driveAuction } from "../../../test/support/auctions.ts";
import { decimal } from "../values/decimal.ts";
import { MINUTE, SECOND } from "../values/time.ts";
import type { AuctionState } from "./model.ts";
import { isRecordPublic, recordOf, recordText } from "./record.ts";
import { replay, replayText } from "./replay.ts";

/** An auction in which a bit of everything happens. */
function eventfulAuction() {
  const auction = driveAuction();
  auction.place(5 * MINUTE, "dear", "450");
  auction.refused(5 * MINUTE + 1, { kind: "place price", bid: "cheap", amount: decimal("400") });
  auction.place(6 * MINUTE, "dear", "460.5");
  const [from, until] = [AUCTION_START + 7 * MINUTE, AUCTION_START + 7 * MINUTE + 30 * SECOND];
  auction.send(8 * MINUTE, { kind: "report interruption", from, until });
  auction.place(9 * MINUTE, "cheap", "455");
  auction.goTo(60 * MINUTE);
  assert.equal(isRecordPublic(auction.state()), false);
  auction.send(60 * MINUTE, {
    kind: "disclose names",
    names: [
      { bid: "cheap", name: "ТОВ «Дешево»" },
      { bid: "dear", name: "Dear Ltd" },
    ],
  });
  assert.equal(isRecordPublic(auction.state()), true);
  return recordOf(auction.state());
}

const RECORD = eventfulAuction();
const TEXT = recordText(RECORD);
const differencesAfter = (change: (text: string) => string) => {
  const changed = change(TEXT);
  assert.notEqual(changed, TEXT);
  return replayText(changed).differences;
};

describe("the replay of a record", () => {
  it("has no difference, and shows each turn as the same", () => {
    const { differences, turns } = replayText(TEXT);
    assert.deepEqual(differences, []);
    assert.equal(turns.length, 7);
    assert.ok(turns.every(({ isSame }) => isSame));
    assert.deepEqual(replay(RECORD).differences, []);
    assert.deepEqual(replay(JSON.parse(TEXT)).differences, []);
  });

  it("does not depend on the order of keys in the stored state", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, inner]) => [name, reversed(inner)]),
      );
    };
    const auction = driveAuction();
    auction.place(5 * MINUTE, "dear", "450");
    const stored: AuctionState = JSON.parse(JSON.stringify(reversed(auction.state())));
    assert.notEqual(JSON.stringify(stored), JSON.stringify(auction.state()));
    const text = recordText(recordOf(stored));
    assert.equal(text, recordText(recordOf(auction.state())));
    assert.deepEqual(replayText(text).differences, []);
  });

  it("is the same for an auction that has not ended", () => {
    for (const minute of [-10, 0, 6, 10, 22]) {
      const auction = driveAuction();
      auction.goTo(minute * MINUTE);
      assert.deepEqual(replayText(recordText(recordOf(auction.state()))).differences, [], String(minute));
    }
  });

  it("finds a changed result, and names the turn", () => {
    const changed = structuredClone(RECORD);
    const result = changed.outcome.stages.find((stage) => stage.kind === "turn" && stage.result?.isNew);
    assert.ok(result?.kind === "turn" && result.result);
    Object.assign(result.result, { amount: "1" });
    const { differences, turns } = replay(changed);
    assert.deepEqual(differences, [{ path: "outcome.stages[1].result.amount", recorded: "1", computed: "460.5" }]);
    assert.deepEqual(
      turns.map(({ isSame }) => isSame),
      [false, true, true, true, true, true, true],
    );
  });

  it("finds a stage that was removed", () => {
    const changed = structuredClone(RECORD);
    const { differences } = replay({ ...changed, outcome: { ...changed.outcome, stages: [] } });
    assert.equal(differences.length, RECORD.outcome.stages.length);
  });

  it("finds a changed input even if the outcome is the same, by the digest", () => {
    const overwritten = differencesAfter((text) => text.replace('"450"', '"451"'));
    assert.deepEqual(
      overwritten.map(({ path }) => path),
      ["digest"],
    );
    const refused = differencesAfter((text) => text.replace('"not-your-turn"', '"turn-ended"'));
    assert.deepEqual(
      refused.map(({ path }) => path),
      ["inputs[3].refused"],
    );
  });

  it("finds text that differs in spaces, order or repeated keys only", () => {
    const changes = [
      (text: string) => text.replace("\n", " "),
      (text: string) => text + "\n",
      (text: string) => JSON.stringify(JSON.parse(text)),
      (text: string) => text.replace('"id":', '"id": "x",\n "id":'),
      (text: string) => text.replace('"460.5"', '"460\\u002e5"'),
    ];
    for (const change of changes) assert.equal(differencesAfter(change).length, 1, String(change));
  });

  it("says what is wrong with a text that is no record", () => {
    for (const [text, path] of [
      ["", ""],
      ["[]", ""],
      ["{}", "format"],
      [TEXT.replace('"rounds": 3', '"rounds": 1e9'), "rules"],
      [TEXT.replace('"rounds": 3', '"rounds": 3, "more": 1'), "rules"],
      [TEXT.replace('"kind": "begin"', '"kind": "begun"'), "inputs[1]"],
      [TEXT.replace('"kind": "plan"', '"kind": "cancel"'), "inputs[0]"],
      [TEXT.replace(/"at": \d+/, '"at": 9007199254740000'), "inputs[1]"],
      [TEXT.replace('"amount": "450"', '"amount": 450'), "inputs[2]"],
    ] as const) {
      const { differences } = replayText(text);
      assert.equal(differences[0]?.path, path, text.slice(0, 40));
    }
  });

  it("finds every changed byte", () => {
    const bytes = new TextEncoder().encode(TEXT);
    for (let i = 0; i < bytes.length; i++)
      for (const flip of [1, 0x10]) {
        const changed = bytes.with(i, (bytes[i] ?? 0) ^ flip);
        const { differences } = replayText(new TextDecoder().decode(changed));
        assert.notEqual(differences.length, 0, `byte ${i}: ${TEXT.slice(i - 20, i + 20)}`);
      }
  });

  it("needs nothing that a browser lacks: no platform, and no Temporal", () => {
    const visited = new Set<string>();
    const visit = (file: string) => {
      if (visited.has(file)) return;
      visited.add(file);
      const text = readFileSync(file, "utf8");
      assert.doesNotMatch(text, /\b(process|Buffer|require)\b[.(]/, file);
      for (const [, types, from] of text.matchAll(/^(?:import|export)\s(type\s)?[^;]*?from\s+"([^"]+)"/gms)) {
        assert.match(from ?? "", /^\.\.?\//, file);
        if (!types) visit(join(dirname(file), from ?? ""));
      }
    };
    visit(join(import.meta.dirname, "replay.ts"));
    assert.ok(visited.size > 8, [...visited].join(" "));
    const { Temporal } = globalThis;
    Reflect.deleteProperty(globalThis, "Temporal");
    try {
      assert.deepEqual(replayText(TEXT).differences, []);
    } finally {
      Object.assign(globalThis, { Temporal });
    }
  });
});
