import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fullTender, publish } from "../support/examples.ts";
import { microsecondsOf } from "../support/procedure.ts";
import { expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

/** A response that is reused from the cache is always the current one. */

describe("a tender that is read repeatedly without a key", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const read = (path: string, headers: { readonly [name: string]: string } = {}) =>
    api.get(path, { key: null, headers });
  const readRepeatedly = async (path: string): Promise<TestResponse> => {
    for (let i = 0; i < 4; i++) await read(path);
    return read(path);
  };

  it("is the same every time except for the request id", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    const responses = [await read(path), await readRepeatedly(path), await readRepeatedly(path)];
    assert.equal(new Set(responses.map(({ text }) => text)).size, 1);
    const plain = responses.map(({ headers }) =>
      [...headers].filter(([name]) => !["x-request-id", "date"].includes(name)),
    );
    assert.deepEqual(plain[1], plain[0]);
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

  it("changes at the very instant of a deadline", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    const { status, enquiryPeriod } = (await readRepeatedly(path)).body.data;
    world.clock.now = microsecondsOf(enquiryPeriod.endDate) - 1;
    assert.equal((await readRepeatedly(path)).body.data.status, status);
    world.clock.forward(1);
    assert.notEqual((await read(path)).body.data.status, status);
  });

  it("bypasses the cache if the request differs in method, headers, host or query", async () => {
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

  /** Like a client that uses another host name of the service. */
  async function textAt(host: string, path: string): Promise<string> {
    const { hostname, port } = new URL(world.url);
    const { request } = await import("node:http");
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { host: hostname, port, path: `/api/2.3${path}`, headers: { Host: host } },
        (response) => {
          let text = "";
          response.on("data", (chunk) => {
            text += chunk;
          });
          response.on("end", () => resolve(text));
        },
      );
      outgoing.on("error", reject).end();
    });
  }
});
