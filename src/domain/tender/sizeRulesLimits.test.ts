import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, BIDDER, OWNER, RIVAL, type Scene, STRANGER, tryToPublish } from "../../../test/support/decisions.ts";
import {
  addCancellation,
  askQuestion,
  changeBid,
  DEADLINE,
  editTender,
  LOT_A,
  LOT_B,
  lotOf,
  money,
  onBoth,
  placeBid,
  START,
  sent,
  tenderFields,
  twoLots,
  withdrawBid,
} from "../../../test/support/domainCommands.ts";
import { cook } from "../../../test/support/organizations.ts";
import { bidOf, published, qualifying, tendering } from "../../../test/support/scenes.ts";
import type { Actor } from "../model/actors.ts";
import type { TenderCommand } from "../model/commands.ts";
import type { SizeLimits } from "../model/sizeLimits.ts";
import type { Tender } from "../model/tender.ts";
import { sizeRefusal } from "./sizeRules.ts";

/** Exactly how large things may become. */

const GENEROUS: SizeLimits = {
  bidsPerAccountMax: 1000,
  bidBytesPerAccountMax: 1e9,
  tenderBytesMax: 1e9,
  storedBytesMax: 1e9,
};
const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The smallest limit that something is accepted with. */
function smallest(isAccepted: (limit: number) => boolean): number {
  let [refused, accepted] = [-1, 2_000_000];
  assert.ok(isAccepted(accepted));
  while (accepted - refused > 1) {
    const middle = Math.floor((refused + accepted) / 2);
    if (isAccepted(middle)) accepted = middle;
    else refused = middle;
  }
  return accepted;
}
/** A tender is measured part by part: of its braces one byte counts, and of each list that is not empty one more. */
function bytesWithoutBids({ bids: _apart, ...tender }: Tender): number {
  const lists = Object.values(tender).filter((value) => Array.isArray(value) && value.length > 0);
  return jsonBytes(tender) - 1 + lists.length;
}

const isAccepted = (scene: Scene, actor: Actor, command: TenderCommand, limits: Partial<SizeLimits>): boolean =>
  scene.outcome(actor, command, { limits: { ...GENEROUS, ...limits } }) === "ok";

describe("the bids of an account", () => {
  const scene = tendering(["400", "500"]);
  const place = placeBid("300");
  const after = scene.send(BIDDER, place).stored;
  const own = after.bids.filter(({ owner }) => owner === "bidder");

  it("are counted with the new one, and not with those of others", () => {
    assert.equal(own.length, 2);
    assert.equal(
      smallest((bidsPerAccountMax) => isAccepted(scene, BIDDER, place, { bidsPerAccountMax })),
      2,
    );
    const refusal = scene.refusal(BIDDER, place, { limits: { ...GENEROUS, bidsPerAccountMax: 1 } });
    const message = "An account may have no more than 1 bids on a tender";
    assert.deepEqual(refusal, { kind: "rule", rule: "too-many-bids", message, name: "bid" });
  });

  it("are not counted when one of them changes", () => {
    const change = changeBid(bidOf(scene, BIDDER).id, { value: money("1") });
    assert.ok(isAccepted(scene, BIDDER, change, { bidsPerAccountMax: 0 }));
  });

  it("take as many bytes as their JSON", () => {
    const bytes = own.reduce((sum, bid) => sum + jsonBytes(bid), 0);
    const limit = smallest((bidBytesPerAccountMax) => isAccepted(scene, BIDDER, place, { bidBytesPerAccountMax }));
    assert.equal(limit, bytes);
    const refusal = scene.refusal(BIDDER, place, { limits: { ...GENEROUS, bidBytesPerAccountMax: bytes - 1 } });
    const message = `The bids of an account on a tender may take no more than ${bytes - 1} bytes`;
    assert.deepEqual(refusal, { kind: "rule", rule: "bids-too-large", message, name: "bid" });
  });

  it("that do not grow are not refused, however large they are", () => {
    const { id } = bidOf(scene, BIDDER);
    const limits = { bidBytesPerAccountMax: 0 };
    assert.ok(isAccepted(scene, BIDDER, changeBid(id, { value: money("401") }), limits));
    assert.ok(!isAccepted(scene, BIDDER, changeBid(id, { value: money("4001") }), limits));
    assert.ok(isAccepted(scene, BIDDER, withdrawBid(id), limits));
  });

  it("on lots count names of more than 4,096 bytes once more for each lot", () => {
    const lots = tendering([], { lots: [lotOf(LOT_A), lotOf(LOT_B)] });
    const { fields } = onBoth("1", "2").sent;
    const bidBy = (length: number): TenderCommand => ({
      kind: "place bid",
      sent: sent({ ...fields, tenderers: [{ ...cook, name: "x".repeat(length) }] }),
    });
    const room = 4096 - jsonBytes([{ ...cook, name: "" }]);
    for (const [length, extra] of [
      [room, 0],
      [room + 10, 20],
    ] as const) {
      const command = bidBy(length);
      const bytes = jsonBytes(lots.send(RIVAL, command).stored.bids[0]);
      const limit = smallest((bidBytesPerAccountMax) => isAccepted(lots, RIVAL, command, { bidBytesPerAccountMax }));
      assert.equal(limit, bytes + extra);
    }
    const alone = placeBid("1", { tenderers: [{ ...cook, name: "x".repeat(room + 10) }] });
    const bytes = jsonBytes(tendering().send(RIVAL, alone).stored.bids[0]);
    const limit = smallest((bidBytesPerAccountMax) => isAccepted(tendering(), RIVAL, alone, { bidBytesPerAccountMax }));
    assert.equal(limit, bytes, "without lots there is one award at most");
  });
});

