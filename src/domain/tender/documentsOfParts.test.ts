import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ADMIN,
  ADMINISTRATOR,
  AUCTION,
  BIDDER,
  BOT,
  OTHERS,
  OWNER,
  REVIEWER,
  RIVAL,
  type Scene,
  STRANGER,
  windowIn,
} from "../../../test/support/decisions.ts";
import {
  addDocument,
  answerClaim,
  cancelLot,
  cancelTender,
  DEADLINE,
  editComplaint,
  editDocument,
  fileClaim,
  LOT_A,
  LOT_B,
  NOBODY,
  onBoth,
  placeBid,
  replaceDocument,
  START,
  TENDERING,
  twoLots,
  withdrawClaim,
} from "../../../test/support/domainCommands.ts";
import {
  awarded,
  bidOf,
  decided,
  lastAward,
  plain,
  published,
  qualifying,
  signed,
  tendering,
} from "../../../test/support/scenes.ts";
import type { DocumentParent } from "../model/commands.ts";
import type { Complaint } from "../model/tender.ts";
import { DAY, HOUR, MINUTE } from "../values/time.ts";

const NOT_AUTHOR = "not the author";
const changes = (id: string, parent: DocumentParent) => [replaceDocument(id, parent), editDocument(id, parent)];

describe("the documents of a bid", () => {
  const scene = tendering(["400", "500"]);
  const parent = { bid: bidOf(scene, BIDDER).id };
  const added = scene.send(BIDDER, addDocument(parent));

  it("are its owner's alone while it is sealed, and name no author", () => {
    const [document] = added.stored.bids[0]!.documents;
    assert.deepEqual([document!.id, document!.author], [added.id, undefined]);
    for (const command of [addDocument(parent), ...changes(added.id, parent)]) {
      assert.equal(added.outcome(BIDDER, command), "ok");
      for (const actor of [{}, RIVAL, STRANGER, OWNER, ADMIN, ADMINISTRATOR])
        assert.equal(added.outcome(actor, command), "hidden: bid");
    }
    assert.equal(added.stored.bids[1]!.documents.length, 0);
  });

  it("are added while bidding lasts, and again while its award is pending", () => {
    assert.equal(added.at(DEADLINE - 1).outcome(BIDDER, addDocument(parent)), "ok");
    const scene = tendering(["400"]);
    const own = { bid: bidOf(scene, BIDDER).id };
    const document = scene.send(BIDDER, addDocument(own));
    const pending = document.at(DEADLINE).tick();
    for (const command of [addDocument(own), ...changes(document.id, own)])
      assert.equal(pending.outcome(BIDDER, command), "ok");
    const accepted = decided(pending, "active");
    const expected = (doing: string) => `Can't ${doing} document in current (active.awarded) tender status`;
    assert.equal(accepted.outcome(BIDDER, addDocument(own)), expected("add"));
    for (const command of changes(document.id, own))
      assert.equal(accepted.outcome(BIDDER, command), expected("update"));
    assert.deepEqual(windowIn(accepted.refusal(BIDDER, addDocument(own))), { from: TENDERING, until: DEADLINE });
  });

  it("are closed in the auction, and in qualification unless its own award is pending", () => {
    const auction = added.at(DEADLINE);
    assert.equal(
      auction.outcome(BIDDER, addDocument(parent)),
      "Can't add document in current (active.auction) tender status",
    );
    const stage = qualifying(["400", "500"]);
    const [winner, loser] = [BIDDER, RIVAL].map((actor) => ({ bid: bidOf(stage, actor).id }));
    assert.equal(stage.outcome(BIDDER, addDocument(winner)), "ok");
    const expected = "Can't add document because award of bid is not in pending state";
    assert.equal(stage.outcome(RIVAL, addDocument(loser)), expected);
    const next = decided(stage, "unsuccessful");
    assert.deepEqual(
      [next.outcome(BIDDER, addDocument(winner)), next.outcome(RIVAL, addDocument(loser))],
      [expected, "ok"],
    );
    const documents = [{ ...added.stored.bids[0]!.documents[0]!, id: "1" }];
    const bids = next.stored.bids.map((bid) => ({ ...bid, documents }));
    assert.equal(next.with({ bids }).outcome(BIDDER, editDocument("1", winner)), expected.replace("add", "update"));
  });

  it("of a plain tender are open, and its owner's to add", () => {
    const open = plain().at(TENDERING).send(BIDDER, placeBid("4"));
    assert.equal(open.outcome(BIDDER, addDocument({ bid: open.id })), "ok");
    assert.equal(open.outcome(RIVAL, addDocument({ bid: open.id })), "forbidden");
    assert.equal(open.outcome(BIDDER, addDocument({ bid: NOBODY })), "not found: bid");
  });
});

