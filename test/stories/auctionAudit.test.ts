import assert from "node:assert/strict";
import * as platform from "node:fs/promises";
import { after, describe, it } from "node:test";
import { inAuction, type PublishedIds, TWO_BIDS, untilQualified } from "../support/auctionScenes.ts";
import { bidOf, fullTender } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { expectStatus, openWorld, START, sharedWorld, type World } from "../support/world.ts";

/** The audit document of an auction that the service has held. */

async function auditsOf(world: World, path: string) {
  const { body } = expectStatus(200, await world.api("2.5").get(`${path}/documents`));
  // biome-ignore lint/suspicious/noExplicitAny: a document as JSON.
  return (body.data as any[]).filter(({ title }) => title.startsWith("audit_"));
}

describe("the audit document of an auction", async () => {
  const world = await sharedWorld({ AUCTIONS: "builtin" });

  it("is attached when the advance that ends the auction returns, and not before", async () => {
    const tender = await inAuction(world);
    for (;;) {
      await tender.advance({ next: true });
      if ((await tender.status()) !== "active.auction") break;
      assert.deepEqual(await auditsOf(world, tender.path), []);
    }
    const [audit, ...others] = await auditsOf(world, tender.path);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [audit.title, audit.format, audit.author],
      [`audit_${tender.id}.yaml`, "application/yaml", "auction"],
    );
    const { text } = expectStatus(200, await world.api("2.5").download(audit.url));
    assert.match(text, new RegExp(`^id: "?${tender.id}`));
    assert.match(text, /turn_2:/);
    assert.match(text, /amount: 475000/);
  });

  it("is one for each lot, once all auctions of the tender are over", async () => {
    const { value, minimalStep, items, ...rest } = fullTender(START);
    const lots = ["1", "2"].map((digit) => ({
      ...{ id: digit.repeat(32), title: `Lot ${digit}` },
      ...{ value: { ...value, amount: 250000 }, minimalStep },
    }));
    const lotItems = lots.map(({ id }) => ({ ...items[0], relatedLot: id }));
    const lotBid = (amount: number) =>
      bidOf(0, { value: undefined, lotValues: lots.map(({ id }) => ({ relatedLot: id, value: { amount } })) });
    const tender = await inAuction(world, { ...rest, value, minimalStep, lots, items: lotItems }, [
      lotBid(240000),
      lotBid(230000),
    ]);
    await untilQualified(tender);
    assert.deepEqual(
      (await auditsOf(world, tender.path)).map(({ title }) => title).toSorted(),
      lots.map(({ id }) => `audit_${tender.id}_${id}.yaml`),
    );
  });

  it("is attached beside a file of the same name that the buyer has uploaded", async () => {
    const upload = ({ id, path, token }: PublishedIds) =>
      world.api("2.5").upload(`${path}/documents?acc_token=${token}`, {
        name: `audit_${id}.yaml`,
        type: "text/yaml",
        content: "id: 1",
      });
    const tender = await inAuction(world, {}, TWO_BIDS, async (ids) => void expectStatus(201, await upload(ids)));
    await untilQualified(tender);
    const authors = (await auditsOf(world, tender.path)).map(({ author }) => author);
    assert.deepEqual(authors.toSorted(), ["auction", "tender_owner"]);
  });

  it("is attached after the next start if the server could not do so, and only once", async () => {
    const fault = { isFull: false };
    const open: typeof platform.open = (path, ...more) =>
      fault.isFull && String(path).endsWith(".part")
        ? Promise.reject(Object.assign(new Error("no space left on device"), { code: "ENOSPC" }))
        : platform.open(path, ...more);
    const other = await openWorld({ AUCTIONS: "builtin" }, false, {
      fileSystem: { ...platform, open },
      runsTimer: true,
    });
    after(other.stop);
    const tender = await inAuction(other);
    fault.isFull = true;
    await untilQualified(tender);
    assert.deepEqual(await auditsOf(other, tender.path), []);
    assert.match(other.logText(), /the audit document of an auction could not be attached/);
    fault.isFull = false;
    await other.restart();
    await waitUntil(async () => (await auditsOf(other, tender.path)).length > 0, other.logText);
    await other.restart();
    assert.equal((await auditsOf(other, tender.path)).length, 1);
  });
});
