import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, it } from "node:test";
import { fullTender, publish } from "../../test/support/examples.ts";
import { microsecondsOf } from "../../test/support/procedure.ts";
import { expectStatus, sharedWorld, type TestResponse } from "../../test/support/world.ts";
import { toCachedJson } from "../http/responses.ts";
import { openResponseCache } from "./responseCache.ts";

describe("an answer whose store cannot say whether it is still the one", () => {
  it("is not kept, and harms nobody", async () => {
    const failures: unknown[] = [];
    const note = (error: unknown) => failures.push(error);
    process.on("unhandledRejection", note);
    const hot = openResponseCache();
    const request = { method: "GET", url: "/a", rawHeaders: ["Host", "here"] } as unknown as IncomingMessage;
    const isStill = () => Promise.reject(new Error("the database is away"));
    hot.store(request, { response: { status: 200, json: toCachedJson("{}"), isFresh: isStill } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", note);
    assert.deepEqual([failures, hot.find(request)], [[], undefined]);
  });
});

describe("what is kept", () => {
  const isStill = () => true;
  const asked = (url: string) => ({ method: "GET", url, rawHeaders: ["Host", "here"] }) as unknown as IncomingMessage;
  const kept = (hot: ReturnType<typeof openResponseCache>, count: number, urlOf: (i: number) => string) => {
    for (let i = 0; i < count; i++)
      hot.store(asked(urlOf(i)), { response: { status: 200, json: toCachedJson("{}"), isFresh: isStill } });
    return Array.from({ length: count }, (_, i) => hot.find(asked(urlOf(i)))).filter(Boolean).length;
  };

  it("is little also of answers that are short, whoever makes up addresses", () => {
    const hot = openResponseCache();
    assert.equal(
      kept(hot, 10, (i) => `/few?${i}`),
      10,
    );
    assert.ok(kept(hot, 50_000, (i) => `/many?${i}`) < 5000);
  });

  it("has no long address", () => {
    assert.equal(
      kept(openResponseCache(), 10, (i) => `/long?${i}${"x".repeat(2000)}`),
      0,
    );
  });
});

/** What nobody in particular reads again and again is as of now all the same. */

describe("a tender that is read again and again without a key", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const read = (path: string, headers: { readonly [name: string]: string } = {}) =>
    api.get(path, { key: null, headers });
  const often = async (path: string): Promise<TestResponse> => {
    for (let i = 0; i < 4; i++) await read(path);
    return read(path);
  };

  it("is the same every time but for its request's id", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    const answers = [await read(path), await often(path), await often(path)];
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const plain = answers.map(({ headers }) =>
      [...headers].filter(([name]) => !["x-request-id", "date"].includes(name)),
    );
    assert.deepEqual(plain[1], plain[0]);
    assert.equal(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size, 3);
  });

  it("shows each change at once", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    for (const title of ["one", "two", "three"]) {
      await often(path);
      expectStatus(200, await api.patch(path, { title }, { token }));
      assert.equal((await read(path)).body.data.title, title);
    }
  });

  it("goes on with time, at the very instant", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    const { status, enquiryPeriod } = (await often(path)).body.data;
    world.clock.now = microsecondsOf(enquiryPeriod.endDate) - 1;
    assert.equal((await often(path)).body.data.status, status);
    world.clock.forward(1);
    assert.notEqual((await read(path)).body.data.status, status);
  });

  it("is looked at closely where a request says more", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    expectStatus(201, await api.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { token }));
    await often(path);
    assert.equal((await read(path, { "X-Request-ID": "mine" })).headers.get("x-request-id"), "mine");
    expectStatus(405, await api.request("PUT", path, { key: null }));
    assert.equal((await api.request("HEAD", path, { key: null })).text, "");
    assert.match((await read(`${path}?opt_pretty=1`)).text, /\n {4}"data"/);
    assert.match(await textAt("other.example", path), /"url":"http:\/\/other\.example\/api/);
    assert.match((await read(path)).text, /"url":"http:\/\/127\.0\.0\.1/);
  });

  /** As a client does that knows the service by another name. */
  async function textAt(host: string, path: string): Promise<string> {
    const { hostname, port } = new URL(world.url);
    const { request } = await import("node:http");
    return new Promise((resolve, reject) => {
      const asked = request({ host: hostname, port, path: `/api/2.3${path}`, headers: { Host: host } }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve(text));
      });
      asked.on("error", reject).end();
    });
  }
});
