import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type AuctionStory, reachFirstTurn, secretIn } from "../support/liveAuctions.ts";
import { expectStatus, openWorld, sharedWorld, type World } from "../support/world.ts";

const open = (url: string | URL) => fetch(url, { redirect: "manual" });
/** What a browser stores of a login: the cookies by their paths. */
const cookiesOf = (response: Response): ReadonlyMap<string, string> =>
  new Map(
    response.headers.getSetCookie().map((cookie) => {
      const [pair = "", ...attributes] = cookie.split("; ");
      const path = attributes.find((attribute) => attribute.startsWith("Path="));
      return [path?.slice("Path=".length) ?? "", pair];
    }),
  );

/** The cookie that a browser sends to the API of the auction after opening the link. */
async function loggedIn(story: AuctionStory): Promise<string> {
  const response = await open(await story.bidders[1]!.link());
  return cookiesOf(response).get(`/api/2.5${story.path()}`) ?? "";
}

const placeWith = (world: World, story: AuctionStory, headers: object, method = "POST") =>
  world.api("2.5").request(method, `${story.path()}/bids${method === "POST" ? "" : "/current"}`, {
    key: null,
    headers: { ...headers },
    ...(method === "POST" && { body: { data: { amount: 468713 } } }),
  });

describe("opening a participation link", async () => {
  const world = await sharedWorld({ AUCTIONS: "builtin" });
  const api = world.api("2.5");

  it("sets cookies for this auction only, and leads to an address without the secret", async () => {
    const story = await reachFirstTurn(world);
    const link = await story.bidders[1]!.link();
    const response = await open(link);
    assert.deepEqual(
      [response.status, response.headers.get("location")],
      [303, `${world.url}/auctions/${story.tender}`],
    );
    assert.equal(response.headers.get("referrer-policy"), "no-referrer");
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.deepEqual(
      [...cookiesOf(response).keys()],
      ["", "/uk", "/en", "/api/2.5"].map((place) => `${place}/auctions/${story.tender}`),
    );
    for (const cookie of response.headers.getSetCookie()) {
      assert.match(cookie, /; HttpOnly; SameSite=Lax$/);
      assert.ok(!cookie.includes("Domain"));
    }
    const cookie = await loggedIn(story);
    const seen = expectStatus(200, await api.get(story.path(), { key: null, headers: { Cookie: cookie } }));
    assert.equal(seen.body.data.own.isOwnTurn, true);
    assert.equal(seen.headers.get("cache-control"), "no-store");
  });

  it("is refused with a wrong secret, and for another bid or auction", async () => {
    const story = await reachFirstTurn(world);
    const other = await reachFirstTurn(world);
    const [low, high] = story.bidders;
    const link = await high!.link();
    const changed = (change: (url: URL) => void) => {
      const url = new URL(link);
      change(url);
      return url;
    };
    const wrong = [
      changed(({ searchParams }) => searchParams.set("signature", "A".repeat(43))),
      changed(({ searchParams }) => searchParams.delete("signature")),
      ...["\n", "\0", "=", " "].map((rest) =>
        changed(({ searchParams }) => searchParams.set("signature", secretIn(link) + rest)),
      ),
      changed(({ searchParams }) => searchParams.set("bidder_id", low!.id)),
      changed(({ searchParams }) => searchParams.delete("bidder_id")),
      changed((url) => {
        url.pathname = `/auctions/${other.tender}/login`;
      }),
    ];
    for (const url of wrong) {
      const response = await open(url);
      const text = await response.text();
      assert.deepEqual([response.status, response.headers.getSetCookie()], [403, []], text);
      assert.ok(!text.includes(secretIn(link)));
    }
    expectStatus(201, await api.request("POST", `${story.path()}/links`, { token: high!.token }));
    assert.equal((await open(link)).status, 403);
    assert.equal((await open(await high!.link())).status, 303);
    const unknown = new URL(link);
    unknown.pathname = `/auctions/${"0".repeat(32)}/login`;
    assert.equal((await open(unknown)).status, 404);
  });

  it("leads watchers from the address in the tender to the page", async () => {
    const { tender } = await reachFirstTurn(world);
    const { auctionUrl } = expectStatus(200, await api.get(`/tenders/${tender}`, { key: null })).body.data;
    const response = await open(auctionUrl);
    assert.deepEqual([response.status, response.headers.get("location")], [302, `${world.url}/auctions/${tender}`]);
    assert.equal((await fetch(auctionUrl, { method: "POST" })).status, 405);
  });

  it("leaves its secret in no log line, audit entry or metric", async () => {
    const story = await reachFirstTurn(world);
    const secret = secretIn(await story.bidders[1]!.link());
    const cookie = await loggedIn(story);
    await placeWith(world, story, { Cookie: cookie, "Sec-Fetch-Site": "same-origin" });
    expectStatus(200, await api.get(story.path(), await story.bidders[1]!.bearer()));
    await api.get(`${story.path()}?signature=${secret}`, { key: "token" });
    const metrics = await (await fetch(`${world.url}/metrics`)).text();
    const audit = readFileSync(join(world.dataDir, "audit.jsonl"), "utf8");
    for (const text of [world.logText(), metrics, audit]) assert.ok(!text.includes(secret) && !text.includes("468713"));
  });
});

