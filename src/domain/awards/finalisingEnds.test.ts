import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BIDDER, STRANGER } from "../../../test/support/decisions.ts";
import { fileClaim, LOT_A, LOT_B, onBoth, twoLots } from "../../../test/support/domainCommands.ts";
import { lastAward, published, qualifying, statusesOf } from "../../../test/support/scenes.ts";
import { LOT_STATUSES, type Lot, type Tender } from "../model/tender.ts";
import { withClaimsIgnored, withStatus, withStatusFromLots } from "./finalising.ts";

describe("lots that have ended say how the tender ended:", () => {
  const { tender } = published(twoLots);
  const [first, second] = tender.lots;
  const endOf = (a: Lot["status"], b: Lot["status"]): Tender =>
    withStatusFromLots(
      {
        ...tender,
        lots: [
          { ...first!, status: a },
          { ...second!, status: b },
        ],
      },
      5,
    );

  for (const a of LOT_STATUSES)
    for (const b of LOT_STATUSES) {
      const both = [a, b] as readonly string[];
      const worst = both.includes("complete")
        ? "complete"
        : both.includes("unsuccessful")
          ? "unsuccessful"
          : "cancelled";
      const expected = both.includes("active") ? "active.enquiries" : worst;
      it(`${a} and ${b}: ${expected}`, () => {
        const ended = endOf(a, b);
        assert.deepEqual([ended.status, ended.date], [expected, both.includes("active") ? tender.date : 5]);
      });
    }

  it("and without lots nothing ends", () => {
    const none = { ...tender, lots: [] };
    assert.equal(withStatusFromLots(none, 5), none);
  });

  it("and a tender that has already ended so is not dated again", () => {
    const ended = withStatus("unsuccessful", tender, 5);
    assert.equal(withStatus("unsuccessful", ended, 6), ended);
    assert.equal(withStatus("cancelled", ended, 6).date, 6);
  });
});

describe("unanswered claims", () => {
  const filed = published(twoLots)
    .send(STRANGER, fileClaim())
    .send(STRANGER, fileClaim({ relatedLot: LOT_A }))
    .send(STRANGER, fileClaim({ relatedLot: LOT_B, status: "draft" })).tender;
  const [first, second] = filed.lots;

  it("are ignored with the tender or the lot that they are about, and only then", () => {
    const statusesWith = (more: Partial<Tender>) => statusesOf(withClaimsIgnored({ ...filed, ...more }, 5).complaints);
    const lots: readonly Lot[] = [{ ...first!, status: "cancelled" }, second!];
    assert.deepEqual(statusesWith({}), ["claim", "claim", "draft"]);
    assert.deepEqual(statusesWith({ lots }), ["claim", "ignored", "draft"]);
    for (const status of ["complete", "cancelled", "unsuccessful"] as const) {
      assert.deepEqual(statusesWith({ status }), ["ignored", "claim", "draft"]);
      assert.deepEqual(statusesWith({ status, lots }), ["ignored", "ignored", "draft"]);
    }
  });

  it("and those about awards alike", () => {
    const scene = qualifying([onBoth("1", "2")], twoLots);
    const award = lastAward(scene, LOT_A).id;
    const stage = scene.send(BIDDER, fileClaim({}, award)).tender;
    const lots: readonly Lot[] = [{ ...stage.lots[0]!, status: "complete" }, stage.lots[1]!];
    const statusWith = (more: Partial<Tender>) =>
      withClaimsIgnored({ ...stage, ...more }, 5).awards[0]!.complaints[0]!.status;
    assert.deepEqual([statusWith({}), statusWith({ lots })], ["claim", "ignored"]);
  });
});
