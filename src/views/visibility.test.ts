import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ADMIN,
  AUCTION,
  BIDDER,
  CHRONOGRAPH,
  member,
  OWNER,
  REVIEWER,
  RIVAL,
  type Scene,
  STRANGER,
  zone,
} from "../../test/support/decisions.ts";
import {
  askQuestion,
  DEADLINE,
  fileClaim,
  LOT_A,
  LOT_B,
  onA,
  onBoth,
  START,
  TENDERING,
  twoLots,
} from "../../test/support/domainCommands.ts";
import {
  closed,
  placed,
  plain,
  published,
  qualifying,
  SCENES,
  STATUSES,
  tendering,
} from "../../test/support/scenes.ts";
import { ACCOUNT_GROUPS } from "../domain/model/actors.ts";
import type { Complaint } from "../domain/model/tender.ts";
import { HOUR } from "../domain/values/time.ts";
import {
  auctionView,
  complaintView,
  credentialsView,
  questionView,
  scheduleView,
  tenderView,
  viewChangesWithTime,
  visibleBids,
} from "./visibility.ts";

const seen = ({ tender, now }: Scene) => tenderView(tender, { now, zone, sandbox: false });
const seenByAuction = ({ tender, now }: Scene, actor = AUCTION) =>
  auctionView(tender, actor, { now, zone, sandbox: false });
const seenByScheduler = ({ tender, now }: Scene) => scheduleView(tender, { now, zone, sandbox: false });

const SEALED = ["draft", "active.enquiries", "active.tendering", "active.auction"];
/** A tender in each status, with bids as far as it can have any. */
const scenes = { ...SCENES, "active.tendering": () => tendering(["400", "500"]) };

describe("bids", () => {
  for (const status of STATUSES) {
    const isSealed = SEALED.includes(status);
    it(`are ${isSealed ? "hidden" : "shown with their number"} in ${status}`, () => {
      const scene = scenes[status]();
      const { bids, numberOfBids } = seen(scene);
      assert.deepEqual(
        [bids, numberOfBids],
        isSealed ? [undefined, undefined] : [scene.tender.bids, scene.tender.bids.length],
      );
    });
  }

  it("that are sealed are visible to their own owner only", () => {
    for (const scene of [tendering(["1", "2"]), closed(["1", "2"])]) {
      const [first, second] = scene.tender.bids;
      assert.deepEqual(visibleBids(scene.tender, BIDDER), [first]);
      assert.deepEqual(visibleBids(scene.tender, RIVAL), [second]);
      for (const actor of [{}, STRANGER, OWNER, ADMIN, AUCTION, { ...RIVAL, tokenHash: BIDDER.tokenHash }])
        assert.deepEqual(visibleBids(scene.tender, actor), []);
    }
  });

  it("that are open are visible to everybody", () => {
    const { tender } = qualifying(["1", "2"]);
    for (const actor of [{}, BIDDER, STRANGER]) assert.deepEqual(visibleBids(tender, actor), tender.bids);
  });

  it("of a plain tender are always shown, their number once bidding is over", () => {
    const scene = placed(plain().at(TENDERING), ["1"]);
    const { bids } = scene.stored;
    assert.deepEqual([seen(scene).bids, seen(scene).numberOfBids], [bids, undefined]);
    assert.deepEqual([seen(scene.at(DEADLINE)).bids, seen(scene.at(DEADLINE)).numberOfBids], [bids, 1]);
    assert.deepEqual(visibleBids(scene.tender, {}), bids);
  });
});

describe("the author", () => {
  const { questions, complaints } = published().send(STRANGER, askQuestion()).send(STRANGER, fileClaim()).tender;
  const [question, claim] = [questions[0]!, complaints[0]!];
  const formal: Complaint = { ...claim, type: "complaint" };

  for (const status of STATUSES) {
    const isHidden = SEALED.includes(status);
    it(`of a question or a claim is ${isHidden ? "hidden" : "shown"} in ${status}`, () => {
      const { tender } = SCENES[status]();
      assert.equal("author" in questionView(question, tender), !isHidden);
      assert.equal("author" in complaintView(claim, tender), !isHidden);
      assert.equal("author" in complaintView(formal, tender), true);
      assert.equal("author" in complaintView(claim, tender, { award: "1" }), true);
      const whole = seen(SCENES[status]().with({ questions, complaints }));
      assert.deepEqual(["author" in whole.questions[0]!, "author" in whole.complaints[0]!], [!isHidden, !isHidden]);
    });
  }

  it("is the only hidden field", () => {
    const { author: _hidden, ...rest } = question;
    assert.deepEqual(questionView(question, published().tender), rest);
    const { author: _too, ...claimed } = claim;
    assert.deepEqual(complaintView(claim, published().tender), claimed);
  });

  it("of a question to a plain tender is shown once bidding is over", () => {
    const shown = [plain(), plain().at(TENDERING), plain().at(DEADLINE)].map(
      ({ tender }) => "author" in questionView(question, tender),
    );
    assert.deepEqual(shown, [false, false, true]);
  });
});

