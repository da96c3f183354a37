import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN, BIDDER, OWNER, RIVAL, type Scene, STRANGER } from "../../../test/support/decisions.ts";
import { closed, qualifying, tendering } from "../../../test/support/scenes.ts";
import { planAuction } from "../auctions/liveAuctions.ts";
import { auctionsOf, DEFAULT_AUCTION_SETTINGS } from "../auctions/tenderAuctions.ts";
import { HOUR } from "../values/time.ts";
import { linkNumberOf, openAuctionsOf } from "./participation.ts";

/** A tender in `active.auction` whose auction the service has planned. */
function planned(): Scene {
  const scene = closed(["100", "200"]);
  const [auction] = auctionsOf(scene.tender);
  const { auctions, auctionPeriod } = planAuction(
    scene.tender,
    auction!,
    scene.now + HOUR,
    DEFAULT_AUCTION_SETTINGS,
    scene.now,
  );
  return scene.with({ auctions, auctionPeriod });
}

const replaceLink = (bid: string) => ({ kind: "replace link", bid }) as const;

describe("the participation links of a bid", () => {
  it("are replaced by its owner as often as needed, which nobody else notices", () => {
    const scene = planned();
    const [bid, other] = scene.tender.bids;
    const once = scene.send(BIDDER, replaceLink(bid!.id));
    assert.deepEqual(once.tender.bids.map(linkNumberOf), [1, 0]);
    const twice = once.send(BIDDER, replaceLink(bid!.id));
    assert.deepEqual(twice.tender.bids.map(linkNumberOf), [2, 0]);
    assert.equal(twice.tender.dateModified, scene.tender.dateModified);
    assert.deepEqual(twice.tender.bids[1], other);
  });

  it("are replaced by nobody else, who does not even learn whether the bid exists", () => {
    const scene = planned();
    const [bid] = scene.tender.bids;
    for (const actor of [{}, STRANGER, OWNER, RIVAL, ADMIN])
      for (const id of [bid!.id, "none"])
        assert.deepEqual(scene.refusal(actor, replaceLink(id)), { kind: "hidden", objectName: "bid" });
  });

  it("exist only while an auction of the bid is planned or running", () => {
    const scene = planned();
    const id = scene.tender.bids[0]!.id;
    assert.equal(openAuctionsOf(scene.tender, id).length, 1);
    assert.equal(openAuctionsOf(scene.tender, "none").length, 0);
    for (const other of [tendering(["100", "200"]), closed(["100", "200"]), qualifying(["100", "200"])]) {
      const bid = other.tender.bids[0]!.id;
      assert.equal(openAuctionsOf(other.tender, bid).length, 0);
      const refused = other.refusal(BIDDER, replaceLink(bid));
      assert.equal(refused.kind === "rule" && refused.rule, "no-participation-link");
    }
  });
});