describe("the documents of an award", () => {
  const scene = qualifying(["400", "500"]);
  const parent = { award: lastAward(scene).id };

  it("are added by the owner, bots, the auction and admins, and changed by whoever added them, bots excepted", () => {
    for (const [actor, author] of [
      [OWNER, "tender_owner"],
      [ADMIN, "admins"],
      [BOT, "bots"],
      [AUCTION, "auction"],
    ] as const) {
      const added = scene.send(actor, addDocument(parent));
      assert.equal(added.tender.awards[0]!.documents[0]!.author, author);
      for (const command of changes(added.id, parent)) {
        const isOwn = actor === OWNER || actor === ADMIN;
        assert.equal(added.outcome(actor, command), isOwn ? "ok" : "forbidden");
        assert.equal(added.outcome(OWNER, command), actor === OWNER ? "ok" : NOT_AUTHOR);
      }
    }
    for (const actor of OTHERS.filter((other) => other !== BOT && other !== AUCTION))
      assert.equal(scene.outcome(actor, addDocument(parent)), "forbidden");
  });

  it("are open while any award is pending, and closed once the tender is awarded", () => {
    const next = decided(scene, "unsuccessful").send(OWNER, addDocument(parent));
    const done = decided(next.later(MINUTE), "active").later(MINUTE);
    assert.equal(
      done.outcome(OWNER, addDocument(parent)),
      "Can't add document in current (active.awarded) tender status",
    );
    for (const command of changes(next.id, parent))
      assert.equal(done.outcome(ADMIN, command), "Can't update document in current (active.awarded) tender status");
    assert.deepEqual(windowIn(done.refusal(OWNER, addDocument(parent))), { from: scene.now, until: done.now - MINUTE });
  });

  it("are closed with their lot", () => {
    const lots = qualifying([onBoth("1", "2")], twoLots);
    const [a, b] = [LOT_A, LOT_B].map((lot) => ({ award: lastAward(lots, lot).id }));
    const added = lots.send(OWNER, addDocument(a)).later(MINUTE);
    const cancelled = added.send(OWNER, cancelLot(LOT_A)).later(MINUTE);
    assert.deepEqual(cancelled.refusal(OWNER, addDocument(a)), {
      ...{ kind: "rule", rule: "lot-not-active", message: "Can add document only in active lot status" },
      window: { from: DEADLINE, until: added.now },
    });
    assert.equal(cancelled.outcome(OWNER, editDocument(added.id, a)), "Can update document only in active lot status");
    assert.equal(cancelled.outcome(OWNER, addDocument(b)), "ok");
  });
});

describe("the documents of a contract", () => {
  const scene = awarded(["400", "500"]);
  const parent = { contract: scene.tender.contracts[0]!.id };
  const added = scene.send(OWNER, addDocument(parent));

  it("are the owner's and the admins', and name no author", () => {
    const [document] = added.tender.contracts[0]!.documents;
    assert.deepEqual([document!.id, document!.author], [added.id, undefined]);
    for (const actor of [OWNER, ADMIN])
      for (const command of [addDocument(parent), ...changes(added.id, parent)])
        assert.equal(added.outcome(actor, command), "ok");
    for (const actor of OTHERS) assert.equal(added.outcome(actor, addDocument(parent)), "forbidden");
  });

  it("end with the contract", () => {
    const cancelled = decided(added, "cancelled");
    const expected = (doing: string) => `Can't ${doing} document in current contract status`;
    assert.equal(cancelled.outcome(OWNER, addDocument(parent)), expected("add"));
    for (const command of changes(added.id, parent))
      assert.equal(cancelled.outcome(OWNER, command), expected("update"));
  });

  it("are open while the tender is, also if it is signed, and not after", () => {
    const active = scene.with({ contracts: [{ ...scene.tender.contracts[0]!, status: "active" }] });
    assert.equal(active.outcome(OWNER, addDocument(parent)), "ok");
    const complete = signed(added);
    assert.equal(
      complete.outcome(OWNER, addDocument(parent)),
      "Can't add document in current (complete) tender status",
    );
    assert.deepEqual(windowIn(complete.refusal(OWNER, addDocument(parent))), {
      from: DEADLINE + HOUR,
      until: complete.tender.date,
    });
  });

  it("are closed with their lot", () => {
    const lots = decided(qualifying([onBoth("1", "2")], twoLots), "active", LOT_A).later(MINUTE);
    const holder = { contract: lots.tender.contracts[0]!.id };
    const cancelled = lots.send(OWNER, cancelLot(LOT_A));
    assert.equal(cancelled.outcome(OWNER, addDocument(holder)), "Can add document only in active lot status");
    assert.equal(lots.send(OWNER, cancelLot(LOT_B)).outcome(OWNER, addDocument(holder)), "ok");
  });
});

type Place = { readonly scene: Scene; readonly award?: string; readonly author: typeof BIDDER };
const qualification = qualifying(["400"]);
const PLACES: readonly (readonly [string, Place])[] = [
  ["a tender", { scene: published(), author: STRANGER }],
  ["an award", { scene: qualification, award: lastAward(qualification).id, author: BIDDER }],
];