describe("a tender", () => {
  it("has its fixed fields, without its token and its procedure", () => {
    const { procurementMethod, submissionMethod, awardCriteria, procurementMethodType, ...rest } = seen(published());
    assert.deepEqual([procurementMethod, submissionMethod, awardCriteria], ["open", "electronicAuction", "lowestCost"]);
    assert.equal(procurementMethodType, "belowThreshold");
    for (const name of ["tokenHash", "procedure", "bids"]) assert.ok(!(name in rest), name);
    assert.ok(!("procurementMethodType" in seen(plain())));
  });

  it("changes with time only during its auction", () => {
    assert.deepEqual(
      STATUSES.filter((status) => viewChangesWithTime(SCENES[status]().tender)),
      ["active.auction"],
    );
  });
});

describe("the auction", () => {
  const scene = closed(["100", "200"]).later(HOUR);

  it("sees the bids once bidding is over, without names, and so do admins", () => {
    for (const actor of [AUCTION, ADMIN]) {
      const { bids, ...rest } = seenByAuction(scene, actor);
      assert.deepEqual(
        bids.map((bid) => Object.keys(bid)),
        bids.map(() => ["id", "date", "value", "parameters", "participationUrl", "lotValues"]),
      );
      assert.deepEqual(
        bids.map(({ value }) => value!.amount),
        ["100", "200"],
      );
      for (const name of ["value", "procuringEntity", "title", "owner", "id"]) assert.ok(!(name in rest), name);
    }
  });

  it("shows bids to no other group", () => {
    for (const actor of [{}, BIDDER, OWNER, CHRONOGRAPH, REVIEWER])
      assert.deepEqual(seenByAuction(scene, actor).bids, []);
  });

  it("shows no bids before the deadline, and all of them to everybody after it", () => {
    assert.deepEqual(seenByAuction(tendering(["1", "2"])).bids, []);
    const early = scene.at(DEADLINE - 1);
    assert.equal(early.stored.status, "active.auction");
    assert.deepEqual(seenByAuction(early).bids, []);
    assert.equal(seenByAuction(scene.at(DEADLINE)).bids.length, 2);
    assert.equal(seenByAuction(qualifying(["1", "2"]), {}).bids.length, 2);
  });

  it("of a plain tender shows its bids to everybody", () => {
    assert.equal(seenByAuction(placed(plain().at(TENDERING), ["1"]), {}).bids.length, 1);
  });
});

describe("the scheduler", () => {
  it("sees how many bids there are once bidding is over, and not before", () => {
    const numbers = [published(), tendering(["1", "2"]), closed(["1", "2"]), qualifying(["1", "2"])].map(
      (scene) => seenByScheduler(scene).numberOfBids,
    );
    assert.deepEqual(numbers, [undefined, undefined, 2, 2]);
    assert.equal(seenByScheduler(closed(["1", "2"]).at(DEADLINE - 1)).numberOfBids, undefined);
    assert.equal(seenByScheduler(placed(plain().at(TENDERING), ["1"])).numberOfBids, 1);
  });

  it("sees how many there are for each lot in the same way", () => {
    const offers = [onBoth("9", "8"), onBoth("7", "6"), onA("5")];
    const numbers = (scene: Scene) => seenByScheduler(scene).lots.map(({ id, numberOfBids }) => [id, numberOfBids]);
    assert.deepEqual(numbers(closed(offers, twoLots)), [
      [LOT_A, 3],
      [LOT_B, 2],
    ]);
    assert.deepEqual(numbers(tendering(offers, twoLots)), [
      [LOT_A, undefined],
      [LOT_B, undefined],
    ]);
    assert.ok(seen(closed(offers, twoLots)).lots.every((lot) => !("numberOfBids" in lot)));
  });

  it("sees times and numbers, but neither bidders nor bids", () => {
    const scene = tendering(["1"]);
    const known = [
      "id",
      "status",
      "mode",
      "enquiryPeriod",
      "tenderPeriod",
      "auctionPeriod",
      "awardPeriod",
      "next_check",
    ];
    const names = [...known, "submissionMethodDetails", "awards", "complaints", "lots"];
    assert.deepEqual(Object.keys(seenByScheduler(scene)).toSorted(), names.toSorted());
    assert.equal(seenByScheduler(scene).enquiryPeriod!.startDate, START);
  });
});

describe("the owner of a tender", () => {
  it("is shown to the contracting service only", () => {
    const { tender } = published();
    for (const group of ACCOUNT_GROUPS) {
      const decided = credentialsView(tender, member(group));
      assert.equal(decided.ok, group === "contracting", group);
      if (decided.ok)
        assert.deepEqual(decided.value, { id: tender.id, owner: "owner", tender_token: tender.tokenHash });
    }
    assert.equal(credentialsView(tender, {}).ok, false);
  });
});
