import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION, BIDDER, OWNER, timeAt } from "../../test/support/decisions.ts";
import {
  addDocument,
  askQuestion,
  changeBid,
  DEADLINE,
  editTender,
  money,
  placeBid,
  reportAuction,
  START,
  setAuctionUrls,
  TENDERING,
  withdrawBid,
} from "../../test/support/domainCommands.ts";
import { bidOf, closed, plain, published, qualifying, SCENES, tendering } from "../../test/support/scenes.ts";
import { decideByTime } from "./decide.ts";
import { DAY, MINUTE } from "./values/time.ts";

describe("a command", () => {
  it("sees the tender after all deadlines: a bid is too early, in time, and too late to the microsecond", () => {
    const scene = published();
    const outcomeAt = (instant: number) => scene.at(instant).outcome(BIDDER, placeBid("1"));
    assert.equal(outcomeAt(TENDERING - 1), "Can't add bid in current (active.enquiries) tender status");
    assert.equal(outcomeAt(TENDERING), "ok");
    assert.equal(outcomeAt(DEADLINE - 1), "ok");
    assert.equal(outcomeAt(DEADLINE), "Can't add bid in current (unsuccessful) tender status");
  });

  it("that sets a deadline which has passed already has it carried out at once", () => {
    const draft = SCENES.draft();
    const published = draft.at(TENDERING).send(OWNER, editTender({ status: "active.enquiries" }));
    assert.equal(published.stored.status, "active.tendering");
    assert.equal(
      draft.at(DEADLINE).send(OWNER, editTender({ status: "active.enquiries" })).stored.status,
      "unsuccessful",
    );
  });

  it("that is refused has a reason, and one that is accepted names its object", () => {
    const scene = tendering().send(BIDDER, placeBid("1"));
    assert.equal(scene.id, scene.stored.bids[0]!.id);
    const withdrawn = scene.send(BIDDER, withdrawBid(scene.id));
    assert.equal(withdrawn.removed, scene.stored.bids[0]);
  });
});

describe("dateModified", () => {
  it("is the moment of the last command that changed something", () => {
    const scene = published()
      .later(MINUTE)
      .send(OWNER, editTender({ title: "Інше" }));
    assert.equal(scene.stored.dateModified, START + MINUTE);
  });

  it("does not move by a command that changes nothing, which leaves the stored tender as it is", () => {
    const scene = published().later(MINUTE);
    const { title } = scene.stored;
    assert.equal(scene.send(OWNER, editTender({ title })).stored, scene.stored);
  });

  it("moves by a command that changes nothing if time has changed something meanwhile", () => {
    const { stored } = published()
      .at(TENDERING + MINUTE)
      .send(OWNER, editTender({}));
    assert.deepEqual([stored.status, stored.dateModified], ["active.tendering", TENDERING + MINUTE]);
  });

  it("does not move by sealed bids: placed, changed, documented or withdrawn", () => {
    const scene = tendering().tick();
    const { dateModified } = scene.stored;
    const placed = scene.later(MINUTE).send(BIDDER, placeBid("5"));
    const steps = [
      placed,
      placed.send(BIDDER, changeBid(placed.id, { value: money("4") })),
      placed.send(BIDDER, addDocument({ bid: placed.id })),
      placed.send(BIDDER, withdrawBid(placed.id)),
    ];
    for (const { stored } of steps) assert.equal(stored.dateModified, dateModified);
    assert.equal(steps[1]!.stored.bids[0]!.value!.amount, "4");
    assert.equal(steps[2]!.stored.bids[0]!.documents.length, 1);
  });

  it("moves by a sealed bid that is the first to come after time has changed the tender", () => {
    const { stored } = published()
      .at(TENDERING + MINUTE)
      .send(BIDDER, placeBid("5"));
    assert.equal(stored.dateModified, TENDERING + MINUTE);
  });

  it("does not move by prices that the auction reports while bids are sealed, but by its addresses", () => {
    const scene = closed(["100", "200"]).later(MINUTE);
    const reported = scene.send(AUCTION, reportAuction({ bids: [{ value: money("90") }, {}] }));
    assert.equal(reported.stored.bids[0]!.value!.amount, "90");
    assert.equal(reported.stored.dateModified, DEADLINE);
    const addressed = scene.send(AUCTION, setAuctionUrls({ auctionUrl: "http://auction.example" }));
    assert.equal(addressed.stored.dateModified, DEADLINE + MINUTE);
  });

  it("moves by everything else while bids are sealed: a question, a document of the tender", () => {
    const scene = published().later(MINUTE);
    assert.equal(scene.send(BIDDER, askQuestion()).stored.dateModified, START + MINUTE);
    assert.equal(scene.send(OWNER, addDocument()).stored.dateModified, START + MINUTE);
  });

  it("moves by bids and their documents where these are open", () => {
    const scene = plain()
      .at(TENDERING + MINUTE)
      .tick()
      .later(MINUTE);
    const placed = scene.send(BIDDER, placeBid("5"));
    assert.equal(placed.stored.dateModified, TENDERING + 2 * MINUTE);
    const opened = qualifying(["400"]).later(MINUTE);
    const documented = opened.send(BIDDER, addDocument({ bid: bidOf(opened, BIDDER).id }));
    assert.equal(documented.stored.dateModified, opened.now);
  });

  it("does not change with a new token, which is not public", () => {
    const scene = plain().later(DAY / 2);
    const renewed = scene.send(OWNER, { kind: "renew token" }, { newTokenHash: "new" });
    assert.deepEqual([renewed.stored.tokenHash, renewed.stored.dateModified], ["new", START]);
  });

  it("moves by time alone when that changes the tender, and stays when it does not", () => {
    const { stored } = published();
    assert.equal(decideByTime(stored, timeAt(TENDERING - 1)), stored);
    const moved = decideByTime(stored, timeAt(TENDERING + 5));
    assert.deepEqual([moved.status, moved.dateModified], ["active.tendering", TENDERING + 5]);
  });
});
