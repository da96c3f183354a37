import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, cook } from "../support/examples.ts";
import { type AuctionBidder, type AuctionStory, reachFirstTurn } from "../support/liveAuctions.ts";
import { sharedWorld } from "../support/world.ts";

// The pages of auctions as browsers without scripts use them.

const world = await sharedWorld({ AUCTIONS: "builtin" });

type PageOptions = {
  readonly cookie?: string;
  readonly form?: { readonly [name: string]: string };
  readonly headers?: object;
};

async function load(path: string, { cookie, form, headers = {} }: PageOptions = {}) {
  const response = await fetch(path.startsWith("http") ? path : world.url + path, {
    redirect: "manual",
    method: form ? "POST" : "GET",
    headers: { ...(cookie && { Cookie: cookie }), ...(form && { Origin: world.url }), ...headers },
    ...(form && { body: new URLSearchParams(form) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The cookie that opening the link of a bidder sets. */
async function logIn(bidder: AuctionBidder): Promise<string> {
  const { status, headers } = await load((await bidder.link()).href);
  assert.equal(status, 303);
  const [cookie = ""] = headers.getSetCookie()[0]?.split(";") ?? [];
  return cookie;
}

async function inTurn(): Promise<{ story: AuctionStory; page: string; bidder: AuctionBidder; cookie: string }> {
  const story = await reachFirstTurn(world);
  // The worst offer has the first turn.
  const bidder = story.bidders[1];
  assert.ok(bidder);
  return { story, page: `/auctions/${story.tender}`, bidder, cookie: await logIn(bidder) };
}

describe("the page of an auction", () => {
  it("shows the offers to everyone and the form to the bidder only, in the language of the path", async () => {
    const { page, cookie } = await inTurn();
    const watched = await load(page);
    assert.equal(watched.status, 200);
    assert.match(watched.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(watched.text, /<html lang="uk">/);
    assert.match(watched.text, /480[\s\u00a0\u202f]000,00/);
    assert.doesNotMatch(watched.text, /id="BidsForm"/);
    const own = await load(`/en${page}`, { cookie });
    assert.match(own.text, /<html lang="en">/);
    assert.match(own.text, /id="BidsForm"/);
    assert.match(own.headers.get("cache-control") ?? "", /no-store/);
  });

  it("takes a price and takes it back by its form, which a reload does not send again", async () => {
    const { story, page, bidder, cookie } = await inTurn();
    const placed = await load(`${page}/bids`, { cookie, form: { amount: "400 000,50", action: "place" } });
    assert.deepEqual([placed.status, placed.headers.get("location")], [303, page]);
    assert.equal((await story.fetchAuction(await bidder.bearer())).own.unpublished.amount, 400000.5);
    assert.match((await load(page, { cookie })).text, /400[\s\u00a0\u202f]000,50/);
    assert.doesNotMatch((await load(page)).text, /400[\s\u00a0\u202f]000,50/);
    const back = await load(`/en${page}/bids`, { cookie, form: { action: "take-back" } });
    assert.deepEqual([back.status, back.headers.get("location")], [303, `/en${page}`]);
    assert.equal((await story.fetchAuction(await bidder.bearer())).own.unpublished, undefined);
  });

  it("shows why a price was refused, and what was typed", async () => {
    const { page, cookie } = await inTurn();
    for (const [amount, status] of [
      ["489000", 422],
      ["сто", 422],
      ["1e999", 422],
      ["0", 422],
      ["100000", 422],
    ] as const) {
      const refused = await load(`${page}/bids`, { cookie, form: { amount } });
      assert.equal(refused.status, status, amount);
      assert.match(refused.text, /id="BidsForm"/);
      assert.ok(refused.text.includes(`value="${amount}"`), amount);
    }
  });

  it("refuses a form from another site, of nobody, and with another method", async () => {
    const { page, cookie } = await inTurn();
    const form = { amount: "400000" };
    const foreign = await load(`${page}/bids`, { cookie, form, headers: { Origin: "https://evil.example" } });
    assert.equal(foreign.status, 403);
    assert.equal((await load(`${page}/bids`, { form })).status, 401);
    assert.equal((await load(`${page}/bids`, { cookie })).status, 405);
    assert.equal((await load(page, { form })).status, 405);
    assert.equal((await load(`/auctions/${"0".repeat(32)}`)).status, 404);
  });

  it("ignores a form that is larger than any", async () => {
    const { page, cookie } = await inTurn();
    assert.equal((await load(`${page}/bids`, { cookie, form: { amount: "1".repeat(20_000) } })).status, 422);
  });
});

/** A bid of a company with this code. */
const bidOfCompany = (amount: number, id: string) =>
  bidOf(amount, { tenderers: [{ ...cook, name_en: `Company ${id}`, identifier: { ...cook.identifier, id } }] });

describe("the links of an auction's page", () => {
  const bids = [bidOfCompany(480000, "11112222"), bidOfCompany(490000, "33334444")];

  it("lead to the tender and the buyer, and to the profiles of the bidders once names are public", async () => {
    const story = await reachFirstTurn(world, bids);
    const page = `/en/auctions/${story.tender}`;
    const before = await load(page);
    assert.ok(before.text.includes(`<a href="/en/tenders/${story.tender}">`), "the tender is not linked");
    const [, buyer = ""] = /<a href="(\/en\/buyers\/[^"]+)">/.exec(before.text) ?? [];
    assert.equal((await load(buyer)).status, 200);
    assert.doesNotMatch(before.text, /\/suppliers\/|11112222|33334444/);
    await story.advance({ by: "PT1H" });
    const after = await load(page);
    for (const id of ["11112222", "33334444"]) {
      const profile = `/en/suppliers/UA-EDR-${id}`;
      assert.ok(after.text.includes(`<a href="${profile}"><bdi>`), `${profile} is not linked`);
      assert.equal((await load(profile)).status, 200);
    }
  });

  it("name the bidders in the language of the page", async () => {
    const story = await reachFirstTurn(world, bids);
    await story.advance({ by: "PT1H" });
    const page = `/auctions/${story.tender}`;
    const visible = async (path: string) =>
      (await load(path)).text.replace(/<script type="application.*?<\/script>/gs, "");
    const english = await visible(`/en${page}`);
    assert.match(english, /Best offer: <a[^>]*><bdi>Company 11112222</);
    assert.ok(!english.includes(cook.name), "a name is not translated");
    assert.ok((await visible(page)).includes(cook.name));
  });

  it("lead to no profile from a test tender, which is in none", async () => {
    const story = await reachFirstTurn(world, bids, { mode: "test" });
    await story.advance({ by: "PT1H" });
    const { text } = await load(`/auctions/${story.tender}`);
    assert.match(text, /recompute-button/);
    assert.doesNotMatch(text, /href="\/(?:suppliers|buyers)\//);
  });
});

describe("the list of auctions", () => {
  it("has those that run, and loads its style and scripts from the service itself", async () => {
    const { story } = await inTurn();
    const { status, text } = await load("/auctions");
    assert.equal(status, 200);
    assert.ok(text.includes(`/auctions/${story.tender}"`));
    const [, style = ""] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    const loaded = await load(style);
    assert.equal(loaded.status, 200);
    assert.match(loaded.headers.get("content-type") ?? "", /^text\/css/);
    assert.equal((await load("/en/auctions?offset=nonsense")).status, 400);
  });
});
