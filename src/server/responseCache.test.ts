import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, it } from "node:test";
import { fullTender, publish } from "../../test/support/examples.ts";
import { microsecondsOf } from "../../test/support/procedure.ts";
import { expectStatus, sharedWorld, type TestResponse } from "../../test/support/world.ts";
import { toCachedJson } from "../http/responses.ts";
import { openResponseCache } from "./responseCache.ts";

const requestFor = (url: string) =>
  ({ method: "GET", url, rawHeaders: ["Host", "localhost"] }) as unknown as IncomingMessage;

describe("the response cache", () => {
  it("does not store a response whose freshness check rejects, and handles the rejection", async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", onUnhandled);
    const cache = openResponseCache();
    const request = requestFor("/a");
    const isFresh = () => Promise.reject(new Error("the database is unavailable"));
    cache.store(request, { response: { status: 200, json: toCachedJson("{}"), isFresh } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", onUnhandled);
    assert.deepEqual([unhandled, cache.find(request)], [[], undefined]);
  });

  /** Stores `count` responses and returns how many of them can be found afterwards. */
  const storedCount = (cache: ReturnType<typeof openResponseCache>, count: number, urlOf: (i: number) => string) => {
    for (let i = 0; i < count; i++)
      cache.store(requestFor(urlOf(i)), {
        response: { status: 200, json: toCachedJson("{}"), isFresh: () => true },
      });
    return Array.from({ length: count }, (_, i) => cache.find(requestFor(urlOf(i)))).filter(Boolean).length;
  };

  it("is bounded also for many short responses with made-up URLs", () => {
    const cache = openResponseCache();
    assert.equal(
      storedCount(cache, 10, (i) => `/few?${i}`),
      10,
    );
    assert.ok(storedCount(cache, 50_000, (i) => `/many?${i}`) < 5000);
  });

  it("does not store responses for long URLs", () => {
    assert.equal(
      storedCount(openResponseCache(), 10, (i) => `/long?${i}${"x".repeat(2000)}`),
      0,
    );
  });
});

describe("a tender that is read repeatedly without a key", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const read = (path: string, headers: { readonly [name: string]: string } = {}) =>
    api.get(path, { key: null, headers });
  const readRepeatedly = async (path: string): Promise<TestResponse> => {
    for (let i = 0; i < 4; i++) await read(path);
    return read(path);
  };

  it("gets the same response every time, except for the request id", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    const responses = [await read(path), await readRepeatedly(path), await readRepeatedly(path)];
    assert.equal(new Set(responses.map(({ text }) => text)).size, 1);
    const stableHeaders = responses.map(({ headers }) =>
      [...headers].filter(([name]) => !["x-request-id", "date"].includes(name)),
    );
    assert.deepEqual(stableHeaders[1], stableHeaders[0]);
    assert.equal(new Set(responses.map(({ headers }) => headers.get("x-request-id"))).size, 3);
  });

  it("shows each change at once", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    for (const title of ["one", "two", "three"]) {
      await readRepeatedly(path);
      expectStatus(200, await api.patch(path, { title }, { token }));
      assert.equal((await read(path)).body.data.title, title);
    }
  });

  it("shows a new status from the very instant of the deadline", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    const { status, enquiryPeriod } = (await readRepeatedly(path)).body.data;
    world.clock.now = microsecondsOf(enquiryPeriod.endDate) - 1;
    assert.equal((await readRepeatedly(path)).body.data.status, status);
    world.clock.forward(1);
    assert.notEqual((await read(path)).body.data.status, status);
  });

  it("is not served from the cache if the request has other headers, another method, a query or another host", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    expectStatus(201, await api.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { token }));
    await readRepeatedly(path);
    assert.equal((await read(path, { "X-Request-ID": "mine" })).headers.get("x-request-id"), "mine");
    expectStatus(405, await api.request("PUT", path, { key: null }));
    assert.equal((await api.request("HEAD", path, { key: null })).text, "");
    assert.match((await read(`${path}?opt_pretty=1`)).text, /\n {4}"data"/);
    assert.match(await textAt("other.example", path), /"url":"http:\/\/other\.example\/api/);
    assert.match((await read(path)).text, /"url":"http:\/\/127\.0\.0\.1/);
  });

  /** Reads under another host name, which `fetch` does not allow. */
  async function textAt(host: string, path: string): Promise<string> {
    const { hostname, port } = new URL(world.url);
    const { request } = await import("node:http");
    return new Promise((resolve, reject) => {
      const sent = request({ host: hostname, port, path: `/api/2.3${path}`, headers: { Host: host } }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve(text));
      });
      sent.on("error", reject).end();
    });
  }
});
