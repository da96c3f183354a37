import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OWNER, type Scene, STRANGER } from "../../../test/support/decisions.ts";
import { accepted, contested, direct, recorded } from "../../../test/support/directScenes.ts";
import {
  answerQuestion,
  askQuestion,
  DEADLINE,
  fileClaim,
  onA,
  onBoth,
  TENDERING,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import {
  awarded,
  closed,
  plain,
  published,
  qualifying,
  SCENES,
  standStillEndOf,
  tendering,
} from "../../../test/support/scenes.ts";
import { HOUR } from "../../domain/values/time.ts";
import { currentActions } from "./currentActions.ts";

/** The actions as lines: who, what, and from or until when. */
const linesOf = ({ tender, now }: Scene): readonly string[] =>
  currentActions(tender, now).map((action) =>
    [
      action.actor,
      action.action,
      ...("count" in action ? [action.count] : []),
      ...(action.from === undefined ? [] : [`from ${action.from - now}`]),
      ...(action.until === undefined ? [] : [`until ${action.until - now}`]),
    ].join(" "),
  );

const left = (scene: Scene, at: number): number => at - scene.now;

describe("who may do what now", () => {
  it("in enquiries: anyone asks and claims, the buyer edits", () => {
    const scene = published();
    const until = `until ${left(scene, TENDERING)}`;
    assert.deepEqual(linesOf(scene), [
      `anyone ask ${until}`,
      `anyone claim until ${left(scene, DEADLINE)}`,
      `buyer edit ${until}`,
      "buyer cancel",
    ]);
  });

  it("the buyer answers what is open", () => {
    const asked = published().send(STRANGER, askQuestion());
    const claimed = asked.send(STRANGER, fileClaim({ status: "claim" }));
    assert.ok(linesOf(claimed).some((line) => line.startsWith("buyer answerQuestions 1 until ")));
    assert.ok(linesOf(claimed).includes("buyer answerClaims 1"));
    const answered = asked.send(OWNER, answerQuestion(asked.id, "Так"));
    assert.ok(!linesOf(answered).some((line) => line.includes("answer")));
  });

  it("in the tender period: suppliers bid until its end, however many bids there are", () => {
    const scene = tendering(["400"]);
    const until = `until ${left(scene, DEADLINE)}`;
    assert.deepEqual(linesOf(scene), [`suppliers bid ${until}`, `anyone claim ${until}`, "buyer cancel"]);
  });

  it("in the auction: the registry holds it", () => {
    assert.deepEqual(linesOf(closed(["400", "500"])), ["registry awaitAuction", "buyer cancel"]);
    const planned = closed(["400", "500"]).with({ auctionPeriod: { startDate: DEADLINE + HOUR } });
    assert.deepEqual(linesOf(planned), [`registry auction from ${HOUR}`, "buyer cancel"]);
    assert.deepEqual(linesOf(planned.later(2 * HOUR)), ["registry auction", "buyer cancel"]);
  });

  it("in qualification: the buyer decides, on every lot", () => {
    assert.deepEqual(linesOf(qualifying(["400"])), ["buyer decide", "buyer cancel"]);
    const lots = qualifying([onBoth("900", "800"), onA("700")], twoLots);
    assert.equal(linesOf(lots).filter((line) => line === "buyer decide").length, 2);
  });

  it("after the decision: bidders may contest it, and the buyer signs when that is over", () => {
    const scene = awarded(["400"]);
    const wait = left(scene, standStillEndOf(scene));
    assert.deepEqual(linesOf(scene), [
      `bidders claimAward until ${wait}`,
      `buyer signLater from ${wait}`,
      "buyer cancel",
    ]);
    assert.deepEqual(linesOf(scene.at(standStillEndOf(scene))), ["buyer sign", "buyer cancel"]);
  });

  it("of a basic tender", () => {
    assert.deepEqual(
      linesOf(plain()).map((line) => line.split(" until ")[0]),
      ["anyone ask", "buyer edit", "buyer cancel"],
    );
    assert.deepEqual(linesOf(plain().at(DEADLINE).tick()), [
      "buyer choose",
      "buyer edit",
      "buyer close",
      "buyer cancel",
    ]);
  });

  it("without competition", () => {
    assert.deepEqual(linesOf(direct("reporting")), ["buyer choose", "buyer edit", "buyer cancel"]);
    assert.deepEqual(linesOf(recorded("negotiation")), ["buyer decide", "buyer cancel"]);
    const kept = linesOf(accepted("negotiation")).map((line) => line.split(/ (?:until|from) /)[0]);
    assert.deepEqual(kept, ["anyone complainAward", "buyer signLater", "buyer cancel"]);
    assert.ok(linesOf(contested()).includes("reviewers reviewComplaints 1"));
  });

  it("nobody may do anything once it has ended", () => {
    for (const status of ["complete", "cancelled", "unsuccessful"] as const)
      assert.deepEqual(linesOf(SCENES[status]()), []);
  });
});
