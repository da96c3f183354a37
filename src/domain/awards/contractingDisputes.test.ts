import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BIDDER, OWNER, type Scene, STRANGER } from "../../../test/support/decisions.ts";
import {
  answerClaim,
  cancelLot,
  DEADLINE,
  editContract,
  fileClaim,
  LOT_A,
  LOT_B,
  onBoth,
  signContract,
  TENDERING,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import { decided, placed, published, qualifying, standStillEndOf, statusesOf } from "../../../test/support/scenes.ts";
import { DAY, MINUTE } from "../values/time.ts";

const REVIEW = "Can't sign contract before reviewing all complaints";

describe("a contract waits for complaints that were answered, not for claims:", () => {
  /** A claim about the tender, filed in enquiries and answered after the stand-still. */
  const disputed = (
    relatedLot: string | undefined,
    offers: Parameters<typeof placed>[1],
    lots: readonly (string | undefined)[],
  ) => {
    const fields = relatedLot === undefined && lots[0] === undefined ? {} : twoLots;
    const filed = published(fields).send(STRANGER, fileClaim({ relatedLot }));
    let current = placed(filed.at(TENDERING), offers).at(DEADLINE).tick();
    for (const lot of lots) current = decided(current, "active", lot);
    return { claimed: current.at(standStillEndOf(current)), complaint: filed.id };
  };
  const sign = (stage: Scene, place = 0) => stage.outcome(OWNER, signContract(stage.tender.contracts[place]!.id));

  it("about the tender", () => {
    const { claimed, complaint } = disputed(undefined, ["500"], [undefined]);
    assert.equal(sign(claimed), "ok");
    const answered = claimed.send(OWNER, answerClaim(complaint));
    assert.equal(sign(answered), REVIEW);
    assert.equal(sign(answered.later(3 * DAY - 1)), REVIEW);
    assert.equal(sign(answered.later(3 * DAY)), "ok");
    assert.equal(answered.outcome(OWNER, editContract(answered.tender.contracts[0]!.id, { title: "!" })), "ok");
  });

  it("about the tender or its own lot, and not about another lot", () => {
    const both = disputed(undefined, [onBoth("1", "2")], [LOT_A, LOT_B]);
    const ofAll = both.claimed.send(OWNER, answerClaim(both.complaint));
    assert.deepEqual([sign(ofAll, 0), sign(ofAll, 1)], [REVIEW, REVIEW]);
    const scene = disputed(LOT_A, [onBoth("1", "2")], [LOT_A, LOT_B]);
    const ofOne = scene.claimed.send(OWNER, answerClaim(scene.complaint));
    assert.deepEqual([sign(ofOne, 0), sign(ofOne, 1)], [REVIEW, "ok"]);
  });

  it("about any award of its lot, and not of another", () => {
    const lots = qualifying([onBoth("1", "2"), onBoth("3", "4")], twoLots);
    const rejected = lots.tender.awards[0]!.id;
    const all = decided(decided(decided(lots, "unsuccessful", LOT_A), "active", LOT_A), "active", LOT_B);
    const filed = all.send(BIDDER, fileClaim({}, rejected));
    const answered = filed
      .at(standStillEndOf(filed) - 1)
      .send(OWNER, answerClaim(filed.id, rejected))
      .later(1);
    assert.deepEqual([sign(filed.at(answered.now), 0), sign(answered, 0), sign(answered, 1)], ["ok", REVIEW, "ok"]);
  });
});

describe("a contract is closed with its lot", () => {
  it("and a refusal says since when", () => {
    const lots = decided(qualifying([onBoth("1", "2")], twoLots), "active", LOT_A).later(MINUTE);
    const { id } = lots.tender.contracts[0]!;
    const cancelled = lots.send(OWNER, cancelLot(LOT_A)).later(MINUTE);
    assert.deepEqual(cancelled.refusal(OWNER, editContract(id, {})), {
      ...{ kind: "rule", rule: "lot-not-active", message: "Can update contract only in active lot status" },
      window: { from: DEADLINE, until: lots.now },
    });
    assert.deepEqual(statusesOf(cancelled.tender.contracts), ["pending"]);
  });
});