describe("a cookie", async () => {
  const world = await sharedWorld({ AUCTIONS: "builtin" });

  it("places prices only from pages of the service itself", async () => {
    const story = await reachFirstTurn(world);
    const Cookie = await loggedIn(story);
    const foreign = [
      {},
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "none" },
      { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", Origin: "https://evil.example" },
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: `${world.url}.evil.example` },
      { Origin: "https://evil.example", "Sec-Fetch-Site": "same-origin" },
      { Origin: world.url, "Sec-Fetch-Site": "cross-site" },
    ];
    for (const headers of foreign)
      for (const method of ["POST", "DELETE"]) {
        const refused = expectStatus(403, await placeWith(world, story, { Cookie, ...headers }, method));
        assert.equal(refused.body.errors[0].rule, "cross-site", JSON.stringify(headers));
      }
    for (const headers of [{ Origin: world.url }, { "Sec-Fetch-Site": "same-origin" }]) {
      expectStatus(201, await placeWith(world, story, { Cookie, ...headers }));
      expectStatus(200, await placeWith(world, story, { Cookie, ...headers }, "DELETE"));
    }
  });

  it("of a replaced link places no prices, and its owner watches like everyone else", async () => {
    const story = await reachFirstTurn(world);
    const Cookie = await loggedIn(story);
    const api = world.api("2.5");
    expectStatus(201, await api.request("POST", `${story.path()}/links`, { token: story.bidders[1]!.token }));
    const refused = expectStatus(403, await placeWith(world, story, { Cookie, Origin: world.url }));
    assert.equal(refused.body.errors[0].rule, "auction-link");
    const seen = expectStatus(200, await api.get(story.path(), { key: null, headers: { Cookie } }));
    assert.equal(seen.body.data.own, undefined);
  });

  it("is not used for JSONP, which any page could load", async () => {
    const story = await reachFirstTurn(world);
    const Cookie = await loggedIn(story);
    const seen = await world.api("2.5").get(`${story.path()}?opt_jsonp=steal`, { key: null, headers: { Cookie } });
    assert.ok(expectStatus(200, seen).text.includes('"offers"') && !seen.text.includes('"own"'));
  });

  it("is for TLS only if the service is reached by it", async () => {
    const secure = await openWorld({ AUCTIONS: "builtin", PUBLIC_URL: "https://tenders.example" });
    try {
      const story = await reachFirstTurn(secure);
      const link = await story.bidders[1]!.link();
      assert.equal(link.origin, "https://tenders.example");
      const response = await open(`${secure.url}${link.pathname}${link.search}`);
      assert.equal(response.status, 303);
      for (const cookie of response.headers.getSetCookie()) assert.match(cookie, /; Secure$/);
    } finally {
      await secure.stop();
    }
  });
});