for (const [subject, { scene, award, author }] of PLACES)
  describe(`the documents of a complaint about ${subject}`, () => {
    const draft = scene.send(author, fileClaim({ status: "draft" }, award));
    const parent = { award, complaint: draft.id };
    const claim = draft.send(author, editComplaint(draft.id, { status: "claim" }, award));
    const answered = claim.later(MINUTE).send(OWNER, answerClaim(draft.id, award)).later(MINUTE);
    const IN: { readonly [status in Complaint["status"]]?: Scene } = {
      draft,
      claim,
      answered,
      resolved: answered.send(author, editComplaint(draft.id, { status: "resolved", satisfied: true }, award)),
      cancelled: answered.send(author, withdrawClaim(draft.id, award)),
    };
    const complaintIn = ({ tender }: Scene) =>
      (award === undefined ? tender.complaints : tender.awards[0]!.complaints)[0]!;

    for (const [status, stage] of Object.entries(IN))
      it(`are added while it is ${status} by the party whose turn it is`, () => {
        const late = `Can't add document in current (${status}) complaint status`;
        const outcome = (actor: Parameters<Scene["outcome"]>[0]) => stage.outcome(actor, addDocument(parent));
        assert.equal(outcome(author), status === "draft" || status === "answered" ? "ok" : late);
        assert.equal(outcome(OWNER), status === "claim" ? "ok" : late);
        assert.deepEqual([outcome(REVIEWER), outcome(ADMIN)], [late, late]);
        for (const actor of [{}, RIVAL, BOT, AUCTION, ADMINISTRATOR]) assert.equal(outcome(actor), "forbidden");
      });

    it("are a reviewer's while it is pending, as older data has it", () => {
      const pending = { ...complaintIn(claim), status: "pending" } as const;
      const { stored } = claim;
      // A tender that is newer than now keeps its pending complaints for a moment.
      const more = { dateModified: claim.now + DAY };
      const stage = claim.with(
        award === undefined
          ? { ...more, complaints: [pending] }
          : { ...more, awards: [{ ...stored.awards[0]!, complaints: [pending] }] },
      );
      assert.equal(stage.outcome(REVIEWER, addDocument(parent)), "ok");
      assert.equal(
        stage.outcome(OWNER, addDocument(parent)),
        "Can't add document in current (pending) complaint status",
      );
    });

    it("name the role of their author, and are changed by that role only", () => {
      const added = draft.send(author, addDocument(parent));
      assert.equal(complaintIn(added).documents[0]!.author, "complaint_owner");
      for (const command of changes(added.id, parent)) {
        assert.equal(added.outcome(author, command), "ok");
        assert.equal(added.outcome(OWNER, command), NOT_AUTHOR);
        const submitted = added.send(author, editComplaint(draft.id, { status: "claim" }, award));
        assert.equal(submitted.outcome(author, command), "Can't update document in current (claim) complaint status");
        assert.equal(submitted.outcome(OWNER, command), NOT_AUTHOR);
      }
      assert.equal(complaintIn(claim.send(OWNER, addDocument(parent))).documents[0]!.author, "tender_owner");
    });

    it("are closed with the tender", () => {
      const cancelled = claim.later(MINUTE).send(OWNER, cancelTender);
      assert.equal(
        cancelled.outcome(OWNER, addDocument(parent)),
        "Can't add document in current (cancelled) tender status",
      );
      const window = windowIn(cancelled.refusal(OWNER, addDocument(parent)));
      assert.deepEqual(window, { from: award === undefined ? START : DEADLINE, until: cancelled.now });
    });

    it("could be added while it was that party's turn, as a refusal says", () => {
      const buyer = windowIn(answered.refusal(OWNER, addDocument(parent)));
      assert.deepEqual(buyer, { from: draft.now, until: draft.now + MINUTE });
      const complainant = windowIn(IN.resolved!.refusal(author, addDocument(parent)));
      assert.deepEqual(complainant, { from: draft.now + MINUTE, until: answered.now });
      assert.equal(windowIn(claim.refusal(author, addDocument(parent))), undefined);
    });

    it("belong to a complaint that is there", () => {
      assert.equal(claim.outcome(OWNER, addDocument({ award, complaint: NOBODY })), "not found: complaint");
    });
  });

it("the documents of a complaint about an award are closed with its lot, those about the tender are not", () => {
  const lots = qualifying([onBoth("1", "2")], twoLots);
  const award = lastAward(lots, LOT_A).id;
  const filed = lots.send(BIDDER, fileClaim({}, award)).later(MINUTE);
  const cancelled = filed.send(OWNER, cancelLot(LOT_A));
  const expected = "Can add document only in active lot status";
  assert.equal(cancelled.outcome(OWNER, addDocument({ award, complaint: filed.id })), expected);
  const ofLot = published(twoLots)
    .send(STRANGER, fileClaim({ relatedLot: LOT_A }))
    .send(OWNER, cancelLot(LOT_A));
  assert.equal(ofLot.outcome(OWNER, addDocument({ complaint: ofLot.tender.complaints[0]!.id })), "ok");
});
