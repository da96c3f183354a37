import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bidOf, publish, publishForBids } from "../support/examples.ts";
import { reachTenderingEnd } from "../support/procedure.ts";
import { waitUntil } from "../support/processes.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

const world = await sharedWorld();
const api = world.api("2.3");
const tagOf = async (path: string, token?: string) =>
  expectStatus(200, await api.get(path, token ? { token } : {})).headers.get("etag")!;
const ifMatch = (tag: string) => ({ headers: { "If-Match": tag } });

describe("If-Match", () => {
  test("accepts a change with the current ETag, and refuses it with 412 once the object has changed", async () => {
    const { path, token } = await publish(api, { title: "One" });
    const tag = await tagOf(path);
    expectStatus(200, await api.patch(path, { title: "Two" }, { token, ...ifMatch(tag) }));
    const refused = expectStatus(412, await api.patch(path, { title: "Three" }, { token, ...ifMatch(tag) }));
    const { location, name, rule } = refused.body.errors[0];
    assert.deepEqual([location, name, rule], ["header", "If-Match", "precondition-failed"]);
    assert.equal(expectStatus(200, await api.get(path)).body.data.title, "Two");
  });

  test("accepts lists, the asterisk and the ETag of an indented response, but no weak ETag", async () => {
    const { path, token } = await publish(api, { title: "One" });
    const change = async (title: string, tag: string) =>
      (await api.patch(path, { title }, { token, ...ifMatch(tag) })).status;
    assert.equal(await change("A", "*"), 200);
    assert.equal(await change("B", `"other", ${await tagOf(path)}`), 200);
    assert.equal(await change("C", await tagOf(`${path}?opt_pretty=1`)), 200);
    assert.equal(await change("D", `W/${await tagOf(path)}`), 412);
    assert.equal(await change("E", '"other"'), 412);
  });

  test("accepts one of many concurrent changes", async () => {
    const { path, token } = await publish(api, { title: "One" });
    const sent = { token, ...ifMatch(await tagOf(path)) };
    const all = await Promise.all(Array.from({ length: 10 }, (_, i) => api.patch(path, { title: `By ${i}` }, sent)));
    assert.deepEqual(all.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 412)]);
  });

  test("applies to the object in the path only: other changes in its tender do not matter", async () => {
    const { path } = await publishForBids(world);
    const bids = await Promise.all(
      [10, 20].map(async (amount) => {
        return expectStatus(201, await api.post(`${path}/bids`, bidOf(amount))).body;
      }),
    );
    const tokens = bids.map(({ access }) => access.token as string);
    const paths = bids.map(({ data }) => `${path}/bids/${data.id}`);
    const tags = await Promise.all(paths.map((path, i) => tagOf(path, tokens[i])));
    const changes = paths.map((path, i) =>
      api.patch(path, { value: { amount: 5 } }, { token: tokens[i]!, ...ifMatch(tags[i]!) }),
    );
    for (const changed of await Promise.all(changes)) expectStatus(200, changed);
    for (const [i, path] of paths.entries()) {
      const sent = { token: tokens[i]!, ...ifMatch(tags[i]!) };
      expectStatus(412, await api.delete(path, sent));
      expectStatus(200, await api.delete(path, { ...sent, ...ifMatch(await tagOf(path, tokens[i])) }));
    }
  });

  test("with an asterisk accepts every change, however many are concurrent", async () => {
    const { path, token } = await publish(api, { title: "One" });
    const sent = { token, ...ifMatch("*") };
    const all = await Promise.all(Array.from({ length: 30 }, (_, i) => api.patch(path, { title: `By ${i}` }, sent)));
    for (const response of all) expectStatus(200, response);
  });

  test("with an Idempotency-Key refuses only while the ETag differs", async () => {
    const { path, token } = await publish(api, { title: "One" });
    const headers = { "If-Match": '"other"', "Idempotency-Key": "the-same" };
    expectStatus(412, await api.patch(path, { title: "Two" }, { token, headers }));
    const now = { ...headers, "If-Match": await tagOf(path) };
    expectStatus(200, await api.patch(path, { title: "Two" }, { token, headers: now }));
  });

  test("accepts one of many concurrent new versions of a document", async () => {
    const { path, token } = await publish(api, { title: "Files" });
    const file = { name: "a", content: "a" };
    const { id } = expectStatus(201, await api.upload(`${path}/documents`, file, { token })).body.data;
    const at = `${path}/documents/${id}`;
    const sent = { token, method: "PUT", ...ifMatch(await tagOf(at)) };
    const all = await Promise.all(Array.from({ length: 8 }, () => api.upload(at, file, sent)));
    assert.deepEqual(all.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 412)]);
  });

  test("protects a new version of a document", async () => {
    const { path, token } = await publish(api, { title: "Files" });
    const file = { name: "a", content: "a" };
    const { id } = expectStatus(201, await api.upload(`${path}/documents`, file, { token })).body.data;
    const at = `${path}/documents/${id}`;
    const tag = await tagOf(at);
    const put = (matching: string) => api.upload(at, file, { token, method: "PUT", ...ifMatch(matching) });
    expectStatus(200, await put(tag));
    expectStatus(412, await put(tag));
    assert.equal(expectStatus(200, await api.get(at)).body.data.previousVersions.length, 1);
  });

  test("reveals a sealed bid only to its owner: neither its existence nor its contents", async () => {
    const newest = world.api("2.5");
    const { path } = await publishForBids(world);
    const bid = expectStatus(201, await newest.post(`${path}/bids`, bidOf(400))).body;
    const there = `${path}/bids/${bid.data.id}`;
    const file = { name: "a", content: "a" };
    const own = { token: bid.access.token };
    const document = expectStatus(201, await newest.upload(`${there}/documents`, file, own)).body.data.id;
    const tag = expectStatus(200, await newest.get(there, own)).headers.get("etag")!;
    const nowhere = `${path}/bids/${"0".repeat(32)}`;
    for (const version of [api, newest])
      for (const matching of ["*", '"other"', tag, `"x", ${tag}`])
        for (const key of ["broker", "broker1"])
          for (const below of ["", `/documents/${document}`]) {
            const sent = { key, ...ifMatch(matching) };
            const errorsAt = async (at: string) => {
              const responses = [
                await version.patch(at + below, { value: { amount: 1 } }, sent),
                ...(below ? [] : [await version.delete(at, sent)]),
              ];
              return responses.map(({ status, body }) => [status, body.errors[0].name, body.errors[0].rule]);
            };
            assert.deepEqual(await errorsAt(there), await errorsAt(nowhere), `${matching} ${key} ${below}`);
          }
  });

  test("for a document of one bid does not conflict with competing bids", async () => {
    const newest = world.api("2.5");
    const { path } = await publishForBids(world);
    const bid = expectStatus(201, await newest.post(`${path}/bids`, bidOf(400))).body;
    const own = { token: bid.access.token };
    const file = { name: "a", content: "a" };
    const documents = `${path}/bids/${bid.data.id}/documents`;
    const { id } = expectStatus(201, await newest.upload(documents, file, own)).body.data;
    const at = `${documents}/${id}`;
    const tag = expectStatus(200, await newest.get(at, own)).headers.get("etag")!;
    const all = await Promise.all([
      newest.upload(at, file, { ...own, method: "PUT", ...ifMatch(tag) }),
      ...Array.from({ length: 10 }, (_, i) => newest.post(`${path}/bids`, bidOf(300 + i))),
    ]);
    assert.deepEqual(
      all.map(({ status }) => status),
      [200, ...Array.from({ length: 10 }, () => 201)],
    );
  });

  test("accepts one of many concurrent reports of an auction, whose prices are still sealed", async () => {
    const { path, bidders } = await reachTenderingEnd(world, [bidOf(400), bidOf(300)]);
    const auction = { key: "auction" };
    const tag = expectStatus(200, await api.get(`${path}/auction`, auction)).headers.get("etag")!;
    const report = (amount: number) => ({ bids: bidders.map(() => ({ value: { amount } })) });
    const sent = { ...auction, ...ifMatch(tag) };
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) => api.patch(`${path}/auction`, report(100 + i), sent)),
    );
    assert.deepEqual(all.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 412)]);
  });

  test("is ignored for reads, and leaves no file and no stream open", async () => {
    const { path, token } = await publish(api, { title: "Files" });
    const file = { name: "a", content: "a".repeat(200_000) };
    const { url } = expectStatus(201, await api.upload(`${path}/documents`, file, { token })).body.data;
    for (let i = 0; i < 60; i++) {
      const headers = { "If-Match": i % 2 ? "*" : '"x"' };
      assert.equal((await (await fetch(url, { headers })).arrayBuffer()).byteLength, 200_000);
      const reading = new AbortController();
      const stream = await fetch(`${api.root}/tenders/stream`, { headers, signal: reading.signal });
      assert.equal(stream.status, 200);
      reading.abort();
      await api.patch(
        `${path}/documents/${url.match(/documents\/(\w+)/)![1]}${new URL(url).search}`,
        {},
        { token, headers },
      );
    }
    const open = async () =>
      /tenderhall_streams_open (\d+)/.exec(await (await fetch(`${world.url}/metrics`)).text())![1];
    await waitUntil(
      async () => (await open()) === "0",
      () => "every stream to end",
    );
  });

  test("accepts one of many concurrent changes of a webhook", async () => {
    const hooks = `${world.url}/webhooks`;
    const { id } = expectStatus(201, await api.post(hooks, { url: "http://127.0.0.1:9/" })).body.data;
    const tag = expectStatus(200, await api.get(`${hooks}/${id}`)).headers.get("etag")!;
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) => api.patch(`${hooks}/${id}`, { opt_fields: `f${i}` }, ifMatch(tag))),
    );
    assert.deepEqual(all.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 412)]);
  });

  test("is never required, and never refuses a creation", async () => {
    const { path, token } = await publish(api, { title: "Free" });
    expectStatus(200, await api.patch(path, { title: "Freely" }, { token }));
    expectStatus(201, await api.post("/tenders", {}, ifMatch('"other"')));
  });
});
