import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OWNER, type Scene, zone } from "../../../test/support/decisions.ts";
import { cancelTender } from "../../../test/support/domainCommands.ts";
import { closed, published, qualifying, tendering } from "../../../test/support/scenes.ts";
import { SITE, visibleText } from "../../../test/support/tenderPages.ts";
import { listSameUntil, renderTenderList } from "./resultList.ts";
import { csvRow } from "./tenderCsv.ts";

const rowOf = ({ tender, now }: Scene) =>
  visibleText(
    `<main>${renderTenderList([{ tender, now }], { site: SITE, language: "en", zoneName: zone.name }).markup}</main>`,
  );
const sameUntil = ({ tender, now }: Scene) => listSameUntil([{ tender, now }], "en");

describe("the deadline in a list of tenders", () => {
  it("has the time left while bids can come", () => {
    for (const scene of [published(), tendering(["400"])])
      assert.match(rowOf(scene), /Bids are accepted until 30 November 2026 at 10:00 +\(\d+ days [^)]*left\)/);
    assert.ok(Number.isFinite(sameUntil(published())));
  });

  it("is past once bidding is over", () => {
    for (const scene of [qualifying(["400"]), closed([])])
      assert.match(rowOf(scene), /Bids were accepted until 30 November 2026 at 10:00 /);
    assert.equal(sameUntil(closed([])), Number.POSITIVE_INFINITY);
  });

  it("is absent if the tender ended before it", () => {
    for (const scene of [published(), tendering(["400"])]) {
      const cancelled = scene.send(OWNER, cancelTender);
      assert.doesNotMatch(rowOf(cancelled), /accepted until|30 November/);
      assert.doesNotMatch(
        csvRow(cancelled.tender, { zone, addressOf: () => "", publicationTimes: new Map() }),
        /2026-11-30/,
      );
      assert.equal(sameUntil(cancelled), Number.POSITIVE_INFINITY);
    }
  });
});