describe("a tender without its bids", () => {
  it("is published with as many bytes as its JSON, and not with one more", () => {
    const publish = (tenderBytesMax: number) =>
      tryToPublish(OWNER, { procedure: "belowThreshold", sent: sent(tenderFields()) }, START, {
        limits: { ...GENEROUS, tenderBytesMax },
      });
    const decided = publish(1e9);
    assert.ok(decided.ok);
    // The number of a tender is given only to one that is accepted.
    const measured = { ...decided.value, tenderID: "" };
    const limit = smallest((tenderBytesMax) => publish(tenderBytesMax).ok);
    assert.equal(limit, jsonBytes(measured));
    const refused = publish(limit - 1);
    assert.ok(!refused.ok);
    const message = `A tender may take no more than ${limit - 1} bytes without its bids`;
    assert.deepEqual(refused.refused, { kind: "rule", rule: "tender-too-large", message, name: "tender" });
  });

  /** With twenty questions, so that a byte too many or too few for each would show. */
  const scene = Array.from({ length: 20 }).reduce<Scene>(
    (current) => current.send(STRANGER, askQuestion()),
    published(),
  );
  const bytesOf = ({ bids: _apart, ...tender }: Tender) => jsonBytes(tender);
  const edit = editTender({ description: "x".repeat(100) });
  const limitFor = (actor: Actor, command: TenderCommand, from = scene) =>
    smallest((tenderBytesMax) => isAccepted(from, actor, command, { tenderBytesMax }));

  it("may use about as many bytes as the limit for its owner", () => {
    for (const actor of [OWNER, ADMIN]) {
      const limit = limitFor(actor, edit);
      const bytes = bytesOf(scene.send(actor, edit).stored);
      assert.ok(Math.abs(limit - bytes) <= 5, `${limit} for ${bytes}`);
    }
  });

  it("may use half of them for additions by others", () => {
    const question = askQuestion({ description: "x".repeat(100) });
    const bytes = bytesOf(scene.send(STRANGER, question).stored);
    assert.ok(Math.abs(limitFor(STRANGER, question) - 2 * bytes) <= 10);
    const admins = limitFor(ADMIN, question);
    assert.ok(Math.abs(admins - bytes) <= 5, "admins are no guests");
    const odd = 2 * Math.floor(limitFor(STRANGER, question) / 2) + 1;
    assert.ok(isAccepted(scene, STRANGER, question, { tenderBytesMax: odd }));
  });

  it("is never refused a change that does not make it larger", () => {
    const long = scene.send(OWNER, edit);
    for (const length of [100, 99]) {
      const command = editTender({ description: "y".repeat(length) });
      assert.ok(isAccepted(long, OWNER, command, { tenderBytesMax: 0 }), `${length}`);
    }
    assert.ok(!isAccepted(long, OWNER, editTender({ description: "y".repeat(101) }), { tenderBytesMax: 0 }));
    assert.ok(isAccepted(long, OWNER, editTender({}), { tenderBytesMax: 0 }));
  });
});

describe("a tender with all its bids", () => {
  it("may use as many bytes as its parts, and is never refused a change that does not make it larger", () => {
    const scene = tendering(["400", "500"]);
    const place = placeBid("300");
    const after = scene.send(BIDDER, place).stored;
    const bytes = after.bids.reduce((sum, bid) => sum + jsonBytes(bid), bytesWithoutBids(after));
    const limit = smallest((storedBytesMax) => isAccepted(scene, BIDDER, place, { storedBytesMax }));
    assert.equal(limit, bytes);
    const { id } = bidOf(scene, BIDDER);
    assert.ok(isAccepted(scene, BIDDER, changeBid(id, { value: money("401") }), { storedBytesMax: 0 }));
    assert.ok(!isAccepted(scene, BIDDER, changeBid(id, { value: money("4001") }), { storedBytesMax: 0 }));
    const refusal = scene.refusal(BIDDER, place, { limits: { ...GENEROUS, storedBytesMax: limit - 1 } });
    const message = `A tender may take no more than ${limit - 1} bytes with all its bids`;
    assert.deepEqual(refusal, { kind: "rule", rule: "tender-full", message, name: "tender" });
  });
});

describe("a step that a procedure needs to reach its end", () => {
  const NOTHING: SizeLimits = { bidsPerAccountMax: 0, bidBytesPerAccountMax: 0, tenderBytesMax: 0, storedBytesMax: 0 };

  it("is never refused for its size", () => {
    const scene = published(twoLots);
    const larger = { ...scene.stored, description: "x".repeat(1000), bids: tendering(["1"]).stored.bids };
    const kinds = [
      ...["renew token", "withdraw bid", "change award", "report auction", "set auction urls", "finish auction"],
      ...["add cancellation", "edit cancellation"],
    ];
    const refused = (kind: string) => sizeRefusal(scene.stored, larger, { kind } as TenderCommand, OWNER, NOTHING);
    for (const kind of kinds) assert.equal(refused(kind), undefined, kind);
    for (const kind of ["edit tender", "place bid", "add document"]) assert.notEqual(refused(kind), undefined, kind);
  });

  it("goes on with limits of nothing, in a command that is decided as a whole", () => {
    const stage = qualifying(["1"]).at(DEADLINE + 1);
    assert.ok(isAccepted(stage, OWNER, addCancellation({ reason: "x".repeat(1000) }), NOTHING));
  });
});
