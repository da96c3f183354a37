import assert from "node:assert/strict";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { after, before, describe, it } from "node:test";
import { HOUR } from "../../src/domain/values/time.ts";
import { bidOf, fullTender, publish, publishForBids } from "../support/examples.ts";
import { expectStatus, openWorld, type World } from "../support/world.ts";

/** Pages are cached like the API: rendered once, the same until something public changes, and silent about sealed bids. */

/** A page is hashed when it is rendered; a cached one already has its tag. */
let renderedPages = 0;
const { hash } = crypto;

before(() => {
  crypto.hash = ((...all: Parameters<typeof hash>) => {
    if (String(all[1]).startsWith("<!doctype html>")) renderedPages += 1;
    return hash(...all);
  }) as typeof hash;
  syncBuiltinESMExports();
});
after(() => {
  crypto.hash = hash;
  syncBuiltinESMExports();
});

type SeenPage = { readonly etag: string | null; readonly text: string };

async function see(address: string): Promise<SeenPage> {
  const response = await fetch(address);
  assert.equal(response.status, 200, address);
  assert.equal(response.headers.get("cache-control"), "public, no-cache", address);
  return { etag: response.headers.get("etag"), text: await response.text() };
}

async function renderings(act: () => Promise<unknown>): Promise<number> {
  const begun = renderedPages;
  await act();
  return renderedPages - begun;
}

describe("a page", async () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.stop());

  async function openPages(publishTender = () => publishForBids(world)) {
    const tender = await publishTender();
    const addresses = ["/", "/en", `/tenders/${tender.id}`, `/en/tenders/${tender.id}`].map((path) => world.url + path);
    const seeAll = () => Promise.all(addresses.map(see));
    // What is requested only once is not cached.
    for (let i = 0; i < 4; i++) await seeAll();
    return { ...tender, addresses, seeAll };
  }

  it("is rendered once, and is a 304 for a reader who has it", async () => {
    const { addresses, seeAll } = await openPages();
    assert.equal(await renderings(seeAll), 0);
    for (const address of addresses) {
      const { etag } = await see(address);
      const again = await fetch(address, { headers: { "If-None-Match": etag ?? "" } });
      assert.deepEqual([again.status, await again.text()], [304, ""], address);
    }
  });

  it("is the same after a sealed bid, its change and its withdrawal, and is not rendered again", async () => {
    const { path, seeAll } = await openPages();
    const shown = await seeAll();
    const api = world.api("2.3");
    const unchanged = async (act: () => Promise<unknown>) => {
      await act();
      assert.equal(await renderings(async () => assert.deepEqual(await seeAll(), shown)), 0);
    };
    let bid = "";
    let token = "";
    await unchanged(async () => {
      const { body } = expectStatus(201, await api.post(`${path}/bids`, bidOf(400_000)));
      [bid, token] = [`${path}/bids/${body.data.id}`, body.access.token];
    });
    await unchanged(async () => expectStatus(200, await api.patch(bid, { value: { amount: 399_999 } }, { token })));
    await unchanged(async () => expectStatus(200, await api.delete(bid, { token })));
  });

  it("shows a change at once", async () => {
    const api = world.api("2.3");
    const { path, token, addresses, seeAll } = await openPages(() => publish(api, fullTender(world.clock.now)));
    const shown = await seeAll();
    expectStatus(200, await api.patch(path, { title: "Quite another title" }, { token }));
    for (const [i, page] of (await seeAll()).entries()) {
      assert.notEqual(page.etag, shown[i]?.etag, `another page: ${addresses[i]}`);
      assert.ok(page.text.includes("Quite another title"), String(addresses[i]));
    }
  });

  it("changes when the time that is left does", async () => {
    const { id, seeAll } = await openPages();
    const [, , shown] = await seeAll();
    world.clock.forward(26 * HOUR);
    const later = await see(`${world.url}/tenders/${id}`);
    assert.notEqual(later.etag, shown?.etag);
  });
});

describe("a feed, a calendar or a table", async () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.stop());

  const addressesOf = (id: string) =>
    [
      ...["/tenders.atom", "/tenders.ics", "/tenders.csv", "/calendar.ics", `/tenders/${id}.ics`],
      ...["/statistics/months.csv", "/statistics/months-values.csv"],
    ].map((path) => world.url + path);

  it("is a 304 for a program that has it, also after a sealed bid", async () => {
    const { id, path } = await publishForBids(world);
    const addresses = addressesOf(id);
    const files = await Promise.all(addresses.map(see));
    const assertUnchanged = async () => {
      for (const [i, address] of addresses.entries()) {
        const etag = files[i]?.etag;
        assert.ok(etag, address);
        const again = await fetch(address, { headers: { "If-None-Match": etag } });
        assert.deepEqual([again.status, await again.text()], [304, ""], address);
      }
    };
    await assertUnchanged();
    expectStatus(201, await world.api("2.3").post(`${path}/bids`, bidOf(400_000)));
    await assertUnchanged();
  });

  it("shows a change at once, however often it was read before", async () => {
    const api = world.api("2.3");
    const { id, path, token } = await publish(api, fullTender(world.clock.now));
    const addresses = addressesOf(id).filter((address) => !address.includes("/statistics/"));
    for (let i = 0; i < 4; i++) await Promise.all(addresses.map(see));
    expectStatus(200, await api.patch(path, { title: "Quite another title" }, { token }));
    for (const address of addresses)
      assert.ok((await see(address)).text.replaceAll("\r\n ", "").includes("Quite another title"), address);
  });

  it("leaves out what is too long ago, although nothing was written", async () => {
    await publishForBids(world);
    const addresses = ["/tenders.ics", "/calendar.ics"].map((path) => world.url + path);
    for (let i = 0; i < 4; i++) await Promise.all(addresses.map(see));
    world.clock.forward(60 * 24 * HOUR);
    for (const address of addresses) assert.doesNotMatch((await see(address)).text, /BEGIN:VEVENT/, address);
  });
});
