import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { DAY, fullTender, type PublishedTender, plainTender, publish } from "../support/examples.ts";
import { expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

/** If part of a request is ignored, the response says so. The newest version refuses such a request. */

const NEWEST = ["2.0", "2.1", "2.2", "2.4", "2.5"];
const OLDER = ["0", "0.1", "0.2", "2.3"];
const ignoredIn = ({ headers }: TestResponse): string | null => headers.get("x-ignored-parameters");

describe("a query parameter with an invalid value", async () => {
  const world = await sharedWorld();
  before(async () => {
    for (let i = 0; i < 3; i++) await publish(world.api("2.3"), plainTender());
  });

  const bad = [
    ...["0", "-1", "abc", "1001", "1.5", "1e2", " 5", "99999999999"].map(
      (limit) => ["limit", `limit=${limit}`] as const,
    ),
    ["limit", "limit=101&opt_fields=status"],
    ["mode", "mode=_ALL_"],
    ["mode", "mode=constructor"],
    ["feed", "feed=tenders"],
  ] as const;

  it("is 422 under 2.5 and its aliases, and all such parameters are reported at once", async () => {
    for (const version of NEWEST)
      for (const [name, query] of bad) {
        const { body } = expectStatus(422, await world.api(version).get(`/tenders?${query}`));
        const [{ location, name: named, rule }] = body.errors;
        assert.deepEqual([location, named, rule], ["params", name, "bad-filter"], query);
      }
    const all = await world.api("2.5").get("/tenders?limit=0&mode=x&feed=x&status=x");
    const names = expectStatus(422, all).body.errors.map(({ name }: { name: string }) => name);
    assert.deepEqual(names.sort(), ["feed", "limit", "mode", "status"]);
  });

  it("is named in X-Ignored-Parameters by older versions, which use the default", async () => {
    for (const version of OLDER) {
      const api = world.api(version);
      const plain = (await api.get("/tenders")).body.data;
      for (const [name, query] of bad) {
        const response = expectStatus(200, await api.get(`/tenders?${query}`));
        assert.equal(ignoredIn(response), name, query);
        assert.equal(response.body.data.length, plain.length);
      }
      assert.equal(ignoredIn(await api.get("/tenders?limit=0&mode=x&unknown=1")), "mode, limit, unknown");
    }
  });

  it("is treated the same by streams and webhook deliveries", async () => {
    const head = (version: string, query: string) => world.api(version).request("HEAD", `/tenders/stream?${query}`);
    assert.equal((await head("2.5", "mode=x")).status, 422);
    assert.equal(ignoredIn(expectStatus(200, await head("2.3", "mode=x&limit=5"))), "mode, limit");
    assert.equal(ignoredIn(expectStatus(200, await head("2.5", "mode=_all_&feed=changes&offset="))), null);
    const api = world.api("2.5");
    const { id } = (await api.post(`${world.url}/webhooks`, { url: "http://127.0.0.1:9/" })).body.data;
    for (const limit of ["0", "-1", "abc", "1001"])
      expectStatus(422, await api.get(`${world.url}/webhooks/${id}/deliveries?limit=${limit}`));
    for (const limit of ["", "1", "1000"])
      expectStatus(200, await api.get(`${world.url}/webhooks/${id}/deliveries?limit=${limit}`));
  });

  it("is none that today's clients send", async () => {
    const sent = [
      "descending=&offset=&limit=100&opt_fields=&mode=_all_",
      "descending=1&limit=1000&mode=test&feed=dateModified",
      "descending=True&feed=changes&opt_fields=status&mode=_all_&limit=100",
      "limit=&mode=&feed=&opt_pretty=0",
    ];
    for (const version of [...NEWEST, ...OLDER])
      for (const query of sent) {
        const response = expectStatus(200, await world.api(version).get(`/tenders?${query}`));
        assert.equal(ignoredIn(response), null, query);
      }
  });
});

describe("a read with an unknown key", async () => {
  const world = await sharedWorld();
  let tender: PublishedTender;
  before(async () => {
    tender = await publish(world.api("2.5"), fullTender(world.clock.now));
  });

  const reasonOf = async (url: string, authorization: string | undefined, method = "GET") => {
    const abort = new AbortController();
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const response = await fetch(url, { method, headers, signal: abort.signal });
    abort.abort();
    return { status: response.status, reason: response.headers.get("x-ignored-authorization") };
  };

  it("is served anonymously with a header that says so, on every path and every time", async () => {
    const paths = ["/api/2.5/tenders", "/api/2.5/tenders/stream", `/api/2.5${tender.path}`, `/api/0.1${tender.path}`];
    for (const path of [...paths, "/api/2.5/spore", "/health", "/"])
      for (let time = 0; time < 3; time++) {
        const url = world.url + path;
        assert.deepEqual(await reasonOf(url, undefined), { status: 200, reason: null }, path);
        assert.deepEqual(await reasonOf(url, "Bearer nobody"), { status: 200, reason: "unknown key" }, path);
        assert.deepEqual(await reasonOf(url, "Bearer broker"), { status: 200, reason: null }, path);
        assert.deepEqual(await reasonOf(url, "Bearer nobody", "HEAD"), { status: 200, reason: "unknown key" }, path);
      }
    const { reason } = await reasonOf(`${world.url}/api/2.5/tenders/none`, "Bearer nobody");
    assert.equal(reason, "unknown key");
  });

  it("says briefly why the key was not used", async () => {
    const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
    const reasons = {
      "Bearer nobody": "unknown key",
      [basic("nobody:")]: "unknown key",
      [basic("broker")]: "malformed credentials",
      "Basic !": "malformed credentials",
      Bearer: "malformed credentials",
      "Digest username=broker": "unsupported scheme",
      broker: "unsupported scheme",
    };
    for (const [authorization, reason] of Object.entries(reasons))
      assert.equal((await reasonOf(`${world.url}/api/2.5/tenders`, authorization)).reason, reason, authorization);
  });

  it("differs from a write, which is a 401 without that header", async () => {
    const response = expectStatus(401, await world.api("2.5").post("/tenders", {}, { key: "nobody" }));
    assert.equal(response.headers.get("x-ignored-authorization"), null);
  });
});

describe("an offset from another system, with seconds, fraction, number and hash", async () => {
  const world = await sharedWorld();

  it("is read as its instant in every version", async () => {
    const api = world.api("2.5");
    const before = await publish(api, { ...fullTender(world.clock.now), title: "before" });
    world.clock.forward(DAY);
    const seconds = Math.floor(world.clock.now / 1e6);
    const after = await publish(api, { ...fullTender(world.clock.now), title: "after" });
    const hash = "7c1d0b2f9a4e5d6c8b7a";
    for (const version of [...NEWEST, ...OLDER])
      for (const offset of [
        `${seconds}.001.1.${hash}`,
        `${seconds}.000999.12.${hash}`,
        `${seconds - 5}.884.1.ABCDEF`,
      ]) {
        const { data } = expectStatus(200, await world.api(version).get(`/tenders?offset=${offset}`)).body;
        const ids = data.map(({ id }: { id: string }) => id);
        assert.deepEqual([ids.includes(before.id), ids.includes(after.id)], [false, true], `${version} ${offset}`);
        const back = await world.api(version).get(`/tenders?offset=${offset}&descending=1`);
        assert.deepEqual(
          back.body.data.map(({ id }: { id: string }) => id),
          [before.id],
        );
      }
    assert.equal((await api.get(`/tenders?offset=${seconds}.5.1.${hash}`)).body.data.length, 0);
  });

  it("in any other form is still 404", async () => {
    for (const offset of ["1.2.3", "1.2.3.x", "1.2.3.", "1..3.ab", "1.2.3.ab.4", `${"9".repeat(17)}.1.1.ab`])
      expectStatus(404, await world.api("2.5").get(`/tenders?offset=${offset}`));
  });
});
