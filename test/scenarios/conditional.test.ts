import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { describe, it } from "node:test";
import { toCachedBody } from "../../src/http/responses.ts";
import { openResponseCache } from "../../src/server/responseCache.ts";
import { fullTender, publish } from "../support/examples.ts";
import { expectStatus, type RequestOptions, sharedWorld, type TestResponse } from "../support/world.ts";

const tagOf = (text: string) => `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;

describe("a JSON response", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const { path, token } = await publish(api, fullTender(world.clock.now));
  const file = await api.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { token });
  const PATHS = [
    ...[path, `${path}?opt_pretty=1`, `${path}?opt_jsonp=show`, `${path}/documents`, `${path}/questions`],
    ...["/tenders", "/tenders?opt_fields=status", "/tenders?descending=1", "/spore", "/openapi.json", "/health"],
    `${path}/documents/${file.body.data.id}`,
    `${world.url}/health`,
  ];
  const known = (response: TestResponse, sent: RequestOptions = {}): RequestOptions => ({
    ...sent,
    headers: { "If-None-Match": response.headers.get("etag")! },
  });

  it("has an ETag of exactly its bytes, the same for every caller and path", async () => {
    for (const path of PATHS)
      for (const key of ["broker", null, null, null]) {
        // The compressed form of a body has its own tag.
        const options = { key, headers: { "Accept-Encoding": "identity" } };
        const got = expectStatus(200, await api.get(path, options));
        assert.equal(got.headers.get("etag"), tagOf(got.text), path);
        assert.equal(got.headers.get("cache-control"), "no-cache");
        const head = await api.request("HEAD", path, options);
        assert.equal(head.headers.get("etag"), got.headers.get("etag"), path);
      }
  });

  it("is a 304 for a client that has it", async () => {
    for (const path of PATHS)
      for (const key of ["broker", null, null]) {
        const got = await api.get(path, { key });
        const again = expectStatus(304, await api.get(path, known(got, { key })));
        assert.equal(again.text, "");
        assert.equal(again.headers.get("etag"), got.headers.get("etag"));
        for (const name of ["content-length", "content-type", "transfer-encoding"])
          assert.equal(again.headers.get(name), null, `${name} of ${path}`);
        assert.ok(again.headers.get("x-request-id"));
        expectStatus(304, await api.request("HEAD", path, known(got, { key })));
      }
  });

  it("matches a list of tags, a weak tag and an asterisk", async () => {
    const etag = (await api.get(path)).headers.get("etag")!;
    const ask = (list: string) => api.get(path, { key: null, headers: { "If-None-Match": list } });
    for (const list of [`"a", ${etag}`, `W/${etag}`, ` W/"x" ,W/${etag},"y"`, "*"]) expectStatus(304, await ask(list));
    for (const list of ['"a"', etag.slice(1, -1), "", 'W/"*"', etag.toUpperCase()]) expectStatus(200, await ask(list));
  });

  it("is sent again after a change", async () => {
    const before = { tender: await api.get(path, { key: null }), feed: await api.get("/tenders", { key: null }) };
    for (const title of ["one", "two"]) {
      world.clock.forward(1);
      expectStatus(200, await api.patch(path, { title }, { token }));
      const tender = expectStatus(200, await api.get(path, known(before.tender, { key: null })));
      assert.equal(tender.body.data.title, title);
      const feed = expectStatus(200, await api.get("/tenders", known(before.feed, { key: null })));
      assert.notEqual(feed.headers.get("etag"), before.feed.headers.get("etag"));
    }
  });

  it("has a different tag in each version and style", async () => {
    const all = await Promise.all(
      ["2.5", "2.3", "0"].flatMap((version) =>
        ["", "?opt_pretty=1"].map((query) => world.api(version).get(`${path}${query}`)),
      ),
    );
    assert.equal(new Set(all.map(({ headers }) => headers.get("etag"))).size, 6);
  });

  it("has no tag if it is an error or the response to a write", async () => {
    const anything = { headers: { "If-None-Match": "*" } };
    const refused = expectStatus(404, await api.get("/tenders/none", anything));
    const written = expectStatus(200, await api.patch(path, { title: "three" }, { token, ...anything }));
    for (const { headers } of [refused, written]) assert.equal(headers.get("etag"), null);
  });

  it("protects a webhook from lost updates, as its description says", async () => {
    const made = expectStatus(201, await api.post(`${world.url}/webhooks`, { url: "http://127.0.0.1:9/" })).body.data;
    const hook = `${world.url}/webhooks/${made.id}`;
    const tag = expectStatus(200, await api.get(hook)).headers.get("etag")!;
    const seen = { headers: { "If-Match": tag } };
    expectStatus(200, await api.patch(hook, { status: "paused" }, seen));
    expectStatus(412, await api.patch(hook, { status: "active" }, seen));
    expectStatus(412, await api.delete(hook, seen));
    assert.equal(expectStatus(200, await api.get(hook)).body.data.status, "paused");
  });

  it("leaves the tag of a file unchanged", async () => {
    const url = file.body.data.url.replace(/^https?:\/\/[^/]+/, world.url);
    const got = await fetch(url);
    assert.equal(
      got.headers.get("etag"),
      `"${createHash("sha256")
        .update(await got.text())
        .digest("hex")}"`,
    );
    const again = await fetch(url, { headers: { "If-None-Match": got.headers.get("etag")! } });
    assert.equal(again.status, 304);
  });
});

describe("the response cache", () => {
  it("serves requests with the usual browser headers and with If-None-Match", () => {
    const cache = openResponseCache();
    const request = (...more: string[]) =>
      ({ method: "GET", url: "/a", rawHeaders: ["Host", "here", ...more] }) as unknown as IncomingMessage;
    const response = { status: 200, json: toCachedBody("{}"), isFresh: () => true };
    cache.store(request(), { response });
    const browser = ["sec-ch-ua", "x", "DNT", "1", "Origin", "https://a.example", "Referer", "https://a.example/b"];
    const { etag } = response.json;
    for (const more of [[], browser, ["If-None-Match", etag], ["if-none-match", etag, ...browser]])
      assert.equal((cache.find(request(...more)) as { response: object }).response, response);
    for (const more of [
      ["Authorization", "x"],
      ["X-Access-Token", "x"],
    ])
      assert.equal(cache.find(request(...more)), undefined);
  });
});
